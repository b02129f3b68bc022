/* AArch64: where SVE accesses memory, from the names and operands of forms.
 * QEMU 7.2 reports no access of contiguous, structure and gather forms to its
 * plugins.
 *
 *	LD1SB_H_IMM	prefix, size in memory (B), size in registers (H)
 *	GLD1W_D_SXTW_SCALED */
#include <string.h>

#include "host/isa/aarch64.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"

enum { DATA, PREDICATE, FIRST, SECOND };

enum kind { CONTIGUOUS, REPLICATED, GATHERED };

static const struct prefix {
	const char *text;
	uint8_t kind;
	uint8_t n; /* registers; or bytes that are replicated */
	bool store;
} prefixes[] = {
	{ "GLDFF1", GATHERED, 1, false },
	{ "GLD1", GATHERED, 1, false },
	{ "SST1", GATHERED, 1, true },
	{ "LDFF1", CONTIGUOUS, 1, false },
	{ "LDNF1", CONTIGUOUS, 1, false },
	{ "LDNT1", CONTIGUOUS, 1, false },
	{ "STNT1", CONTIGUOUS, 1, true },
	{ "LD1RQ_", REPLICATED, 16, false },
	{ "LD1RO_", REPLICATED, 32, false },
	{ "LD1", CONTIGUOUS, 1, false },
	{ "LD2", CONTIGUOUS, 2, false },
	{ "LD3", CONTIGUOUS, 3, false },
	{ "LD4", CONTIGUOUS, 4, false },
	{ "ST1", CONTIGUOUS, 1, true },
	{ "ST2", CONTIGUOUS, 2, true },
	{ "ST3", CONTIGUOUS, 3, true },
	{ "ST4", CONTIGUOUS, 4, true },
};

static const struct prefix *find_prefix(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (strncmp(name, prefixes[i].text, strlen(prefixes[i].text)) ==
		    0)
			return &prefixes[i];
	return NULL;
}

/* Size in bytes of a letter; 0: another letter. */
static unsigned size_of(char letter)
{
	return letter == 'B'   ? 1
	       : letter == 'H' ? 2
	       : letter == 'W' ? 4
	       : letter == 'D' ? 8
			       : 0;
}

/* A letter after an underscore, at the end or before another one. */
static bool has_part(const char *text, const char *part)
{
	const char *at = strstr(text, part);
	size_t n = strlen(part);

	return at && (at[n] == '\0' || at[n] == '_');
}

unsigned aarch64_broadcast_bytes(const char *name)
{
	const char *at = name + strlen("LD1R");

	return size_of(at[*at == 'S']);
}

/* Both sizes of an element; false: a form of another kind. */
static bool read_sizes(const char *rest, struct guest_state *ret)
{
	unsigned memory;

	if (*rest == 'S' && size_of(rest[1]))
		rest++;
	memory = size_of(*rest++);
	if (memory == 0 || (*rest != '\0' && *rest != '_') ||
	    has_part(rest, "_Q") || has_part(rest, "_2Z") ||
	    has_part(rest, "_4Z"))
		return false;
	ret->memory_bytes = (uint8_t)memory;
	ret->element_bytes = (uint8_t)(has_part(rest, "_D")   ? 8
				       : has_part(rest, "_S") ? 4
				       : has_part(rest, "_H") ? 2
							      : memory);
	return true;
}

static uint8_t gpr(const struct catalogue *c, uint16_t reg)
{
	const struct reg *r = &c->regs[reg];

	return reg == REG_NONE || strcmp(r->name, "XZR") == 0
		       ? GUEST_NONE
		       : (uint8_t)(strcmp(r->name, "SP") == 0 ? 31 : r->index);
}

static uint8_t log2_of(unsigned n)
{
	return (uint8_t)__builtin_ctz(n);
}

static void gathered(const struct catalogue *c, const struct instance *i,
		     struct guest_state *ret)
{
	const char *name = i->form->name;
	bool extended = strstr(name, "XTW") != NULL;

	ret->address_bits = (uint8_t)(8 * ret->element_bytes);
	if (strstr(name, "_IMM")) {
		ret->addresses = c->regs[i->reg[FIRST]].index;
		ret->displacement =
			(int32_t)(i->imm[SECOND] * ret->memory_bytes);
	} else if (strstr(name, "_ZZR")) {
		ret->addresses = c->regs[i->reg[FIRST]].index;
		ret->base = gpr(c, i->reg[SECOND]);
	} else {
		ret->base = gpr(c, i->reg[FIRST]);
		ret->addresses = c->regs[i->reg[SECOND]].index;
		ret->address_bits = extended ? 32 : 64;
		ret->address_signed = strstr(name, "SXTW") != NULL;
		if (strstr(name, "_SCALED"))
			ret->address_shift = log2_of(ret->memory_bytes);
	}
	ret->early =
		!ret->store && c->regs[i->reg[DATA]].index == ret->addresses;
}

static void contiguous(const struct catalogue *c, const struct instance *i,
		       const struct prefix *p, struct guest_state *ret)
{
	const char *name = i->form->name;
	bool number = strstr(name, "_IMM") || strstr(name, "_ZRI");

	ret->base = gpr(c, i->reg[FIRST]);
	if (!number) {
		ret->index = gpr(c, i->reg[SECOND]);
		ret->index_shift = log2_of(ret->memory_bytes);
	} else if (p->kind == REPLICATED) {
		ret->displacement = (int64_t)i->imm[SECOND] * p->n;
	} else {
		ret->vectors = (int16_t)(i->imm[SECOND] * p->n);
	}
	if (p->kind == REPLICATED)
		ret->limit_bytes = p->n;
	else
		ret->n_registers = p->n;
}

bool aarch64_guest_state(const struct catalogue *c, const struct instance *i,
			 struct guest_state *ret)
{
	const struct prefix *p = find_prefix(i->form->name);

	if (!p || i->form->n_explicit <= SECOND ||
	    c->regs[i->reg[PREDICATE]].bank != BANK_MASK)
		return false;
	*ret = (struct guest_state){
		.base = GUEST_NONE,
		.index = GUEST_NONE,
		.addresses = GUEST_NONE,
		.mask = c->regs[i->reg[PREDICATE]].index,
		.n_registers = 1,
		.store = p->store,
	};
	if (!read_sizes(i->form->name + strlen(p->text), ret))
		return false;
	if (p->kind == GATHERED || strstr(i->form->name, "_ZZR"))
		gathered(c, i, ret);
	else
		contiguous(c, i, p, ret);
	return true;
}
