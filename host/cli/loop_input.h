/* Reads a program from a file (assembly, listing, object file or disassembly) and
 * chooses its loop by --marker, --lines, --function and --syntax. */
#ifndef CLI_LOOP_INPUT_H
#define CLI_LOOP_INPUT_H

#include "host/cli/cli.h"
#include "host/isa/mc_parse.h"
#include "host/predict/loops.h"

struct loop_input {
	struct mc_parser *parser;
	struct source source;
	struct program program;
	struct loop *loops;
	size_t n_loops, chosen; /* chosen: index in `loops` */
};

/* Read file `name` and choose its loop.  Everything in *ret belongs to `a`, but
 * for the parser: close it with loop_input_close(), also after an error. */
int loop_input_read(struct arena *a, const struct options *o,
		    const struct catalogue *c, const char *name,
		    struct loop_input *ret, struct err *e);
void loop_input_close(struct loop_input *in);

/* An expression that matches the measurable forms of the loop of --for, with all
 * variants of each.  If the loop loads and stores, it also matches the plain
 * accesses whose forwarding stands for that of the loop.  It belongs to `a`.
 * ERR_INPUT if the loop has no measurable form; others as loop_input_read(). */
int loop_input_forms_for(struct arena *a, const struct options *o,
			 const char **ret, struct err *e);

/* Check --for and the options that go with it; `ports`: --what ports.
 * ERR_USAGE where one of them has no effect. */
int loop_input_check(const struct options *o, bool ports, struct err *e);

/* The words of --marker and --syntax (struct option.choice). */
const char *loop_input_marker(size_t i);
const char *loop_input_syntax(size_t i);

#endif
