/* Shared by the files that read LLVM's scheduling models. */
#ifndef CODEC_LLVM_READ_H
#define CODEC_LLVM_READ_H

#include "host/isa/catalogue.h"
#include "host/isa/mc_sched.h"
#include "host/isa/tables.h"
#include "host/model/model.h"

/* One of LLVM's scheduling classes. */
struct llvm_class {
	bool seen; /* some form has this class */
	unsigned n_uops;
	size_t n_uses;
	const struct model_use *uses;
	struct model_span throughput;
};

struct llvm {
	struct arena *a;
	const struct catalogue *c;
	struct mc_sched *s;
	struct mc_sched_core core;
	struct tables *tables; /* opcodes of forms whose name is not an
				* opcode */
	unsigned *of_form; /* class of each form of the catalogue; 0: none */
	struct llvm_class *classes;
	/* Bypass class of each writer that read advances refer to. */
	uint8_t *writers;
	size_t n_writers;
	size_t n_rows;      /* rows of the bypass table that are writers */
	const char **names; /* names of the bypass classes */
	size_t n_placeholders;
	bool plain;               /* without corrections */
	bool crowded;             /* the table has more classes than the model
				   * holds */
	struct model_port *ports; /* MODEL_MAX_PORTS entries */
	struct model *m;
};

/* read_ports.c: is a use of resource `from` also charged to `to`? */
bool llvm_charges(const struct mc_resource *list, unsigned from, unsigned to);

/* read_ports.c: parts before what they are parts of, then groups, the smaller ones
 * first. */
unsigned llvm_resource_rank(const struct mc_resource *list, unsigned index);

/* read_ports.c: set the model's ports and the uses of all seen classes. */
int llvm_ports(struct llvm *l, struct err *e);

/* read_latency.c: build the table of bypasses.  Call it before
 * llvm_latencies(). */
void llvm_bypass(struct llvm *l);

/* read_latency.c: set the latencies of a form of this class. */
void llvm_latencies(struct llvm *l, const struct form *f, unsigned class,
		    struct model_form *ret);

/* correct.c: change what facts of the CPU say of the model's forms, sorted by
 * name, which are in the model already. */
void llvm_correct(struct llvm *l, struct model_form *forms);

#endif
