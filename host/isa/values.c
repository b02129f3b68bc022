#include "host/isa/values.h"

#include <string.h>

/* IEEE 754 encodings of 1.0 and their width in bytes. */
static const struct {
	uint64_t one;
	size_t bytes;
} domains[DOMAIN_N] = {
	[DOMAIN_INT] = { .one = 0x01, .bytes = 1 },
	[DOMAIN_FP16] = { .one = 0x3c00, .bytes = 2 },
	[DOMAIN_FP32] = { .one = 0x3f800000, .bytes = 4 },
	[DOMAIN_FP64] = { .one = 0x3ff0000000000000, .bytes = 8 },
};

void values_fill(enum form_domain domain, struct pack_image *image)
{
	size_t bytes = domains[domain].bytes;

	for (size_t i = 0; i < ARRAY_LEN(image->gpr); i++)
		image->gpr[i] = 1;
	for (size_t i = 0; i < ARRAY_LEN(image->vector); i++)
		for (size_t k = 0; k < sizeof(image->vector[i]); k++)
			image->vector[i][k] = (uint8_t)(domains[domain].one >>
							(k % bytes * 8));
	for (size_t i = 0; i < ARRAY_LEN(image->fp); i++)
		memcpy(&image->fp[i], image->vector[0], sizeof(image->fp[i]));
	for (size_t i = 0; i < ARRAY_LEN(image->mask); i++)
		image->mask[i] = UINT64_MAX;
}

uint64_t values_boxed_one(enum form_domain domain)
{
	if (domain == DOMAIN_INT || domain == DOMAIN_FP64)
		return domains[DOMAIN_FP64].one;
	return domains[domain].one | UINT64_MAX << domains[domain].bytes * 8;
}

void values_put32(unsigned char *code, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		code[i] = (unsigned char)(word >> (i * 8));
}
