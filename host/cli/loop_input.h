/* Reads a program from a file (assembly, listing, object file or disassembly)
 * and chooses its loop. */
#ifndef CLI_LOOP_INPUT_H
#define CLI_LOOP_INPUT_H

#include "host/cli/cli.h"
#include "host/isa/mc_parse.h"
#include "host/predict/loops.h"

/* Arguments that say what the loop of a file is. */
struct loop_args {
	const char *lines, *function;
	unsigned syntax, marker; /* of the words below */
};

/* The words of --syntax and --marker. */
extern const char *const loop_syntaxes[], *const loop_markers[];

struct loop_input {
	struct mc_parser *parser;
	struct source source;
	struct program program;
	struct loop *loops;
	size_t n_loops, chosen; /* chosen: index in `loops` */
};

/* Read file `name` and choose its loop.  Everything in *ret belongs to `a`, but
 * for the parser: close it with loop_input_close(), also after an error. */
int loop_input_read(struct arena *a, const struct loop_args *o,
		    const struct catalogue *c, const char *name,
		    struct loop_input *ret, struct err *e);

/* The same of a text or machine code that was read already; it outlives
 * *ret. */
int loop_input_parse(struct arena *a, const struct loop_args *o,
		     const struct catalogue *c, const struct code *file,
		     struct loop_input *ret, struct err *e);
void loop_input_close(struct loop_input *in);

/* An expression that matches the measurable forms of the loop of file `name`,
 * with all variants of each.  If the loop loads and stores, it also matches the
 * plain accesses whose forwarding stands for that of the loop.  It belongs to
 * `a`. ERR_INPUT if the loop has no measurable form; others as
 * loop_input_read(). */
int loop_input_forms(struct arena *a, const struct loop_args *o,
		     const struct isa *isa, const char *name, const char **ret,
		     struct err *e);

#endif
