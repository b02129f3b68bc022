/* Kernels whose cost is known, and the pack that holds them. */
#ifndef ADVERSARY_KERNEL_H
#define ADVERSARY_KERNEL_H

#include "common/pack.h"
#include "host/store/store_kernel.h"
#include "tests/adversary/machine.h"

enum kind { KIND_REGISTER, KIND_LOAD, KIND_STORE, N_KINDS };

/* Indices in the pack. */
enum {
	KERNEL_CHAIN_A,
	KERNEL_CHAIN_B,
	KERNEL_PROBE,
	KERNEL_WAKE_512,
	KERNEL_WAKE_256,
	KERNEL_LOADS,
	KERNEL_FIRST, /* of those that are measured */
	N_MEASURED = 400,
	N_KERNELS = KERNEL_FIRST + N_MEASURED,
};

struct kernel {
	unsigned number; /* in the pack */
	bool chain;      /* else a throughput */
	enum width width;
	enum kind kind;
	enum probe probe; /* N_PROBES: it is none */
	double cycles;    /* per op, on an undisturbed machine */
	/* Slower by this times the intensity of a sibling's work. */
	double sibling[N_WORKLOADS];
	double state[MAX_STATES]; /* slow-down in each state of its class */
	uint8_t flags;            /* enum pack_kernel_flags */
};

struct kernels {
	struct kernel list[N_KERNELS];
	struct {
		struct pack_header header;
		struct pack_kernel table[N_KERNELS];
	} pack; /* without code */
};

/* The kernels of a seed on its machine. */
void kernels_make(const struct machine *m, struct kernels *ret);

#endif
