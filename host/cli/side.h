/* One side of a comparison, or one more model, as a word of the command
 * line. */
#ifndef CLI_SIDE_H
#define CLI_SIDE_H

#include <stdbool.h>

#include "host/base/err.h"

/* One of db, file and cpu is not NULL; it points into the word. */
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

#endif
