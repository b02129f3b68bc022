/* Kernels of a run, their samples and their faults. */
#ifndef STORE_STORE_KERNEL_H
#define STORE_STORE_KERNEL_H

#include "common/row.h"
#include "host/store/kernel_class.h"
#include "host/store/store.h"

/* A kernel as written to a pack. */
struct kernel_row {
	uint64_t id;       /* content id, as in the pack */
	const char *label; /* experiment label */
	uint32_t unroll[PACK_LENGTHS];
	uint32_t ops_per_body;
	/* Number of parallel chains, if the form reads the registers or the
	 * places in memory that its results rotate through; 0 if it does not.
	 * The form's latency divided by this is a lower bound of what the
	 * kernel can show.  In a latency kernel, where another operand depends
	 * on the old value of a register of the chain: instances until one is
	 * written again; 0 or 1: not known (judge_latency.c takes four). */
	uint32_t chains;
	/* Instructions that a body retires; 0: unknown. */
	uint32_t instructions;
	bool calib;
	enum kernel_class class;
	const unsigned char *code[PACK_LENGTHS]; /* NULL: unknown (import) */
	uint32_t code_bytes[PACK_LENGTHS];
	const struct pack_image *image; /* NULL: unknown */
};

/* Store the code of a kernel, which a run may have later: that of an image whose
 * log is imported.  ERR_INPUT if other code is stored under its id. */
int store_code(struct store *s, const struct kernel_row *k, struct err *e);

/* Is code stored under this id?  *ret is untouched by an error. */
int store_has_code(struct store *s, uint64_t id, bool *ret, struct err *e);

/* Store kernel `index` of a run's pack.  Equal code is stored once. */
int store_kernel(struct store *s, int64_t run, uint32_t index,
		 const struct kernel_row *k, struct err *e);

/* What a form is, in words. */
struct form_row {
	const char *isa, *form;
	const char *mnemonic;
	const char *assembly; /* an encoded example, disassembled */
	const char *operands; /* "0 write GPR64, 1 read GPR64, ..." */
};

/* Store the text of a form, once. */
int store_form(struct store *s, const struct form_row *f, struct err *e);

/* How many kernels a run has. */
int store_count_kernels(struct store *s, int64_t run, size_t *ret,
			struct err *e);

/* Store the kernel's number in the set that the run is a shard of. */
int store_kernel_place(struct store *s, int64_t run, uint32_t index,
		       uint32_t place, struct err *e);

/* ---- samples and faults ---------------------------------------------- */

/* One visit of one kernel: raw counter differences, as received.  `values` has
 * n_rows rows; common/row.h has their layout. */
struct sample {
	uint32_t kernel; /* index within the run's pack */
	uint32_t visit;
	uint32_t core;         /* number of the core in a parallel session */
	uint64_t n_iterations; /* iterations of each length */
	uint64_t calib_iterations[PACK_N_CALIB];
	uint32_t n_rows, row; /* numbers in a row */
	const uint64_t *values;
	/* Core clock: instructions retired during each value, in the same rows;
	 * NULL if the core does not count them. */
	const uint64_t *retired;
};

/* Store a sample; replaces one with the same kernel and visit. */
int store_sample(struct store *s, int64_t run, const struct sample *m,
		 struct err *e);

struct fault_row {
	uint32_t kernel;
	const char *cause; /* illegal, access, align, fpe, hang, lost ... */
	uint64_t code, pc, address;
};

int store_fault(struct store *s, int64_t run, const struct fault_row *f,
		struct err *e);

/* Delete a kernel's fault, if any, so that it is measured again. */
int store_fault_remove(struct store *s, int64_t run, uint32_t kernel,
		       struct err *e);

/* Set visits[i] for kernel first + i of a run, i < n, to the number of visits
 * that are stored without a gap from visit 0 on; UINT32_MAX if the kernel
 * faulted. */
int store_progress(struct store *s, int64_t run, uint32_t first, size_t n,
		   uint32_t *visits, struct err *e);

/* Call each() for every kernel of a run in index order, with its samples in
 * visit order and its fault (NULL if none).  Pointers are valid during the call
 * only. each() returns ERR_OK to continue; another value stops the walk and is
 * returned. */
struct kernel_result {
	uint32_t index;
	struct kernel_row kernel;
	size_t n_samples;
	const struct sample *samples;
	const struct fault_row *fault;
};
typedef int store_each_kernel(void *context, const struct kernel_result *r,
			      struct err *e);
int store_kernels(struct store *s, int64_t run, store_each_kernel *each,
		  void *context, struct err *e);

/* The same for part of a run. */
struct store_part {
	uint32_t first;   /* kernel */
	uint32_t end;     /* the kernel behind the last; 0: all that follow */
	const bool *skip; /* skip[k]: leave kernel k out; n_skip entries */
	size_t n_skip;
	bool labels_only; /* read no samples */
	bool code;        /* read code and register images */
};
int store_kernels_of(struct store *s, int64_t run,
		     const struct store_part *part, store_each_kernel *each,
		     void *context, struct err *e);

#endif
