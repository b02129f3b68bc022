/* A prediction on paper. */
#ifndef PREDICT_PRINT_H
#define PREDICT_PRINT_H

#include "host/base/file.h"
#include "host/predict/predict.h"

/* As OSACA prints it: a row per instruction, pressure per port, marks. */
void print_text(struct buffer *b, const struct prediction *p);

/* When each instruction of the first iterations was dispatched (D), started
 * (s), done (E) and retired (R). */
void print_timeline(struct buffer *b, const struct prediction *p);

void print_json(struct buffer *b, const struct prediction *p);

/* One page with the table and the dependency graph as SVG and as DOT. */
void print_html(struct buffer *b, const struct prediction *p);

/* The graph for Graphviz. */
void print_dot(struct buffer *b, const struct prediction *p);

/* The source with the numbers as comments; from bytes: the disassembly. */
void print_annotated(struct buffer *b, const struct prediction *p);

/* What was taken for granted, one line for each form. */
void print_assumptions(struct buffer *b, const struct prediction *p,
		       const char *before);

#endif
