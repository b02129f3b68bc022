/* A whole scheduling model by LLVM's writes: what a target's upstream models
 * say, a cost for each write and an advance for each read.
 *
 * Every form is a member of the write that its definition in LLVM has; vectors
 * of RISC-V those of their grouping and, where it matters, element width.  The
 * cost that most members have is the write's; opcodes of which all forms have
 * another become exceptions.  A write without a member stays unknown. */
#ifndef CODEC_LLVM_WHOLE_H
#define CODEC_LLVM_WHOLE_H

#include "host/codec/llvm/sched_names.h"
#include "host/isa/tables.h"
#include "host/model/model.h"

enum { WHOLE_MAX_USES = 16, WHOLE_N_GROUPINGS = 7 };

/* Groupings of vectors in LLVM's names: "MF8" to "M8". */
extern const char *const whole_groupings[WHOLE_N_GROUPINGS];

/* Cycles of any of these ports, or of a unit of the write's own. */
struct whole_use {
	model_ports ports;
	size_t unit; /* ports is 0: index into units */
	long cycles;
};

struct whole_cost {
	const char *text; /* equal costs have equal text */
	long latency, uops;
	size_t n_uses;
	struct whole_use uses[WHOLE_MAX_USES];
};

/* What bounds a form's rate that no port explains: such a unit belongs to one
 * family of writes, since what else uses it is not known. */
struct whole_unit {
	const char *name;
	long n; /* how many of them */
};

/* A family of writes. */
struct whole_family {
	const struct whole_name *of; /* one of its writes */
	/* Its unit that is not pipelined; MODEL_MAX_PORTS: it has none. */
	size_t port;
};

/* A write or a read of LLVM's. */
struct whole_name {
	const char *name;
	size_t family; /* bytes of the name before grouping and width */
	int grouping;  /* index of whole_groupings; -1: none */
	int sew;       /* bits of an element; 0: none */
	bool worst;    /* "_WorstCase": of encodings without a vector type */
	bool read;
	bool flow;                               /* a write of jumps alone */
	const struct sched_extension *extension; /* NULL: of the base */
	/* A write: members with a cost, how many have another one than the
	 * write, and of these how many are in exceptions. */
	size_t n_members, n_unlike, n_excepted;
	const char *member;            /* the first */
	const struct whole_cost *cost; /* NULL: unknown */
	/* How certain the ports are, of the least certain member of this cost. */
	struct model_mark mark;
	/* A read: by how many cycles later than others its operand is needed,
	 * for results of these writes, whose chains show it.  split: forms
	 * differ in it. */
	long advance;
	bool split;
	size_t n_writes;
	const char **writes;
};

/* Opcodes of one definition whose cost is not that of their write. */
struct whole_exception {
	const struct whole_cost *cost;
	const char *rest; /* of the class behind its write: "_ReadIMul" */
	size_t n;
	const char *const *opcodes;
};

enum whole_reason {
	WHOLE_OK,
	WHOLE_NO_CLASS,   /* LLVM's definition has no write, or several */
	WHOLE_NO_RATE,    /* neither ports nor throughput */
	WHOLE_NO_LATENCY, /* of its first result */
	WHOLE_NOT_WHOLE,  /* cycles are no whole number */
	WHOLE_N_REASONS,
};

struct whole {
	struct arena *a;
	const struct catalogue *c;
	const struct model *m; /* with the ports of pipes_model() */
	struct tables *tables;
	const struct sched_names *known;
	size_t n_names;
	struct whole_name *names; /* by name */
	const char **of_form;     /* class of each form of the catalogue */
	size_t n_units;
	struct whole_unit *units;
	size_t n_families;
	struct whole_family *families;
	size_t n_exceptions;
	struct whole_exception *exceptions;
	size_t counts[WHOLE_N_REASONS];
	/* Differ from their write and are in no exception: other forms of
	 * their opcode are like the write. */
	size_t n_mixed;
	double width; /* slots in a cycle; 1 if it is not known */
};

/* All of it, owned by `a`; the instruction set has extensions in
 * sched_names_of().  ERR_INPUT if LLVM has no model of the target. */
int whole_read(struct arena *a, const struct model *m,
	       const struct catalogue *c, struct whole *ret, struct err *e);

/* Of the same family of writes, or of reads. */
bool whole_same_family(const struct whole_name *x, const struct whole_name *y);

/* whole_names.c: names of writes and reads, and the class of each form. */
int whole_read_names(struct whole *w, struct err *e);
/* The write that a class begins with; NULL: none. */
struct whole_name *whole_write_of(const struct whole *w,
				  const char *class_name);
/* The name; NULL: there is none. */
struct whole_name *whole_find(const struct whole *w, const char *name,
			      size_t n);
/* Bytes of the first name in a class, "WriteA_ReadB": 6. */
size_t whole_name_length(const char *class_name);

/* whole_reads.c: what a form says of the reads of its class; `result`: the
 * index of the register operand that it writes, -1: none. */
void whole_add_reads(struct whole *w, const struct form *form,
		     const struct model_form *f, const char *class_name,
		     int result);

#endif
