/* What the printers show of a prediction, selected once: a row for each
 * instruction, a column for each port, the numbers, chains and stalls. */
#ifndef PREDICT_REPORT_H
#define PREDICT_REPORT_H

#include "host/predict/graph.h"
#include "host/predict/predict.h"

/* A port, or a pool as a pseudo port. */
struct report_port {
	const char *name;    /* without the prefix that all ports share */
	const char *heading; /* in text; long names of pools become "[a]" */
	bool is_long;        /* the heading is not the name */
	bool is_used;
	double sum; /* cycles per iteration */
};

/* Mean cycles that an instruction waits. */
struct report_wait {
	double operands;   /* from dispatch until its operands are there */
	double ports;      /* from then until it starts */
	double retirement; /* from its end until it retires */
};

struct report_row {
	const struct op *op;
	const char *text;
	/* Line of the source; without one the address in hexadecimal. */
	const char *place;
	/* Where its latency, throughput and ports come from: "latency,
	 * throughput measured, ports from LLVM's tables of skylake". */
	const char *origin;
	/* The layer of its values: blank (the model), c (its class), p (its
	 * parts), t (tables), b (between bounds) or X (assumed). */
	char mark;
	/* The value of the tables is one that was corrected: t*. */
	bool corrected;
	/* Costs; negative: unknown, or it has none. */
	double latency;      /* the longest to a register or a flag */
	double slots;        /* of the front end */
	double uops;         /* on ports */
	double throughput;   /* reciprocal, cycles */
	const double *share; /* cycles on each port */
	/* Its part of the critical path and of the latency cycle. */
	bool on_critical, on_carried;
	double critical, carried;
	struct report_wait wait; /* zeros if the loop was not simulated */
};

/* A column of what an instruction costs. */
struct report_column {
	/* Heading or key in each format; NULL: the format lacks it. */
	const char *text, *html, *json;
	size_t at;   /* of the double in struct report_row */
	bool summed; /* text has the sum of its rows */
	const struct effect_column *effect; /* or its function */
};

enum { REPORT_MAX_COLUMNS = 16 + EFFECT_MAX };

/* The numbers of a prediction, in the order of all formats: cycles per
 * iteration but for the last. */
enum report_number {
	/* Bounds; the throughput is the largest of those up to the effects. */
	NUMBER_THROUGHPUT,
	NUMBER_PORTS,
	NUMBER_FRONT_END,
	NUMBER_BRANCHES,
	NUMBER_EFFECTS, /* of each effect, by effect_number() */
	NUMBER_CARRIED = NUMBER_EFFECTS + EFFECT_MAX,
	NUMBER_CRITICAL, /* the longest path of one iteration; no bound */
	NUMBER_WORST,    /* predicted, with streams at their worst alignment */
	NUMBER_CYCLES,   /* predicted */
	NUMBER_ASSUMED,  /* instructions with assumed values */
	N_NUMBERS,
};

/* Names of a number in each format; NULL: the format has it elsewhere, or the
 * effect has no bound. */
struct report_number_name {
	const char *text, *html, *json;
};

struct report_number_name report_number_name(enum report_number k);

struct report {
	const struct prediction *p;
	struct report_port *ports; /* p->pressure.n_ports */
	struct report_row *rows;   /* p->body.n */
	double numbers[N_NUMBERS];
	/* The column of an effect is there if a row has a value in it. */
	size_t n_columns;
	struct report_column columns[REPORT_MAX_COLUMNS];
	struct chains chains;
	/* Recorded; n_events is 0 if the loop was not simulated. */
	struct simulation simulation;
};

/* Rows, ports and numbers alone.  Everything belongs to the arena of the
 * prediction, as in report_make(). */
struct report report_table(const struct prediction *p);

/* The same with chains, the recorded simulation and its waits. */
struct report report_make(const struct prediction *p);

/* The value of a row in a column; negative: none. */
double report_value(const struct report *r, const struct report_column *c,
		    const struct report_row *x);

/* "front end", "ports" ...: kinds of stalls, and their names in JSON. */
extern const struct report_stall {
	const char *name, *key;
} report_stalls[SIM_N_STALLS];

/* Predict the loop without instruction `gone`, in the arena; false if that is
 * no loop. */
bool report_without(struct arena *a, const struct prediction *p, size_t gone,
		    struct prediction *ret);

#endif
