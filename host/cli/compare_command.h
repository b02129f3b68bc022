/* What the files of the command compare share. */
#ifndef CLI_COMPARE_COMMAND_H
#define CLI_COMPARE_COMMAND_H

#include <regex.h>

#include "host/cli/models.h"
#include "host/compare/compare.h"

struct compare_args {
	const char *ours, *theirs;
	const char *tolerance, *board, *isa, *cpu, *forms, *output;
	const char *core_of, *with_core_of;
	const char *require;
	unsigned format, by;
	bool strict; /* leave no value or entry out */
};

/* What the options ask for. */
struct comparing {
	const struct compare_args *o;
	struct arena *a;
	struct side sides[2];
	double tolerance;
	double require;       /* the least share; below 0: none */
	const regex_t *forms; /* only forms that match; NULL: all */
	struct catalogue *c;
	struct catalogue *cpu; /* only forms that it has; NULL: all */
	struct buffer *out;
};

/* Load the catalogue of the instruction set, and that of --cpu. */
int comparing_load_catalogues(struct comparing *w, const struct isa *isa,
			      struct err *e);
/* Do --cpu and --forms leave the form? */
bool comparing_wants(struct comparing *w, const char *form);
bool comparing_yaml(const char *path);
/* Write the report to -o. */
int comparing_write(const struct comparing *w, struct err *e);
/* ERR_FAILED: nothing could be compared. */
int comparing_nothing(const struct comparing *w, const char *whose,
		      struct err *e);
/* ERR_FAILED: the share, of what the words say, is less than --require; below
 * 0: there is nothing that it is of. */
int comparing_share(const struct comparing *w, double share, const char *what,
		    struct err *e);
/* ERR_FAILED: fewer values agree than --require asks for. */
int comparing_check(const struct comparing *w, const struct compare_counts *n,
		    struct err *e);

/* compare_values.c: the values of a database against those of another one or
 * of a file. */
int comparing_values(struct comparing *w, struct err *e);

#endif
