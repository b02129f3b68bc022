/* The words of llvm-exegesis' benchmark files that its writer and its reader
 * share. */
#ifndef CODEC_EXEGESIS_EXEGESIS_H
#define CODEC_EXEGESIS_EXEGESIS_H

#include <stddef.h>

/* What a file holds; llvm-exegesis compares entries of one mode only. */
struct exegesis_mode {
	const char *mode; /* of the entry */
	const char *key;  /* of its measurement */
};

enum { EXEGESIS_LATENCY, EXEGESIS_THROUGHPUT, EXEGESIS_UOPS, EXEGESIS_N };

extern const struct exegesis_mode exegesis_modes[EXEGESIS_N];

/* A register operand that is none, and what a number begins with. */
#define EXEGESIS_NO_REGISTER "%noreg"
#define EXEGESIS_NUMBER      "i_0x"

/* What our `info` of a latency begins with; the operands follow, "1>0". */
#define EXEGESIS_PAIR "latency of operands "

#endif
