/* Databases, machine models and values that words of the command line name. */
#ifndef CLI_MODELS_H
#define CLI_MODELS_H

#include "host/codec/source.h"
#include "host/store/store_core.h"

/* One side of a comparison, or one more model: one of db, file and cpu is not
 * NULL; it points into the word. */
struct side {
	const char *db, *file, *cpu;
	bool model; /* a machine model, not values alone */
};

/* What the spellings are, for a command's help. */
#define SIDE_SPELLINGS                                                      \
	"  cpu:NAME    LLVM's tables of this CPU\n"                         \
	"  model:FILE  the machine model of a file (docs/imports.md) or of" \
	" a database\n"                                                     \
	"  db:FILE     the values of a database\n"                          \
	"  FILE        either of these files, by its content\n"

/* cpu:NAME, model:FILE, db:FILE or FILE.  A file without a mark is a database
 * if its name ends in .db or its content is one, a model if an importer knows
 * its format.  ERR_INPUT, ERR_SYSTEM if it cannot be read. */
int side_parse(const char *word, struct side *ret, struct err *e);

/* The model of a side, of instruction set `isa`. */
struct model_source side_source(const struct side *s, const char *isa,
				bool strict);

/* Say on standard error how many entries of the model's file are left out, and
 * why the first is; `always`: also if none is, and how many entries stand for
 * no form. */
void models_report_entries(const struct model *m, bool always);

/* Open a database to read, and choose its core; see store_choose_core(). */
int models_open_store(const char *db, const struct core_query *core,
		      struct store **ret, struct err *e);

/* Load the catalogue of an instruction set by its name.  ERR_INPUT "`whose` an
 * unknown instruction set" if there is none. */
int models_catalogue(struct arena *a, const char *isa, const char *whose,
		     struct catalogue **ret, struct err *e);

#endif
