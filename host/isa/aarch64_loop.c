/* AArch64: analysis of compiled loops. */
#include <string.h>

#include "host/isa/aarch64.h"
#include "host/isa/instance.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"

/* Bytes that OSACA documents as a marker after `mov x1, 111`. */
static const unsigned char marker[] = { 213, 3, 32, 31 };

static bool is_zero_register(const struct catalogue *c, uint16_t reg)
{
	return reg != REG_NONE && strcmp(c->regs[reg].name, "XZR") == 0;
}

static const struct name_rule rules[] = {
	{ NAMES("*BB*"), 1 },
	{ NAMES("*HH*"), 2 },
	{ NAMES("*SBW*", "*SBX*"), 1 },
	{ NAMES("*SHW*", "*SHX*"), 2 },
	{ NAMES("*SW*"), 4 },
	{ NAMES("*B*"), 1 },
	{ NAMES("*H*"), 2 },
	{ NAMES("*S*"), 4 },
	{ NAMES("*D*"), 8 },
	{ NAMES("*Q*"), 16 },
	{ NAMES("*W*"), 4 },
	{ NAMES("*X*"), 8 },
};

static unsigned access_size(const char *name)
{
	static const char *const stems[] = { "LDUR", "STUR", "LDNP", "STNP",
					     "LDR",  "STR",  "LDP",  "STP" };

	for (size_t i = 0; i < ARRAY_LEN(stems); i++)
		if (strncmp(name, stems[i], strlen(stems[i])) == 0)
			return (unsigned)name_rule(rules, ARRAY_LEN(rules),
						   name + strlen(stems[i]), 0);
	return 0;
}

static bool is_pair(const char *name)
{
	return strncmp(name + 2, "P", 1) == 0 ||
	       strncmp(name + 2, "NP", 2) == 0;
}

static int last_index(const struct instance *i)
{
	return i->form->n_explicit - 1;
}

/* The operand before the displacement is the base. */
static bool address(const struct catalogue *c, const struct instance *i,
		    struct isa_address *ret)
{
	const char *name = i->form->name;
	unsigned bytes = access_size(name);
	int last = last_index(i);
	int64_t imm = i->imm[last];

	(void)c;
	if (bytes == 0 || last < 1)
		return false;
	*ret = (struct isa_address){
		.base = last - 1,
		.index = -1,
		.scale = 1,
		.bytes = is_pair(name) ? 2 * bytes : bytes,
	};
	if (name_matches("*roX", name) || name_matches("*roW", name)) {
		ret->base = last - 3;
		ret->index = last - 2;
		ret->scale = imm ? (int64_t)bytes : 1;
		return last >= 3;
	}
	if (name_matches("*post", name))
		ret->before = true;
	else if (name_matches("*pre", name) && !is_pair(name))
		ret->displacement = imm;
	else if (name_matches("*ui", name) || is_pair(name))
		ret->displacement = imm * (int64_t)bytes;
	else
		ret->displacement = imm;
	return name_matches("*i", name) || ret->before ||
	       name_matches("*pre", name);
}

static bool step_write_back(const struct instance *i, struct isa_step *ret)
{
	const char *name = i->form->name;
	int last = last_index(i);
	unsigned bytes = access_size(name);

	if (bytes == 0 || last < 2 ||
	    (!name_matches("*post", name) && !name_matches("*pre", name)))
		return false;
	*ret = (struct isa_step){
		.written = 0,
		.source = i->reg[last - 1],
		.add = i->imm[last] * (is_pair(name) ? (int64_t)bytes : 1),
	};
	return true;
}

static bool aarch64_loop_step(const struct catalogue *c,
			      const struct instance *i, struct isa_step *ret)
{
	const char *name = i->form->name;
	bool add = name_matches("ADD*Xri", name);
	bool sub = name_matches("SUB*Xri", name);

	if (step_write_back(i, ret))
		return true;
	*ret = (struct isa_step){ .source = i->reg[1] };
	if (add || sub) {
		ret->add = i->imm[2] * (add ? 1 : -1);
		/* imm12, or shifted by 12 */
		ret->add = i->imm[3] ? ret->add * 4096 : ret->add;
		return true;
	}
	if (strcmp(name, "ORRXrs") == 0 && is_zero_register(c, i->reg[1]) &&
	    i->imm[3] == 0) {
		ret->source = i->reg[2];
		return true;
	}
	return false;
}

static bool jump(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	enum { WORD = 4 };

	(void)c;
	(void)n_code;
	if (!name_matches_any(
		    NAMES("B", "Bcc", "BCcc", "CBZ*", "CBNZ*", "TBZ*", "TBNZ*"),
		    i->form->name))
		return false;
	*ret_offset = i->imm[last_index(i)] * WORD;
	return true;
}

const struct isa_loop aarch64_loop = {
	.comment = "//",
	/* What Apple's assembly has, and compilers' comments in it. */
	.semicolon_marks = NAMES(".subsections_via_symbols", ".build_version",
				 "__TEXT,__text", "; %", "; =", "; --"),
	.marker = marker,
	.n_marker = sizeof(marker),
	.code_unit = 4,
	.zero_gpr = -1,
	.stack_gpr = -1,
	.step = aarch64_loop_step,
	.address = address,
	.jump = jump,
};
