/* The modes of llvm-exegesis; see exegesis.h. */
#include "host/codec/exegesis/exegesis.h"

const struct exegesis_mode exegesis_modes[EXEGESIS_N] = {
	[EXEGESIS_LATENCY] = { "latency", "latency" },
	[EXEGESIS_THROUGHPUT] = { "inverse_throughput", "inverse_throughput" },
	[EXEGESIS_UOPS] = { "uops", "NumMicroOps" },
};
