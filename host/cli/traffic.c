/* Figures of a line; see traffic.h. */
#include "host/cli/traffic.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/armor.h"
#include "common/load.h"
#include "host/link/record_bytes.h"
#include "host/link/serial.h"

enum {
	BITS_PER_BYTE = 10,    /* start, eight, stop */
	RECORD_AROUND = 36,    /* of a data record, but its armor */
	CATALOGUE = 10 * 1000, /* kernels: about a RISC-V catalogue */
	MINUTE = 60,
	MANY_SECONDS = 600,
};

static double bytes_per_s(uint32_t baud)
{
	return (double)serial_baud(baud) / BITS_PER_BYTE;
}

/* "7 MB", "27 kB" */
static void print_bytes(double n)
{
	const double mega = 1e6, kilo = 1e3;

	printf("%.3g %s", n >= mega ? n / mega : n / kilo,
	       n >= mega ? "MB" : "kB");
}

static void print_time(double seconds)
{
	if (seconds >= MANY_SECONDS)
		printf("%.0f min", seconds / MINUTE);
	else
		printf("%.0f s", seconds);
}

static void print_share(double bytes, uint32_t baud, const char *clock)
{
	print_bytes(bytes);
	printf(", ");
	print_time(bytes / bytes_per_s(baud) + 1);
	printf(" at %u baud, on a %s clock", serial_baud(baud), clock);
}

void traffic_estimate(const struct board *b, const void *pack, size_t n,
		      uint32_t baud)
{
	double share = (double)n / (double)pack_n_measured(pack);
	bool core = b->clock != CLOCK_REF;
	bool ref = b->clock != CLOCK_CORE;

	printf("console: about ");
	if (core)
		print_share(share * (double)record_bytes(pack, false), baud,
			    "core");
	if (core && ref)
		printf("; ");
	if (ref)
		print_share(share * (double)record_bytes(pack, true), baud,
			    "reference");
	printf("\n");
	(void)fflush(stdout);
}

void traffic_announce(size_t pack_bytes, uint32_t baud)
{
	double chunk = (double)(armor_length(LOAD_CHUNK) + RECORD_AROUND);

	if (pack_bytes)
		printf("line: to send %zu bytes of kernels takes about %.0f s "
		       "at %u baud\n",
		       pack_bytes,
		       (double)pack_bytes / LOAD_CHUNK * chunk /
				       bytes_per_s(baud) +
			       1,
		       serial_baud(baud));
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
