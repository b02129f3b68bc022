/* Fuzzes pack_check(): whatever it accepts must be safe to walk to the last
 * byte with the accessors.  The checksum is repaired on a second try, or the
 * rules behind it would never be reached. */
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint64_t sum(const void *p, size_t n)
{
	const unsigned char *bytes = p;
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += bytes[i];
	return total;
}

/* Read everything a pack points to. */
static uint64_t walk(const void *p)
{
	const struct pack_header *h = pack_header(p);
	const struct pack_kernel *kernels = pack_kernels(p);
	uint64_t total = 0;

	for (uint32_t k = 0; k < h->n_kernels; k++) {
		total += strlen(pack_label(p, &kernels[k]));
		total += sum(&pack_images(p)[kernels[k].image],
			     sizeof(struct pack_image));
		for (int i = 0; i < PACK_LENGTHS; i++)
			total += sum(pack_code(p) + kernels[k].code_offset[i],
				     kernels[k].code_bytes[i]);
		/* A thousand kernels may share one megabyte: limit the work. */
		if (k > 64)
			break;
	}
	for (int i = 0; i < PACK_N_CALIB; i++)
		if (h->calib[i] != PACK_NO_KERNEL)
			total += kernels[h->calib[i]].id;
	return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	/* A separate allocation, so that overreads are detected. */
	unsigned char *p = malloc(n ? n : 1);
	struct pack_header *h = (void *)p;
	volatile uint64_t keep = 0;

	if (!p)
		return 0;
	if (n)
		memcpy(p, data, n);
	if (pack_check(p, n) == PACK_OK)
		keep += walk(p);
	if (n >= sizeof(*h)) {
		memcpy(h->magic, PACK_MAGIC, sizeof(h->magic));
		h->version = PACK_VERSION;
		if (h->total_bytes < sizeof(*h) || h->total_bytes > n)
			h->total_bytes = (uint32_t)n;
		h->sum = pack_sum(p);
		if (pack_check(p, n) == PACK_OK)
			keep += walk(p);
	}
	free(p);
	return 0;
}
