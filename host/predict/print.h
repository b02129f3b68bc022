/* Print a prediction. */
#ifndef PREDICT_PRINT_H
#define PREDICT_PRINT_H

#include "host/base/file.h"
#include "host/predict/predict.h"
#include "host/predict/report.h"

/* Table in OSACA's layout: one row per instruction, one column per port; then
 * the bounds, chains, stalls and the timeline. */
void print_text(struct buffer *b, const struct prediction *p);

void print_json(struct buffer *b, const struct prediction *p);

/* "name": "value" */
void print_json_field(struct buffer *b, const char *name, const char *value);

/* One HTML page in the style of the site: the table with the pressure of ports,
 * the dependence graph over the code, timeline, what-if. */
void print_html(struct buffer *b, const struct prediction *p);

/* print_html_more.c: the timeline of the first iterations, and the cycles of
 * the loop without one of its instructions. */
void print_html_timeline(struct buffer *b, const struct report *r);
void print_html_without(struct buffer *b, const struct prediction *p);

/* The table of the pressure of ports. */
void print_html_table(struct buffer *b, const struct prediction *p);

/* print_others.c: the loop on p->others; nothing without any. */
void print_text_others(struct buffer *b, const struct prediction *p);
void print_html_others(struct buffer *b, const struct prediction *p);

/* Cores of a page: 0 is p itself; and their names as headings of columns. */
const struct prediction *print_html_core(const struct prediction *p, size_t i);
void print_html_core_heads(struct buffer *b, const struct prediction *p);

/* The dependence graph in DOT, for Graphviz. */
void print_dot(struct buffer *b, const struct prediction *p);

/* The source with the numbers as comments. Without a source: the
 * disassembly. */
void print_annotated(struct buffer *b, const struct prediction *p);

/* The name of a port without the prefix that all of the model share. */
const char *print_port_name(const struct body *x, size_t port);

/* Where the latency, throughput and ports of an instruction come from:
 * "latency, throughput measured, ports from LLVM's tables of skylake". */
void print_origin(struct buffer *b, const struct prediction *p, size_t op);

/* The layer of an instruction in a table: blank (the model), c (its class), p
 * (its parts), t (tables) or X (assumed). */
char print_origin_mark(const struct op *o);

/* A line for each kind of origins, with the forms that have them; each begins
 * with `before`. */
void print_origins(struct buffer *b, const struct prediction *p,
		   const char *before);

/* The assumptions, one line per form; each line begins with `before`. */
void print_assumptions(struct buffer *b, const struct prediction *p,
		       const char *before);

#endif
