/* What a report adds to a prediction. Computed when it is printed. */
#ifndef PREDICT_REPORT_H
#define PREDICT_REPORT_H

#include "host/base/file.h"
#include "host/predict/chains.h"
#include "host/predict/predict.h"

/* Mean cycles that an instruction waits. */
struct report_wait {
	double operands;   /* from dispatch until its operands are there */
	double ports;      /* from then until it starts */
	double retirement; /* from its end until it retires */
};

struct report {
	const struct prediction *p;
	struct chains chains;
	/* Recorded; n_events is 0 if the loop was not simulated. */
	struct simulation simulation;
	struct report_wait *waits; /* per instruction; NULL: not simulated */
};

/* Costs of one instruction; negative: unknown, or it has none. */
struct report_costs {
	double latency;    /* the longest to a register or a flag */
	double slots;      /* of the front end */
	double uops;       /* on ports */
	double throughput; /* reciprocal, cycles */
};

/* Everything belongs to the arena of the prediction. */
struct report report_make(const struct prediction *p);

struct report_costs report_costs(const struct op *o);

/* "front end", "ports" ...: a kind of stall, and its name in JSON. */
const char *report_stall_name(enum sim_stall stall);
const char *report_stall_key(enum sim_stall stall);

/* print_report.c: the parts of the text below its bounds. */
void print_chains(struct buffer *b, const struct report *r);
void print_stalls(struct buffer *b, const struct report *r);
/* D dispatched, = waiting for operands, p waiting for ports, s started, e
 * executing, E done, - waiting for retirement, R retired; then the mean
 * waits. */
void print_timeline(struct buffer *b, const struct report *r);

/* print_json_report.c: members of the JSON object, each followed by a
 * comma. */
void print_json_report(struct buffer *b, const struct report *r);

#endif
