/* GCC's pipeline descriptions: reservations by the attributes `type` and `mode`
 * of GCC's instructions, units, and bypasses (GCC's internals manual,
 * "Specifying processor pipeline description").
 *
 * A form is a member of a cell, the pair of its type and its mode.  Cells of a
 * type that cost the same are one reservation; a type whose cells all cost the
 * same has no condition on the mode.  Types with equal cost, modes and bypasses
 * are joined. */
#ifndef CODEC_GCC_GCC_H
#define CODEC_GCC_GCC_H

#include "host/base/arena.h"
#include "host/base/file.h"
#include "host/isa/catalogue.h"
#include "host/model/model.h"

/* Where the mode of a form is from. */
enum gcc_mode_rule {
	GCC_NO_MODE,   /* GCC's instructions of the type have none, or differ */
	GCC_GIVEN,     /* `mode` of the row */
	GCC_WORD,      /* SI if the opcode ends with W, else DI */
	GCC_FIRST,     /* of the first suffix: _S, _D, _H, _W */
	GCC_LAST,      /* of the last suffix */
	GCC_VECTOR,    /* of the vector type: LMUL and SEW */
	GCC_TUPLE,     /* the same of several registers: the first number */
	GCC_MASK,      /* of the ratio of SEW and LMUL */
	GCC_REGISTERS, /* whole registers: the first number */
};

struct gcc_row {
	const char *const *names; /* of opcodes, patterns of match.h */
	const char *type;
	enum gcc_mode_rule rule;
	const char *mode;
};

/* The types of an instruction set; the first row that fits counts. */
struct gcc_types {
	const char *isa;
	size_t n;
	const struct gcc_row *rows;
	/* Words of the attribute `mode`, separated by commas, in `a`; NULL:
	 * unknown. */
	const char *(*mode)(struct arena *a, const struct form *f,
			    const struct gcc_row *row);
};

extern const struct gcc_types gcc_types_riscv64;

/* Our limit: an automaton of GCC's has a state for each cycle. */
enum { GCC_MOST_CYCLES = 512 };

/* A form that has a type, a latency and a rate. */
struct gcc_member {
	const char *type;
	size_t type_number; /* its index in type_words */
	const char *mode;   /* words of the attribute; NULL: none */
	const struct form *form;
	const struct model_form *f;
	/* From the operand with the longest; no value: there is no result. */
	struct model_span latency;
	const char *units; /* the reservation, as in the file */
	double busy;       /* cycles an instance that units and width allow */
};

/* Instructions of one condition. */
struct gcc_reservation {
	const char *name;
	const char *types; /* separated by commas */
	/* The same; both NULL: of all modes.  others: of all but these. */
	const char *modes, *others;
	long latency;
	const char *units;
	/* Classes of bypasses of what it writes, and of what it reads. */
	bool makes[MODEL_MAX_CLASSES], takes[MODEL_MAX_CLASSES];
	size_t n;
	const struct gcc_member *const *members;
};

enum gcc_reason {
	GCC_OK,
	GCC_NO_TYPE, /* no row for the opcode, or a variant GCC cannot tell apart */
	GCC_NO_RATE,    /* neither ports nor throughput */
	GCC_NO_LATENCY, /* of its result */
	GCC_TOO_LONG,   /* over GCC_MOST_CYCLES */
	GCC_N_REASONS,
};

struct gcc_unit {
	const char *name;
	size_t parent; /* of units that alternate: they share an automaton */
	bool used;
};

struct gcc {
	struct arena *a;
	const struct catalogue *c;
	const struct model *m; /* with the ports of pipes_model() */
	const struct gcc_types *types;
	const char *prefix; /* of every name: the CPU */
	double width;       /* slots in a cycle; INFINITY: it is not known */
	size_t n_type_words;
	const char **type_words; /* the types in the order of the table */
	size_t *type_port;       /* the unit that is not pipelined */
	size_t n_units, n_room;  /* ports first */
	struct gcc_unit *units;
	size_t n_members;
	struct gcc_member *members;
	size_t n_reservations;
	struct gcc_reservation *reservations;
	size_t counts[GCC_N_REASONS];
};

/* Fill in a struct that has a, c, types and prefix; all of it is owned by `a`. */
void gcc_read(struct gcc *w, const struct model *m);

/* units.c: names for the ports. */
void gcc_name_ports(struct gcc *w);

/* units.c: set the latency, units and busy cycles of a member. */
enum gcc_reason gcc_cost(struct gcc *w, struct gcc_member *x);

/* Whole cycles of an interval, rounded up: of its upper end if it is wide. */
long gcc_cycles(const struct model_span *s);

/* units.c: mark the units that the reservations have. */
void gcc_mark_units(struct gcc *w);
size_t gcc_automaton(const struct gcc *w, size_t unit);

/* reservations.c: from the members. */
void gcc_reserve(struct gcc *w);

#endif
