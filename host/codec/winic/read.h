/* Read WINIC's YAML, for the tests of the export and to compare with
 * measurements of others; and what the writer shares. */
#ifndef CODEC_WINIC_READ_H
#define CODEC_WINIC_READ_H

#include "host/codec/codec.h"

/* ---- operands ----------------------------------------------------------- */

/* Operand names of the files. The operand list of a form contains the
 * explicit operands in LLVM's order. A tied use is merged with its definition,
 * and memory operands are left out. A latency names an explicit operand by its
 * position in that list, an implicit one by its register, and a part of a
 * memory operand as "mem" with LLVM's index ("mem1"). */
enum { PLACE_ROOM = 80 };

/* Is the operand in the list of its form? */
bool operand_listed(const struct operand *o);

/* Convert the name of an operand in a claim to its name in a file, and back. A
 * tied use shares the position of its definition, so the way back needs
 * `source`. Returns false when the form has no such operand. */
bool operand_place(const struct form *f, const char *name,
		   char place[PLACE_ROOM]);
bool operand_from_place(const struct form *f, const char *place, bool source,
			char name[PLACE_ROOM]);

/* ---- values ------------------------------------------------------------- */

/* A value of the file. Operands are named as in claims, by LLVM's index or by
 * register. Strings belong to the arena. */
struct winic_value {
	const char *form, *kind, *source, *destination;
	bool known; /* neither bound is null */
	double low, high;
	size_t line;
};

struct winic_values {
	struct winic_value *list;
	size_t n;
};

/* Read every document. `c` converts positions in a form's operand list to
 * indices. With NULL, or for a form that `c` lacks, positions stay. *ret
 * belongs to `a`. ERR_INPUT names path and line; with `skips`, values that are
 * no cycles are left out. */
int winic_read(struct arena *a, const struct catalogue *c,
	       const struct import_text *t, struct skips *skips,
	       struct winic_values *ret, struct err *e);

#endif
