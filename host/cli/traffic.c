/* Figures of a line; see traffic.h. */
#include "host/cli/traffic.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/armor.h"
#include "common/load.h"
#include "host/link/serial.h"

enum {
	BITS_PER_BYTE = 10,    /* start, eight, stop */
	RECORD_AROUND = 36,    /* of a data record, but its armor */
	CATALOGUE = 10 * 1000, /* kernels: about a RISC-V catalogue */
	/* Bytes of the records of a kernel, measured with RISC-V kernels of
	 * 2000 cycles: one row for all repeats on a core clock; three visits
	 * of eleven rows on a reference clock. */
	RECORD_CORE = 160,
	RECORDS_REF = 3 * 500,
};

static double bytes_per_s(uint32_t baud)
{
	return (double)serial_baud(baud) / BITS_PER_BYTE;
}

void traffic_announce(size_t pack_bytes, size_t n_kernels, uint32_t baud)
{
	double chunk = (double)(armor_length(LOAD_CHUNK) + RECORD_AROUND);
	double rate = bytes_per_s(baud);

	if (pack_bytes)
		printf("line: to send %zu bytes of kernels takes about %.0f s "
		       "at %u baud\n",
		       pack_bytes,
		       (double)pack_bytes / LOAD_CHUNK * chunk / rate + 1,
		       serial_baud(baud));
	printf("line: their samples take about %.0f s on a core clock, %.0f s "
	       "on a reference clock\n",
	       (double)n_kernels * RECORD_CORE / rate + 1,
	       (double)n_kernels * RECORDS_REF / rate + 1);
	(void)fflush(stdout);
}

/* Share of the line's capacity in that time. */
static double share(uint64_t bytes, uint64_t ms, uint32_t baud)
{
	return 1e5 * (double)bytes / (double)ms / bytes_per_s(baud);
}

void traffic_print(const struct link_traffic *t, size_t n_kernels,
		   uint32_t baud)
{
	if (t->pack_ms)
		printf("line: %" PRIu64 " bytes of kernels in %.1f s (%.1f %% "
		       "of %u baud)\n",
		       t->pack_bytes, 1e-3 * (double)t->pack_ms,
		       share(t->pack_bytes, t->pack_ms, baud),
		       serial_baud(baud));
	if (t->record_ms)
		printf("line: %" PRIu64 " bytes of samples in %.1f s (%.1f %% "
		       "of %u baud)\n",
		       t->record_bytes, 1e-3 * (double)t->record_ms,
		       share(t->record_bytes, t->record_ms, baud),
		       serial_baud(baud));
	if (n_kernels > 0 && t->record_ms)
		printf("line: %d kernels like these take %.0f s\n", CATALOGUE,
		       1e-3 * (double)(t->pack_ms + t->record_ms) * CATALOGUE /
			       (double)n_kernels);
}
