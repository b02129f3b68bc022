/* Fused multiply-adds whose latency depends on their numbers; see sim.h.
 *
 * Some multipliers end early where a factor is zero, infinite or no number, so
 * a chain costs what its values happen to be.  RISC-V's scalar forms are
 * computed here. */
#include <math.h>
#include <string.h>

#include "host/fake/op.h"
#include "host/fake/sim.h"
#include "host/isa/match.h"

static const struct name_rule fuses[] = {
	{ NAMES("FMADD_*"), FAKE_FUSES },
	{ NAMES("FMSUB_*"), FAKE_FUSES | FAKE_SUBTRACTS },
	{ NAMES("FNMSUB_*"), FAKE_FUSES | FAKE_NEGATES },
	{ NAMES("FNMADD_*"), FAKE_FUSES | FAKE_NEGATES | FAKE_SUBTRACTS },
};

unsigned fake_fuse_of(const struct form *f)
{
	if (f->domain != DOMAIN_FP32 && f->domain != DOMAIN_FP64)
		return 0;
	return (unsigned)name_rule(fuses, ARRAY_LEN(fuses), f->name, 0) |
	       (f->domain == DOMAIN_FP32 ? FAKE_SINGLE : 0);
}

static double number_of(uint64_t bits, bool single)
{
	float f32;
	double f64;

	if (!single) {
		memcpy(&f64, &bits, sizeof(f64));
		return f64;
	}
	memcpy(&f32, &bits, sizeof(f32));
	return (double)f32;
}

static uint64_t bits_of(double x, bool single)
{
	float f32 = (float)x;
	uint64_t bits = UINT64_MAX;

	if (single)
		memcpy(&bits, &f32, sizeof(f32));
	else
		memcpy(&bits, &x, sizeof(x));
	return bits;
}

/* The three floats that an op reads; false if one is not known. */
static bool read_sources(const struct fake_simulator *s,
			 const struct fake_op *op, double ret[3])
{
	size_t n = 0;

	for (size_t k = 0; k < op->n_src && n < 3; k++) {
		const struct fake_value *v = &s->value[op->src[k].slot];

		if (op->src[k].slot / FAKE_BANK_SLOTS != BANK_FP)
			continue;
		if (!v->known)
			return false;
		ret[n++] = number_of(v->id, op->fuse & FAKE_SINGLE);
	}
	return n == 3;
}

bool fake_floats_are_idle(const struct fake_simulator *s,
			  const struct fake_op *op)
{
	double x[3];

	if (!read_sources(s, op, x))
		return false;
	for (size_t k = 0; k < 2; k++)
		if (fpclassify(x[k]) != FP_NORMAL &&
		    fpclassify(x[k]) != FP_SUBNORMAL)
			return true;
	return false;
}

bool fake_floats_fuse(const struct fake_simulator *s, const struct fake_op *op,
		      struct fake_value *ret)
{
	bool single = op->fuse & FAKE_SINGLE;
	double x[3];

	if (!(op->fuse & FAKE_FUSES) || !read_sources(s, op, x))
		return false;
	if (op->fuse & FAKE_NEGATES)
		x[0] = -x[0];
	if (op->fuse & FAKE_SUBTRACTS)
		x[2] = -x[2];
	*ret = (struct fake_value){
		.id = bits_of(single ? (double)fmaf((float)x[0], (float)x[1],
						    (float)x[2])
				     : fma(x[0], x[1], x[2]),
			      single),
		.known = true,
	};
	return true;
}
