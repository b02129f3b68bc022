/* RISC-V: addresses of T-Head's loads and stores (XTHeadMemIdx, XTHeadFMemIdx,
 * XTHeadMemPair; T-Head extension specification 2.3).
 *
 *	indexed		base + (index << shift)
 *	written back	base, which becomes base + (number << shift); "IB"
 *			accesses the new base, "IA" the old one
 *	pair		base + (number << shift) of two registers; the shift
 *			is 3 for words, 4 for doublewords */
#include "host/isa/riscv64.h"

#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

enum { MOST_SHIFT = 7 };

enum shape { INDEXED, WRITTEN_BACK, PAIR };

/* Names in front of the width: "TH_LUR" of "TH_LURWU". */
static const struct shape_rule {
	const char *stem;
	uint8_t shape;
	bool load;
} shapes[] = {
	{ "TH_LR", INDEXED, true },     { "TH_LUR", INDEXED, true },
	{ "TH_FLR", INDEXED, true },    { "TH_FLUR", INDEXED, true },
	{ "TH_SR", INDEXED, false },    { "TH_SUR", INDEXED, false },
	{ "TH_FSR", INDEXED, false },   { "TH_FSUR", INDEXED, false },
	{ "TH_L", WRITTEN_BACK, true }, { "TH_S", WRITTEN_BACK, false },
	{ "TH_L", PAIR, true },         { "TH_S", PAIR, false },
};

/* What follows width and sign. */
static bool ends_as(const char *end, enum shape shape)
{
	static const char *const ends[][2] = {
		[INDEXED] = { "", "" },
		[WRITTEN_BACK] = { "IA", "IB" },
		[PAIR] = { "D", "D" },
	};

	return strcmp(end, ends[shape][0]) == 0 ||
	       strcmp(end, ends[shape][1]) == 0;
}

/* The rule of a name, NULL if there is none; *bytes of one register. */
static const struct shape_rule *rule_of(const char *name, unsigned *bytes)
{
	static const char widths[] = "BHWD";

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		const char *at = name + strlen(shapes[i].stem), *width;

		if (strncmp(name, shapes[i].stem, strlen(shapes[i].stem)) != 0)
			continue;
		width = *at ? strchr(widths, *at) : NULL;
		if (!width)
			continue;
		at += 1 + (at[1] == 'U' && shapes[i].load);
		if (!ends_as(at, (enum shape)shapes[i].shape))
			continue;
		*bytes = 1u << (width - widths);
		return &shapes[i];
	}
	return NULL;
}

/* The operand of the base: behind the data, and the new base. */
static int base_of(const struct shape_rule *r)
{
	return r->shape == INDEXED ? 1 : 2;
}

/* The number behind the base, shifted by the one behind it. */
static int64_t number_of(const struct instance *i, int base)
{
	return (int64_t)((uint64_t)i->imm[base + 1]
			 << (i->imm[base + 2] & MOST_SHIFT));
}

/* Shift of a pair's number, which LLVM has as an operand. */
static int64_t pair_shift(unsigned bytes)
{
	enum { WORDS = 3, DOUBLEWORDS = 4, WORD_BYTES = 4 };

	return bytes == WORD_BYTES ? WORDS : DOUBLEWORDS;
}

bool riscv64_thead_open(struct form *f, struct operand *ops)
{
	unsigned bytes;
	const struct shape_rule *r = rule_of(f->name, &bytes);
	int base;

	if (!r)
		return false;
	base = base_of(r);
	operand_part(&ops[base], ROLE_BASE);
	operand_part(&ops[base + 1],
		     r->shape == INDEXED ? ROLE_INDEX : ROLE_OTHER);
	operand_part(&ops[base + 2], ROLE_OTHER);
	if (r->shape != INDEXED)
		operand_pin(&ops[base + 1], 0);
	operand_pin(&ops[base + 2], r->shape == PAIR ? pair_shift(bytes) : 0);
	f->access = r->load ? ACCESS_LOAD : ACCESS_STORE;
	return true;
}

bool riscv64_thead_address(const struct instance *i, struct isa_address *ret)
{
	unsigned bytes;
	const struct shape_rule *r = rule_of(i->form->name, &bytes);
	int base;

	if (!r)
		return false;
	base = base_of(r);
	*ret = (struct isa_address){
		.base = base,
		.index = -1,
		.scale = 1,
		.bytes = r->shape == PAIR ? 2 * bytes : bytes,
	};
	if (r->shape == INDEXED) {
		ret->index = base + 1;
		ret->scale = (int64_t)1 << (i->imm[base + 2] & MOST_SHIFT);
	} else if (strstr(i->form->name, "IA")) {
		ret->before = true;
	} else {
		ret->displacement = number_of(i, base);
	}
	return true;
}

bool riscv64_thead_step(const struct instance *i, struct isa_step *ret)
{
	unsigned bytes;
	const struct shape_rule *r = rule_of(i->form->name, &bytes);

	if (!r || r->shape != WRITTEN_BACK)
		return false;
	*ret = (struct isa_step){
		.written = r->load ? 1 : 0,
		.source = i->reg[base_of(r)],
		.add = number_of(i, base_of(r)),
	};
	return true;
}
