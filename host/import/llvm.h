/* Shared by the files that read LLVM's scheduling models. */
#ifndef IMPORT_LLVM_H
#define IMPORT_LLVM_H

#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"
#include "host/isa/tables.h"
#include "host/model/model.h"

/* What all instructions of one of LLVM's classes have in common. */
struct llvm_class {
	bool seen; /* some form is of this class */
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
	struct tables *tables; /* opcodes of forms that have none there */
	unsigned *of_form; /* class of each form of the catalogue, 0: none */
	struct llvm_class *classes;
	/* Writers that read advances name, and their class of bypass. */
	uint8_t *writers;
	size_t n_writers;
	size_t n_rows;      /* of the bypass table, before columns */
	const char **names; /* of classes of bypass */
	size_t n_placeholders;
	bool crowded;             /* there are more than the model holds */
	struct model_port *ports; /* MODEL_MAX_PORTS of them */
	struct model *m;
};

/* llvm_ports.c: the ports of the model, and what the seen classes need. */
int llvm_ports(struct llvm *l, struct err *e);

/* llvm_latency.c: find out who forwards to whom, before the forms. */
void llvm_bypass(struct llvm *l);

/* llvm_latency.c: latencies of a form of this class. */
void llvm_latencies(struct llvm *l, const struct form *f, unsigned class,
		    struct model_form *ret);

#endif
