/* Normal values for the registers a kernel reads. */
#ifndef ISA_VALUES_H
#define ISA_VALUES_H

#include "host/isa/isa.h"

/* Fill every vector register with 1.0 of the domain's type, the value that
 * multiplication, division and square root leave alone, or with bytes of 1.
 * Fill every GPR with 1: a chain of divisions by it neither faults nor decays
 * to zero. */
void values_fill(enum form_domain domain, struct pack_image *image);

/* 1.0 of the domain's type, NaN-boxed into 64 bits. */
uint64_t values_boxed_one(enum form_domain domain);

/* Store a 32-bit little-endian word of code. */
void values_put32(unsigned char *code, uint32_t word);

#endif
