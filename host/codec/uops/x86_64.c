/* x86-64 instructions as uops.info spells them: ADD_01, SHL ... CL, CMOVZ,
 * VADDPD_EVEX_ER_Z.  Its names are Intel's, one for each condition and one for
 * all comparisons, with a mark for each difference of encoding. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/codec/uops/spelling.h"
#include "host/isa/match.h"

enum { ROOM = UOPS_SPELLING_ROOM };

const struct uops_cpu_name uops_cpus[] = {
	{ "nehalem", "NHM" },        { "westmere", "WSM" },
	{ "sandybridge", "SNB" },    { "ivybridge", "IVB" },
	{ "haswell", "HSW" },        { "broadwell", "BDW" },
	{ "skylake", "SKL" },        { "skylake-avx512", "SKX" },
	{ "cannonlake", "CNL" },     { "cascadelake", "CLX" },
	{ "icelake-client", "ICL" }, { "tigerlake", "TGL" },
	{ "rocketlake", "RKL" },     { "alderlake", "ADL-P" },
	{ "znver1", "ZEN+" },        { "znver2", "ZEN2" },
	{ "znver3", "ZEN3" },        { "znver4", "ZEN4" },
	{ "znver5", "ZEN5" },        { NULL, NULL },
};

static bool starts(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static bool ends(const char *text, const char *word)
{
	size_t n = strlen(text), k = strlen(word);

	return n >= k && strcmp(text + n - k, word) == 0;
}

static void uops_mark(struct uops_spelling *s, const char *mark)
{
	size_t n = strlen(s->marks);

	(void)snprintf(s->marks + n, ROOM - n, "%s", mark);
}

static void mark_twin(struct uops_spelling *s, const char *mark)
{
	(void)snprintf(s->twin, ROOM, "%s", mark);
}

/* Length of the opcode's name before its operands: VADDPD of VADDPDZ128rr. */
static size_t stem(const char *name)
{
	size_t n = 0;

	while (isupper((unsigned char)name[n]) ||
	       isdigit((unsigned char)name[n]))
		n++;
	for (size_t i = 1; i < n; i++)
		if (starts(name + i, "Z128") || starts(name + i, "Z256"))
			return i;
	return n > 1 && (name[n - 1] == 'Z' || name[n - 1] == 'Y') ? n - 1 : n;
}

/* CMOVE: CMOVZ.  The condition is an operand of LLVM's opcode. */
static void name_condition(const struct form *f, struct uops_spelling *s)
{
	static const char *const kinds[][2] = {
		{ "JCC_", "J" },
		{ "SETCC", "SET" },
		{ "CMOV", "CMOV" },
	};
	static const char *const names[][2] = {
		{ "AE", "NB" }, { "E", "Z" },   { "NE", "NZ" },
		{ "A", "NBE" }, { "GE", "NL" }, { "G", "NLE" },
	};

	if (starts(f->name, "CMOV") && !isdigit((unsigned char)f->name[4]))
		return;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		char *condition = s->name + strlen(kinds[i][1]);

		if (!starts(f->name, kinds[i][0]) ||
		    !starts(s->name, kinds[i][1]))
			continue;
		s->without_last = true;
		for (size_t k = 0; k < ARRAY_LEN(names); k++)
			if (strcmp(condition, names[k][0]) == 0) {
				(void)snprintf(condition, sizeof("NBE"), "%s",
					       names[k][1]);
				return;
			}
	}
}

static void rename_some(const struct form *f, struct uops_spelling *s)
{
	static const char *const comparisons[] = {
		"CMPP*i*",   "CMPSDr*i*", "CMPSSr*i*", "VCMPP*i*",
		"VCMPS*i*",  "VPCMPB*i*", "VPCMPU*i*", "VPCMPW*i*",
		"VPCMPD*i*", "VPCMPQ*i*", NULL,
	};
	static const char *const rows[][3] = {
		{ "MOV64*", "MOVABS", "MOV" },
		{ "CALL64*", "CALL", "CALL_NEAR" },
		{ "RET*", "RET", "RET_NEAR" },
		{ "CMPSDr*", "CMPSD", "CMPSD_XMM" },
		{ "MOVSDrm*", "MOVSD", "MOVSD_XMM" },
		{ "MOVSDmr*", "MOVSD", "MOVSD_XMM" },
		{ "MOVSDrr*", "MOVSD", "MOVSD_XMM" },
	};

	if (name_matches_any(comparisons, f->name))
		(void)snprintf(s->name, ROOM, "%.*s", (int)stem(f->name),
			       f->name);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (name_matches(rows[i][0], f->name) &&
		    strcmp(s->name, rows[i][1]) == 0) {
			(void)snprintf(s->name, ROOM, "%s", rows[i][2]);
			break;
		}
}

/* Twins that have other names in LLVM. */
static void name_twins(const struct form *f, struct uops_spelling *s)
{
	static const char *const rows[][2] = {
		{ "IMUL*rri8", "_IMMB" },       { "IMUL*rri*", "_IMMZ" },
		{ "SHLD*rrCL", "_CL" },         { "SHRD*rrCL", "_CL" },
		{ "SHLD*rri8", "_IMMB" },       { "SHRD*rri8", "_IMMB" },
		{ "MOVZPQILo2PQIrr", "_0F7E" }, { "MOVPQI2QIrr", "_0FD6" },
		{ "VMOVZPQILo2PQIrr", "_7E" },  { "VMOVPQI2QIrr", "_D6" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows) && *s->twin == '\0'; i++)
		if (name_matches(rows[i][0], f->name))
			mark_twin(s, rows[i][1]);
}

/* LLVM has the register before the memory that it is exchanged with, and a byte
 * of the line that is prefetched or flushed. */
static void describe_memory(const struct form *f, struct uops_spelling *s)
{
	enum { LINE = 512 };

	s->memory_first = name_matches_any(
		NAMES("XADD#rm", "LXADD#", "XCHG#rm"), f->name);
	if (name_matches_any(NAMES("PREFETCH*", "CLFLUSH*"), f->name))
		s->memory_bits = LINE;
}

/* Shifts by 1 and by CL, which are no operands of LLVM's opcodes. */
static void add_count(const struct form *f, struct uops_spelling *s)
{
	if (!name_matches_any(NAMES("SH*", "SAR*", "RO*", "RC*"), f->name))
		return;
	if (ends(f->name, "CL"))
		s->last = "CL";
	else if (ends(f->name, "r1") || ends(f->name, "m1"))
		s->last = "1";
}

/* LEA64r/r64,r64x2,disp8: LEA_B_IS_D8. */
static void add_address(const struct form *f, struct uops_spelling *s)
{
	static const char *const rows[][2] = {
		{ "rip", "_R" },
		{ "disp8", "_D8" },
		{ "disp32", "_D32" },
	};
	const char *part = strchr(f->name, '/');
	bool base = false;

	if (!starts(f->name, "LEA") || !part)
		return;
	s->only_first = true;
	while (part) {
		size_t n = strcspn(++part, ",");
		bool named = false;

		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			if (strlen(rows[i][0]) == n &&
			    starts(part, rows[i][0])) {
				uops_mark(s, rows[i][1]);
				named = true;
			}
		if (!named) {
			bool scaled = memchr(part, 'x', n) != NULL;

			uops_mark(s, scaled ? "_IS" : base ? "_I" : "_B");
			base = true;
		}
		part = strchr(part, ',');
	}
}

/* Is there an instruction of this name in an older encoding? */
static bool has_older(const struct catalogue *c, const struct form *f)
{
	static const char *const operands[] = {
		"rr",     "rm",  "ri",   "rri",    "mr",    "r",       "m",
		"rr_Int", "Yrr", "Yrm",  "Yri",    "Yr",    "Ym",      "128rr",
		"128rm",  "rrr", "Yrri", "rm_Int", "r_Int", "rri_Int",
	};
	char name[ISA_NAME_ROOM];

	for (size_t i = 0; i < ARRAY_LEN(operands); i++) {
		(void)snprintf(name, sizeof(name), "%.*s%s", (int)stem(f->name),
			       f->name, operands[i]);
		if (catalogue_form(c, name))
			return true;
	}
	return false;
}

static bool has_register(const struct catalogue *c, const struct form *f,
			 enum reg_bank bank, unsigned bits)
{
	for (int i = 0; i < f->n_explicit; i++) {
		uint16_t k = f->operands[i].reg_class;

		if (f->operands[i].kind == OPERAND_REG && k < c->n_classes &&
		    c->classes[k].bank == bank && c->classes[k].bits >= bits)
			return true;
	}
	return false;
}

/* The marks of EVEX: without a mask where an older encoding has the name, a
 * rounding of its own, zeroes where the mask is clear. */
static void add_marks(const struct catalogue *c, const struct form *f,
		      const char *text, bool evex, struct uops_spelling *s)
{
	enum { WIDEST = 512 };

	if (evex && !strstr(text, "{k") &&
	    !has_register(c, f, BANK_VECTOR, WIDEST) && has_older(c, f))
		uops_mark(s, "_EVEX");
	if (strstr(text, "-sae}")) {
		uops_mark(s, "_ER");
		s->without_last = true;
	} else if (strstr(text, "{sae}")) {
		uops_mark(s, "_SAE");
	}
	if (strstr(text, "{z}"))
		uops_mark(s, "_Z");
}

enum { EVEX = 0x62 };

/* The opcode in hexadecimal: behind prefixes, REX or VEX; with its escape. */
static void opcode_text(const unsigned char *code, size_t n, char ret[ROOM])
{
	static const unsigned char prefixes[] = { 0x66, 0x67, 0xf2, 0xf3 };
	size_t i = 0;

	while (i < n && (memchr(prefixes, code[i], sizeof(prefixes)) ||
			 (code[i] & 0xf0) == 0x40)) /* REX */
		i++;
	if (i < n && (code[i] == 0xc5 || code[i] == 0xc4)) /* VEX */
		i += code[i] == 0xc5 ? 2 : 3;
	if (i + 1 < n && code[i] == 0x0f)
		(void)snprintf(ret, ROOM, "_0F%02X", code[i + 1]);
	else
		(void)snprintf(ret, ROOM, "_%02X", i < n ? code[i] : 0);
}

/* Two opcodes that do the same: ADD_01 and ADD_03. */
static void add_opcode(const struct catalogue *c, const struct form *f,
		       const unsigned char *code, size_t n,
		       struct uops_spelling *s)
{
	char twin[ISA_NAME_ROOM];

	(void)snprintf(twin, sizeof(twin), "%s_REV", f->name);
	if (n == 0 || *s->marks != '\0' || name_matches("*Z*", f->name + 1) ||
	    (!ends(f->name, "_REV") && !catalogue_form(c, twin)))
		return;
	opcode_text(code, n, s->twin);
}

void uops_spell(const struct catalogue *c, const struct form *f,
		const char *text, const unsigned char *code, size_t n,
		struct uops_spelling *s)
{
	s->far = ends(f->name, "_4") || name_matches("CALL*pcrel32", f->name);
	name_condition(f, s);
	rename_some(f, s);
	add_count(f, s);
	add_address(f, s);
	add_marks(c, f, text, n > 0 && *code == EVEX && *f->name == 'V', s);
	add_opcode(c, f, code, n, s);
	name_twins(f, s);
	describe_memory(f, s);
}
