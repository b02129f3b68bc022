/* Chains of fused multiply-adds keep to normal numbers, on every instruction
 * set: each is computed here, whichever of its sources is the one that is added
 * and whatever the signs.  A factor of zero, an infinity or a NaN takes some
 * cores fewer cycles, and a denormal more. */
#include <math.h>

#include "host/gen/assign.h"
#include "host/gen/initial.h"
#include "tests/unit/peers.h"
#include "tests/unit/unit.h"

enum {
	SOURCES = 3,
	SIGNS = 4,
	MEMORY_SLOT = 64, /* behind 32 registers of two banks */
	SLOTS,
};

/* The precision of a domain: bits of the significand, and the least exponent of
 * frexp(). */
static const struct {
	int bits, least, most;
} precisions[DOMAIN_N] = {
	[DOMAIN_FP16] = { 11, -13, 16 },
	[DOMAIN_FP32] = { 24, -125, 128 },
	[DOMAIN_FP64] = { 53, -1021, 1024 },
};

static double decode(enum form_domain d, const void *bytes)
{
	double f64;
	float f32;
	uint16_t f16;

	if (d == DOMAIN_FP64) {
		memcpy(&f64, bytes, sizeof(f64));
		return f64;
	}
	if (d == DOMAIN_FP32) {
		memcpy(&f32, bytes, sizeof(f32));
		return (double)f32;
	}
	memcpy(&f16, bytes, sizeof(f16));
	return ldexp(1 + (f16 & 1023) / 1024.0, (f16 >> 10 & 31) - 15);
}

/* Is it a normal number of this precision? */
static bool is_kept(enum form_domain d, double x)
{
	int exponent;

	if (!isfinite(x) || fpclassify(x) != FP_NORMAL)
		return false;
	(void)frexp(x, &exponent);
	return exponent >= precisions[d].least &&
	       exponent <= precisions[d].most;
}

static double fuse(enum form_domain d, double x, double y, double z)
{
	int exponent;
	double r;

	if (d == DOMAIN_FP64)
		return fma(x, y, z);
	if (d == DOMAIN_FP32)
		return (double)fmaf((float)x, (float)y, (float)z);
	/* The sum of a product of 22 bits is exact, or far above it. */
	r = frexp(fma(x, y, z), &exponent);
	return ldexp(nearbyint(ldexp(r, precisions[d].bits)),
		     exponent - precisions[d].bits);
}

/* The sources and the result of each instance, as slots. */
struct fused_chain {
	size_t n; /* instances */
	uint8_t source[ASSIGN_MAX_PERIOD][SOURCES], result[ASSIGN_MAX_PERIOD];
	double start[SLOTS];
	enum form_domain domain;
};

static int slot_of(const struct catalogue *c, uint16_t reg)
{
	const struct reg *r = &c->regs[reg];

	if (reg == REG_NONE || (r->bank != BANK_FP && r->bank != BANK_VECTOR) ||
	    r->index >= MEMORY_SLOT / 2)
		return -1;
	return r->index + (r->bank == BANK_FP ? MEMORY_SLOT / 2 : 0);
}

/* False: not of three sources. */
static bool read_instance(const struct catalogue *c, const struct instance *in,
			  uint8_t source[SOURCES], uint8_t *result)
{
	const struct form *f = in->form;
	size_t n = 0;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		int slot = slot_of(c, in->reg[i]);

		if (o->kind != OPERAND_REG || slot < 0)
			continue;
		if (o->write)
			*result = (uint8_t)slot;
		if (o->read && n == SOURCES)
			return false;
		if (o->read)
			source[n++] = (uint8_t)slot;
	}
	if (f->access && n == SOURCES - 1)
		source[n++] = MEMORY_SLOT;
	return n == SOURCES;
}

static bool read_chain(const struct catalogue *c, const struct experiment *x,
		       struct fused_chain *ret)
{
	struct assigned a;
	struct pack_image image;
	struct err e = { .code = ERR_OK, .message = "" };

	if (assign_registers(c, x, 24, &a, &e) != ERR_OK ||
	    initial_image(c, x, &a, &image, &e) != ERR_OK)
		return false;
	*ret = (struct fused_chain){ .n = a.period,
				     .domain = x->steps[0].form->domain };
	for (size_t i = 0; i < MEMORY_SLOT / 2; i++) {
		ret->start[i] = decode(ret->domain, image.vector[i]);
		ret->start[MEMORY_SLOT / 2 + i] =
			decode(ret->domain, &image.fp[i]);
	}
	ret->start[MEMORY_SLOT] = decode(ret->domain, image.memory);
	for (size_t op = 0; op < a.period; op++)
		if (!read_instance(c, &a.instances[op][0], ret->source[op],
				   &ret->result[op]))
			return false;
	return true;
}

/* Run the chain with this source added and these signs of product and sum;
 * ops until a result is no normal number, or `most`. */
static size_t run_chain(const struct fused_chain *t, size_t added,
			unsigned signs, size_t most)
{
	double v[SLOTS];

	memcpy(v, t->start, sizeof(v));
	for (size_t i = 0; i < most; i++) {
		const uint8_t *s = t->source[i % t->n];
		double x = v[s[(added + 1) % SOURCES]];
		double y = v[s[(added + 2) % SOURCES]], z = v[s[added]];
		double r = fuse(t->domain, signs & 1 ? -x : x, y,
				signs & 2 ? -z : z);

		if (!is_kept(t->domain, r))
			return i;
		v[t->result[i % t->n]] = r;
	}
	return most;
}

static size_t check_chain(const struct catalogue *c, const struct experiment *x)
{
	/* More than any run: a sum of two grows out of range in 1,500. */
	enum { MOST = 3000 };
	struct fused_chain t;

	if (!read_chain(c, x, &t))
		return 0;
	for (size_t i = 0; i < SOURCES * SIGNS; i++) {
		size_t n = run_chain(&t, i / SIGNS, i % SIGNS, MOST);
		char label[PACK_MAX_LABEL];
		struct err e = { 0 };

		if (n == MOST)
			continue;
		(void)experiment_label(c, x, label, &e);
		fail_msg("%s leaves the normal numbers after %zu ops", label,
			 n);
	}
	return 1;
}

TEST(chains_keep_to_normal_numbers)
{
	static const struct {
		const char *isa, *forms;
		size_t least; /* chains */
	} rows[] = {
		{ "x86_64",
		  "^VFN?M(ADD|SUB)(SUB|ADD)?(132|213|231)[PS][SDH][YZ]?"
		  "(128|256)?[rm](_Int|k)?$",
		  400 },
		{ "aarch64",
		  "^(FN?M(ADD|SUB)[HSD]rrr|FML[AS]v.*|FN?(ML[AS]|MAD|MSB)_ZP"
		  ".*)$",
		  100 },
		{ "riscv64",
		  "^(FN?M(ADD|SUB)_[SDH](/.*)?|VFN?M(ACC|SAC|ADD|SUB)_V[VF]/"
		  "e[0-9]+,m1)$",
		  100 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct all w = plan_of(rows[i].isa, rows[i].forms);
		size_t n = 0;

		for (size_t k = 0; k < w.n; k++)
			if (w.list[k].kind != EXPERIMENT_MIX &&
			    w.list[k].steps[0].form->domain != DOMAIN_INT &&
			    w.list[k].n_steps == 1)
				n += check_chain(w.c, &w.list[k]);
		if (n < rows[i].least)
			fail_msg("%s: %zu chains", rows[i].isa, n);
	}
}
