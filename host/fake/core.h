/* An invented core, as a .core file describes it; examples/cores/README.md explains
 * each line.  The description is all the truth there is: what a kernel costs
 * on this core follows from it alone. */
#ifndef FAKE_CORE_H
#define FAKE_CORE_H

#include <regex.h>

#include "host/base/arena.h"
#include "host/base/clock_kind.h"
#include "host/base/err.h"

enum {
	CORE_MAX_PORTS = 16,
	CORE_MAX_UOPS = 8, /* of one form that need a port */
	CORE_MAX_CLASSES = 32,
	CORE_MAX_LATENCY = 1000,
	CORE_MAX_WINDOW = 1024,
	CORE_MAX_QUEUE = 32,
	CORE_NAME_ROOM = 24,
};

/* latency[SRC>DST]=CYCLES; names as in labels. */
struct core_latency {
	char src[CORE_NAME_ROOM], dst[CORE_NAME_ROOM];
	uint32_t cycles;
};

/* Where an instruction stands: relative to the access before in the loop, or
 * to the next branch. */
enum core_spacing {
	CORE_SAME_PLACE,
	CORE_SAME_LINE, /* at another place */
	CORE_OTHER_LINE,
	CORE_DENSE, /* less than 16 bytes */
	CORE_CLOSE, /* less than 64 */
	CORE_N_SPACINGS,
};

/* A `form` line. */
struct core_form {
	regex_t pattern; /* whole form names */
	int line;
	uint32_t n_uops;               /* issue slots */
	uint32_t n_port_uops;          /* of them, those that need a port */
	uint32_t ports[CORE_MAX_UOPS]; /* the ports that can take each */
	uint32_t occupancy;            /* cycles the first one holds its port */
	uint32_t stall;                /* cycles of a decoder, 0: a slot */
	uint32_t latency;              /* of pairs not listed */
	/* Two states: the same for an instruction that starts at most `until`
	 * cycles after its issue; and in slow_share percent of all rows the
	 * first uop holds its port for slow_occupancy cycles. */
	bool has_short;
	uint32_t latency_short, until;
	double slow_share;
	uint32_t slow_occupancy;
	/* In order only: latency and occupancy of an instruction whose operands
	 * are those of the last one of the form (0: none such), of one with an
	 * operand that is no sign-extended 32-bit number, occupancy of a call
	 * whose link register is not number `link`. */
	uint32_t same_operands;
	uint32_t wide_latency, wide_occupancy;
	uint32_t link, unlinked;
	/* Latency of a fused multiply-add with a factor that is zero, infinite
	 * or no number. */
	uint32_t idle_latency;
	uint32_t same_register; /* added: a source is the destination */
	/* Cycles that the first uop holds its port there, 0: as elsewhere; and
	 * the form with them for its occupancy, or NULL. */
	uint32_t spaced_occupancy[CORE_N_SPACINGS];
	const struct core_form *spaced[CORE_N_SPACINGS];
	size_t n_latencies;
	const struct core_latency *latencies;
	bool queued;     /* of the unit with a queue (struct core) */
	bool eliminated; /* renamed away: no port, no latency */
	bool zero_idiom; /* so if all its sources are one register */
	bool merges;     /* waits for what its results held before */
	/* It counts for instructions with such an immediate only. */
	bool has_number;
	int64_t number_low, number_high;
	uint8_t class_id;   /* for forwarding; 0: none */
	uint8_t pairing_id; /* for dual issue: class_id unless given */
	const char *fault;  /* cause, "die", or NULL */
};

struct core {
	const char *path;
	const char *isa, *cpu;
	int isa_line;
	enum clock clock; /* CLOCK_CORE, CLOCK_REF */
	bool in_order;
	bool least_loaded; /* scheduler */
	double hz;         /* of the ref clock */
	double ghz;        /* of the core, where its clock is ref */
	uint32_t width, window;
	/* An iteration of more uops than the buffer holds is issued so many in
	 * a cycle; 0: there is none, they are issued as fast. */
	uint32_t loop_buffer, decode;
	/* An iteration of more uops than this is decoded each time, and so
	 * are `uncached` percent of all others; 0: no iteration is. */
	uint32_t decoded_cache;
	/* Of the instructions in the window, loads, stores, and those that
	 * write a vector register; 0: any. */
	uint32_t load_buffer, store_buffer, vector_registers;
	/* Out of order, places of what computes with general registers alone;
	 * 0: any.  Each is free again so many cycles after the start. */
	uint32_t general_queue, general_release;
	/* Targets of jumps that the core keeps, 0: all; and the cycles that a
	 * jump without one costs. */
	uint32_t targets, retarget;
	/* Cycles from a taken branch to what it leads to, of code that no form
	 * is measured with. */
	uint32_t taken;
	/* 1: pushes and pops do not wait for each other's stack pointer. */
	uint32_t stack_engine;
	/* In order: so many instructions wait in the queue of a unit for its
	 * registers, general ones or those of vectors and floating point. */
	uint32_t queue;
	bool queue_general;
	uint32_t refill;   /* cycles from retirement until an entry is free */
	uint32_t overhead; /* cycles of measuring an empty kernel */
	uint32_t bend;     /* of them more or less, of the shortest length */
	bool has_values;   /* a form asks for values of operands */
	/* Percentages. */
	double noise, drift, storms, outliers, sibling, drop, corrupt;
	double uncached;
	double misses;
	uint64_t seed;

	size_t n_ports;
	char ports[CORE_MAX_PORTS][CORE_NAME_ROOM];
	size_t n_classes; /* [0] is no class */
	char classes[CORE_MAX_CLASSES][CORE_NAME_ROOM];
	/* Added to a latency, producer's class first. */
	int16_t forward[CORE_MAX_CLASSES][CORE_MAX_CLASSES];
	/* Added to all latencies of a form of the second class if one of the
	 * first wrote a source. */
	int16_t written[CORE_MAX_CLASSES][CORE_MAX_CLASSES];
	bool has_written;
	/* In order only: may the second start in the cycle of the first?
	 * Without any such line everything may. */
	bool has_pairs;
	bool pair[CORE_MAX_CLASSES][CORE_MAX_CLASSES];
	size_t n_forms;
	bool has_numbers; /* one of them has */
	struct core_form *forms;
};

/* Parse n bytes (changed in place, a NUL must follow) as the file `path`.
 * ERR_INPUT with path, line and what was expected; *ret is set on success
 * only and needs core_free(). */
int core_parse(struct arena *a, const char *path, char *text, size_t n,
	       struct core *ret, struct err *e);

/* The same from a file. */
int core_read(struct arena *a, const char *path, struct core *ret,
	      struct err *e);

/* Release the patterns; everything else belongs to the arena. */
void core_free(struct core *c);

/* The first line that matches a form's name, or NULL; those for some immediates
 * only where the instruction's first is given. */
const struct core_form *core_find(const struct core *c, const char *form);
const struct core_form *core_find_number(const struct core *c, const char *form,
					 const int64_t *number);

/* A `form` line, cut at its colon; the attributes are changed in place. */
struct core_form_text {
	int line;
	const char *pattern;
	char *attributes;
};

/* The parser's second half, form.c. */
int core_parse_form(struct arena *a, struct core *c,
		    const struct core_form_text *text, struct core_form *ret,
		    struct err *e);

/* The number of a class, made known when it is new; -1 when there are too many
 * or the name is too long. */
int core_class(struct core *c, const char *name);

/* Text helpers of both halves: cut blanks off both ends; a decimal number of
 * at most `max`, or false. */
char *core_trim(char *text);
bool core_number(const char *text, double max, double *ret);

#endif
