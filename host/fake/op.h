/* One instruction as an operation of an invented core; part of the decoder. */
#ifndef FAKE_OP_H
#define FAKE_OP_H

#include "host/base/file.h"
#include "host/experiment/experiment.h"
#include "host/fake/kernel.h"
#include "host/isa/instance.h"

/* What stands around an instruction. */
struct fake_place {
	/* Registers at the start; NULL: each contains a different address. */
	const struct pack_image *image;
	/* Code before the loop, which sets up variants of forms. */
	const unsigned char *prologue;
	size_t prologue_bytes;
	/* The experiment; it decides between variants with equal bytes. */
	struct experiment experiment;
	/* The end of the loop.  Instructions there that the core lacks cost
	 * nothing. */
	bool ends_loop;
	/* A loop with its own branches, which cost what their lines say; and
	 * does the code go on where they lead to? */
	bool whole, follows;
	/* Bytes by which the instructions before have moved the stack
	 * pointer. */
	int64_t moved;
};

struct fake_op_decoder {
	const struct catalogue *c;
	const struct core *core;
	/* For each form of the catalogue, its line of the .core file: index
	 * into core->forms, n_forms if it has none, or NOT_YET. */
	uint32_t *by_form;
};

void fake_op_decoder_open(struct fake_op_decoder *d, const struct catalogue *c,
			  const struct core *core);
void fake_op_decoder_close(struct fake_op_decoder *d);

/* Decode the instruction at code[0..n) into *ret.  Returns NULL, or the
 * cause of its fault; *ret is then unchanged. */
const char *fake_decode_op(struct fake_op_decoder *d,
			   const struct fake_place *place,
			   const unsigned char *code, size_t n,
			   struct fake_op *ret);

/* Derive the members that follow from an op's latencies; again after its
 * sources changed. */
void fake_settle_latencies(struct fake_op *op);

/* form_of.c: the form of an instruction, with its operands; bytes it
 * takes, or 0.  *ret->form is NULL when there is no such form. */
size_t fake_find_instance(struct fake_op_decoder *d,
			  const struct fake_place *place,
			  const unsigned char *code, size_t n,
			  struct instance *ret);

/* Is the form one that the experiment measures? */
bool fake_is_measured(const struct fake_place *place, const struct form *f);

/* floats.c: what a form computes, bits of enum fake_fuse. */
unsigned fake_fuse_of(const struct form *f);

/* memory.c: the address an instance accesses; a stack pointer points `moved`
 * bytes behind where it did at the start. */
uint64_t fake_address(const struct catalogue *c, const struct instance *i,
		      const struct pack_image *image, int64_t moved);

/* memory.c: bytes by which an instance moves the stack pointer, negative for a
 * push; 0: it does not. */
int fake_stack_move(const struct catalogue *c, const struct form *f);

/* memory.c: does its address count from the stack pointer? */
bool fake_is_on_stack(const struct catalogue *c, const struct instance *i);

/* Give each address of the ops a cell behind the registers, and add it to
 * their sources and results.  False if there are too many. */
bool fake_assign_cells(struct fake_op *ops, size_t n);

#endif
