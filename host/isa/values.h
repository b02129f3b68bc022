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

/* Is it a fused multiply-add of the usual values? */
bool values_fused(const struct form *form);

/* Fill the vector and float registers with a number of the form's type that no
 * chain of fused multiply-adds changes, but for its sign. */
void values_fill_fused(const struct form *form, struct pack_image *image);

/* isa.operand_value for operands that do not start with the values of
 * values_fill_family(): the sources of denormal products that are 1.0, and the
 * last source of a difference, 1.5.  False for all others. */
bool values_operand(const struct form *form, int operand, enum reg_bank bank,
		    uint8_t ret[VALUE_BYTES]);

/* Why a chain of the form through this source does not keep the values of the
 * form's family: the product or quotient overwrites its other source, which
 * then comes from the chain, too.  NULL: it keeps them. */
const char *values_forgets(const struct form *form, int src);

/* Consecutive instances of a division or root have different operands.  *ret is
 * the k-th operand, NaN-boxed into 64 bits.  False for integers and for
 * families with one number. */
bool values_float(const struct form *form, unsigned k, uint64_t *ret);

/* Zero of the domain's type, NaN-boxed. */
uint64_t values_boxed_zero(enum form_domain domain);

/* Fill `ret` with elements of `bytes` bytes: 0, step, twice step ... */
void values_steps(size_t bytes, size_t step, uint8_t ret[VALUE_BYTES]);

/* Fill `ret` with copies of the low `bytes` bytes of `value`. */
void values_repeat(uint64_t value, size_t bytes, uint8_t ret[VALUE_BYTES]);

/* variant_rule.when: does the form compute on floats? */
bool values_floats(const struct catalogue *c, const struct form *form,
		   const struct variant *v);

/* Variants of every instruction set: floats that cores may treat apart. */
extern const struct variant_rule values_rules[];

/* Rows for the variants fast and slow of a division; `names` and `when` as in
 * VARIANT().  The chain keeps the operands of each, or goes through a carrier
 * that restores them.  DIVISIONS_ALONE(): the slow one has no latency, as the
 * results of a chain would become zero. */
#define DIVISIONS(names, when) \
	VARIANT(names, when, "fast", FAST), VARIANT(names, when, "slow", SLOW)
#define DIVISIONS_ALONE(names, when)               \
	VARIANT(names, when, "fast", FAST),        \
		VARIANT(names, when, "slow", SLOW, \
			.unchained = VALUES_FORGOTTEN)
#define VALUES_FORGOTTEN "a chain does not keep these values"

/* Dividend or divisor, of `bytes` bytes, of these variants.  Slow divides the
 * largest signed number less 1 by 3, fast divides 1 by 1.  False for forms of
 * other families. */
bool values_quotient(const struct form *form, bool dividend, size_t bytes,
		     uint8_t ret[VALUE_BYTES]);

/* Store a 32-bit little-endian word of code. */
void values_put32(unsigned char *code, uint32_t word);

#endif
