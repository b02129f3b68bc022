/* Normal values for the registers a kernel reads. */
#ifndef ISA_VALUES_H
#define ISA_VALUES_H

#include "common/pack.h"
#include "host/isa/catalogue.h"
#include "host/isa/variant.h"

/* Fill every vector register with 1.0 of the domain's type, which
 * multiplication, division and square root do not change, or with bytes of
 * 1.  Fill every GPR with 1: a chain of divisions by it neither faults nor
 * becomes zero. */
void values_fill(enum form_domain domain, struct pack_image *image);

/* 1.0 of the domain's type, NaN-boxed into 64 bits. */
uint64_t values_boxed_one(enum form_domain domain);

/* Is the form of a family of values: normal, fast, slow, zero or denormal
 * floats? */
bool values_has(const struct form *form);

/* Fill the vector and float registers of an image with the values of the
 * form's family, if it has one. */
void values_fill_family(const struct form *form, struct pack_image *image);

/* The starting value of an operand of these forms, if it differs
 * (isa.operand_value); false for all others. */
bool values_operand(const struct form *form, int operand, enum reg_bank bank,
		    uint8_t ret[VALUE_BYTES]);

/* The k-th number that consecutive instances divide or take roots of, NaN-boxed
 * into 64 bits; all are of the form's family.  False if the family has only
 * one. */
bool values_float(const struct form *form, unsigned k, uint64_t *ret);

/* Zero of the domain's type, NaN-boxed. */
uint64_t values_boxed_zero(enum form_domain domain);

/* Repeat a number of this many bytes. */
void values_repeat(uint64_t value, size_t bytes, uint8_t ret[VALUE_BYTES]);

/* Add the families of values of a form that computes on floats.  `divides`:
 * also fast and slow. */
void values_families(const struct form *form, bool divides,
		     struct variant_list *ret);

/* Add the families of a division of integers whose operands are not its
 * results; and its values: a number of `bytes` with all its bits by 3, or 1 by
 * 1. */
void values_divisions(struct variant_list *ret);
bool values_quotient(const struct form *form, bool dividend, size_t bytes,
		     uint8_t ret[VALUE_BYTES]);

/* The same if a carrier gives its operands to every division of a chain. */
void values_restored(struct variant_list *ret);

/* Store a 32-bit little-endian word of code. */
void values_put32(unsigned char *code, uint32_t word);

#endif
