/* Print a prediction. */
#ifndef PREDICT_PRINT_H
#define PREDICT_PRINT_H

#include "host/base/file.h"
#include "host/predict/predict.h"

/* Table in OSACA's layout: one row per instruction, one column per port; then
 * the bounds, chains, stalls and the timeline. */
void print_text(struct buffer *b, const struct prediction *p);

void print_json(struct buffer *b, const struct prediction *p);

/* One HTML page in the style of the site: the table with the pressure of ports,
 * the dependence graph over the code, timeline, what-if. */
void print_html(struct buffer *b, const struct prediction *p);

/* The dependence graph in DOT, for Graphviz. */
void print_dot(struct buffer *b, const struct prediction *p);

/* The source with the numbers as comments. Without a source: the
 * disassembly. */
void print_annotated(struct buffer *b, const struct prediction *p);

/* ---- what the printers share ------------------------------------------- */

/* Less is no pressure that a reader would see. */
#define PRINT_HIDDEN 5e-3

struct report;

/* print_text() of a report. */
void print_text_report(struct buffer *b, const struct report *r);

/* print_graph.c: the dependence graph over the code, as SVG. */
void print_graph(struct buffer *b, const struct prediction *p);

/* print_tables.c: tables of the page: the pressure of ports; the loop on
 * p->others, nothing without any; the loop without one of its instructions. */
void print_html_table(struct buffer *b, const struct report *r);
void print_html_others(struct buffer *b, const struct report *r);
void print_html_without(struct buffer *b, const struct prediction *p);

#endif
