/* LLVM's scheduling tables have vector instructions by grouping, some by
 * element width as well, as opcodes of the code generator's:
 *
 *	VADD_VV/e32,m2		PseudoVADD_VV_M2
 *	VDIV_VV/e32,m2,masked	PseudoVDIV_VV_M2_E32_MASK
 *	VFADD_VF/e64,m1		PseudoVFADD_VFPR64_M1_E64
 *	VLUXEI32_V/e16,m1	PseudoVLUXEI32_V_M2_M1: indices, data
 *	VCPOP_M/e8,m1		PseudoVCPOP_M_B8: bits of mask an element */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/riscv64.h"
#include "host/isa/tables.h"
#include "host/isa/variant.h"

struct names {
	char (*list)[ISA_NAME_ROOM];
	size_t n;
	bool masked;
};

/* Suffix by logarithm of the grouping; "" for illegal groupings. */
static const char *group_word(int log)
{
	static const char *const words[] = { "MF8", "MF4", "MF2", "M1",
					     "M2",  "M4",  "M8" };
	enum { LEAST = -3 };

	return log < LEAST || log - LEAST >= (int)ARRAY_LEN(words)
		       ? ""
		       : words[log - LEAST];
}

__attribute__((format(printf, 2, 3))) static void add(struct names *w,
						      const char *format, ...)
{
	char *name = w->list[w->n];
	va_list args;
	int n;

	if (w->n == TABLES_MAX_NAMES)
		return;
	va_start(args, format);
	n = vsnprintf(name, ISA_NAME_ROOM, format, args);
	va_end(args);
	if (n < 0 || n + sizeof("_MASK") > ISA_NAME_ROOM)
		return;
	memcpy(name + n, w->masked ? "_MASK" : "", w->masked ? 6 : 1);
	w->n++;
}

/* The width of indices in the name of an access, or of a gather: "VLUXEI32_V",
 * "VRGATHEREI16_VV"; 0: none. */
static int index_bits(const char *base)
{
	const char *at = strstr(base, "EI");

	return at ? atoi(at + 2) : 0;
}

static void add_tails(struct names *w, const char *base,
		      const struct variant *v)
{
	int sew = riscv64_sew(v), lmul = riscv64_lmul(v);
	int bits = index_bits(base), index = lmul - sew;
	const char *m = group_word(lmul);

	for (int n = bits; n > 1; n /= 2)
		index++;
	if (bits > 0) {
		const char *i = group_word(index);

		add(w, "Pseudo%s_%s_%s", base, i, m);
		add(w, "Pseudo%s_%s_E%d_%s", base, m, 1 << sew, i);
		return;
	}
	add(w, "Pseudo%s_%s", base, m);
	add(w, "Pseudo%s_%s_E%d", base, m, 1 << sew);
	add(w, "Pseudo%s_B%d", base, 1 << (sew - lmul));
	/* Groups of four elements: of one register, of all. */
	add(w, "Pseudo%s_%s_%s", base, m, m);
	add(w, "Pseudo%s", base);
}

/* The scalar of a floating-point form has its width in the name: "VF", "WF",
 * "VFM" and "F" between underscores.  False when there is none. */
static bool with_scalar(const char *base, int sew, char *ret, size_t room)
{
	static const char *const words[] = { "_VFM", "_VF", "_WF", "_F" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i]);
		const char *at = strstr(base, words[i]);
		bool m = words[i][n - 1] == 'M';

		if (!at || (at[n] != '\0' && at[n] != '_'))
			continue;
		n -= m;
		return snprintf(ret, room, "%.*sPR%d%s",
				(int)((size_t)(at - base) + n), base, 1 << sew,
				at + n) < (int)room;
	}
	return false;
}

size_t riscv64_table_names(const struct form *f, char (*ret)[ISA_NAME_ROOM])
{
	const struct variant *v = f->variant;
	struct names w = { .list = ret };
	char base[ISA_NAME_ROOM], scalar[ISA_NAME_ROOM];

	if (!v || !v->vector_type || form_family(f) != FAMILY_VECTOR)
		return 0;
	w.masked = v->masked;
	if (snprintf(base, sizeof(base), "%.*s", (int)strcspn(f->name, "/"),
		     f->name) >= (int)sizeof(base))
		return 0;
	add_tails(&w, base, v);
	if (with_scalar(base, riscv64_sew(v), scalar, sizeof(scalar)))
		add_tails(&w, scalar, v);
	return w.n;
}
