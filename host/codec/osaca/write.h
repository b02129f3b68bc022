/* What the writers of OSACA's files share: forms as OSACA distinguishes them,
 * by mnemonic and operand types, and their syntax; ports, loads and stores; the
 * entries. */
#ifndef CODEC_OSACA_WRITE_H
#define CODEC_OSACA_WRITE_H

#include <string.h>

#include "host/base/file.h"
#include "host/codec/number.h"
#include "host/codec/signature.h"
#include "host/model/model.h"

/* ---- forms.c ---- */

/* A way to write a form. */
struct osaca_form {
	const struct form *form;
	const struct model_form *f;
	struct signature s;
	/* The mnemonic without its letter of width; OSACA looks for it if it
	 * finds no entry for the whole mnemonic.  Without such a letter, the
	 * whole. */
	char base[SIGNATURE_WORD];
	unsigned score; /* osaca_score() */
	unsigned width; /* bits of all operands */
	bool spelled;   /* not the form's own example */
};

/* A run of osaca_list.forms with the same text but for the letter of width. */
struct osaca_group {
	size_t first, n;
};

struct osaca_list {
	/* Grouped; in a group the form that OSACA should use comes first. */
	struct osaca_form *forms;
	size_t n_forms;
	struct osaca_group *groups;
	size_t n_groups;
	/* Forms that have no text which OSACA reads. */
	size_t n_unwritten;
	/* Variants of a form that the model has. */
	size_t n_special;
};

/* Collect all forms of a model and their other spellings.  The list is owned by
 * `a`.  ERR_SYSTEM without LLVM's assembler. */
int osaca_collect(struct arena *a, const struct model *m,
		  const struct catalogue *c, struct osaca_list *ret,
		  struct err *e);

/* Order by operands as OSACA distinguishes them; 0: alike. */
int osaca_compare_operands(const struct signature *x, const struct form *fx,
			   const struct signature *y, const struct form *fy);

/* How much is known: 0 for nothing, most for ports, throughput and latency. */
unsigned osaca_score(const struct form *form, const struct model_form *f);

/* OSACA's latency: the longest from data to a result; of loads, from the
 * address.  False if it is unknown.  Nothing is written: 0. */
bool osaca_latency(const struct form *form, const struct model_form *f,
		   struct model_span *ret);

/* Cycles per instance: measured, else as the ports allow. */
bool osaca_throughput(const struct model_form *f, double *ret);

/* The shortest number in the interval; of a wide one about the middle. */
double osaca_number(const struct model_span *s);

/* OSACA writes the divider of port 0 as "0DV": a unit that is used together
 * with the port and is none itself.  Data ports such as "2D" are real ports. */
static inline bool osaca_is_divider(const char *name)
{
	size_t n = strlen(name);

	return (n > 2 && strcmp(name + n - 2, "DV") == 0) ||
	       strcasestr(name, "div") != NULL;
}

/* Append a number, "~" if it is not known. */
void osaca_add_number(struct buffer *b, bool known, double value);

/* Addresses that an entry is for. */
enum osaca_index { INDEX_ANY, INDEX_NONE, INDEX_SOME };

/* The value of the key index; `any`: the form can have one. */
const char *osaca_index(enum osaca_index index, bool any);

/* Append an operand as a map on one line, without its closing brace. */
void osaca_operand(struct buffer *b, const struct catalogue *c,
		   const struct form *form, const struct signature_operand *o,
		   enum osaca_index index);

/* ---- core.c ---- */

/* Sets of ports that can bound a block. */
struct osaca_sets {
	size_t n;
	model_ports of[MODEL_MAX_PORTS];
};

struct osaca_core {
	struct arena *a;
	const struct model *m;
	const struct catalogue *c;
	/* Set by osaca_core_begin().  Ports are named p0, p1 ...; OSACA calls
	 * them 0, 1 ... */
	bool plain_ports;
	/* Write these sets in the place of ports; NULL: write ports. */
	const struct osaca_sets *sets;
};

/* A plain load or store of a register file; f NULL: the model has none. */
struct osaca_core_access {
	const struct form *form;
	const struct model_form *f;
};

/* Prepare to write ports, or sets of ports.  ERR_INPUT: there are more than
 * MODEL_MAX_PORTS sets. */
int osaca_core_begin(struct osaca_core *ret, bool sets, struct err *e);

/* Has a uop of the form both ports that take an index and ports that do not? */
bool osaca_minds_index(const struct osaca_core *w, const struct model_form *f);

/* Append [[cycles, [ports]], ...] for addresses with or without an index. */
void osaca_add_pressure(const struct osaca_core *w, const struct model_form *f,
			enum osaca_index index, struct buffer *b);

/* The plain load or store (`access`, of enum memory_access) of the widest
 * registers for which OSACA has the word `word`.  It is one of a list of the
 * instruction set, because most forms that access memory also compute. */
struct osaca_core_access osaca_plain_access(const struct osaca_core *w,
					    const char *word, int access);

/* Append everything that stands before the list of instruction forms. */
void osaca_add_core(const struct osaca_core *w, struct buffer *b);

/* ---- entries.c ---- */

/* An instruction of the file. */
struct osaca_item {
	const char *name;
	const struct osaca_form *x;
	enum osaca_index index;
	struct buffer covers;   /* names of forms, blanks between */
	struct model_mark mark; /* of these forms, the least certain */
	const char *body;       /* its text; see write.c */
	size_t order;
};

struct osaca_entries {
	const struct osaca_core *core;
	const struct osaca_list *forms;
	struct osaca_item *items;
	size_t n;
	/* Forms that look like another one, of which nothing is known, and that
	 * OSACA composes of others. */
	size_t n_alike, n_unknown, n_composed;
};

/* Find the entries of all forms.  They belong to the arena of `core`, but for
 * their `covers`. */
void osaca_find_entries(struct osaca_entries *w);

#endif
