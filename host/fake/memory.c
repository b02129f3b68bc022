/* Memory of an invented core; see op.h.
 *
 * Each address that a kernel accesses is a cell, and a cell is a register: a
 * store writes it, and a later load waits for the store.  An address is
 * computed from the registers before the first iteration, because kernels do
 * not change them.  The catalogue only bounds the width of an access, so two
 * accesses meet if they begin at the same place. */
#include <stdlib.h>
#include <string.h>

#include "host/fake/op.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum { FAR_APART = 44 }; /* bits between registers without an image */

static uint64_t register_value(const struct catalogue *c, uint16_t reg,
			       const struct pack_image *image)
{
	const struct reg *r = &c->regs[reg];

	if (reg == REG_NONE || reg >= c->n_regs || r->bank != BANK_GPR ||
	    r->index >= ARRAY_LEN(image->gpr))
		return 0;
	if (!image)
		return ((uint64_t)r->index + 1) << FAR_APART;
	/* Offsets and plain numbers are kept apart from addresses. */
	return image->gpr[r->index] +
	       ((uint64_t)(image->gpr_is_memory >> r->index & 1) << FAR_APART);
}

int fake_stack_move(const struct catalogue *c, const struct form *f)
{
	const struct isa_loop *loop = c->isa->loop;

	return loop && loop->stack_move ? loop->stack_move(f) : 0;
}

/* The general register that is the stack pointer, or -1. */
static int stack_number(const struct catalogue *c)
{
	return c->isa->loop && c->isa->loop->stack_move
		       ? c->isa->loop->stack_gpr
		       : -1;
}

static bool is_stack_base(const struct catalogue *c, const struct instance *i,
			  int operand)
{
	uint16_t r = i->reg[operand];

	return i->form->operands[operand].role == ROLE_BASE && r != REG_NONE &&
	       r < c->n_regs && c->regs[r].bank == BANK_GPR &&
	       c->regs[r].index == stack_number(c);
}

bool fake_is_on_stack(const struct catalogue *c, const struct instance *i)
{
	for (int k = 0; k < i->form->n_explicit; k++)
		if (is_stack_base(c, i, k))
			return true;
	return fake_stack_move(c, i->form) != 0;
}

/* The number of the stack pointer itself. */
static uint64_t stack_value(const struct catalogue *c,
			    const struct pack_image *image)
{
	for (uint16_t r = 0; r < c->n_regs; r++)
		if (c->regs[r].bank == BANK_GPR &&
		    c->regs[r].index == stack_number(c))
			return register_value(c, r, image);
	return 0;
}

uint64_t fake_address(const struct catalogue *c, const struct instance *i,
		      const struct pack_image *image, int64_t moved)
{
	int move = fake_stack_move(c, i->form);

	uint64_t base = 0;
	uint64_t index = 0;
	uint64_t other = 0; /* a scale, or a displacement that is kept */

	/* A push has moved the pointer before it stores. */
	if (move != 0)
		base = stack_value(c, image) +
		       (uint64_t)(moved + (move < 0 ? move : 0));
	for (int k = 0; k < i->form->n_explicit; k++) {
		switch (i->form->operands[k].role) {
		case ROLE_BASE:
			base += register_value(c, i->reg[k], image);
			if (is_stack_base(c, i, k))
				base += (uint64_t)moved;
			break;
		case ROLE_INDEX:
		case ROLE_OPTIONAL_INDEX:
			index += register_value(c, i->reg[k], image);
			break;
		case ROLE_DISPLACEMENT:
			base += (uint64_t)i->imm[k] * i->form->unit_bytes;
			break;
		case ROLE_OTHER:
			other += (uint64_t)i->imm[k];
			break;
		default:
			break;
		}
	}
	return base + other + index * (1 + other);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The addresses of ops, sorted, each once.  Returns how many. */
static size_t find_addresses(const struct fake_op *ops, size_t n,
			     uint64_t *addresses)
{
	size_t n_all = 0;
	size_t last = 0;

	for (size_t i = 0; i < n; i++)
		if (ops[i].loads || ops[i].stores)
			addresses[n_all++] = ops[i].address;
	if (n_all == 0)
		return 0;
	qsort(addresses, n_all, sizeof(*addresses), by_value);
	for (size_t i = 1; i < n_all; i++)
		if (addresses[i] != addresses[last])
			addresses[++last] = addresses[i];
	return last + 1;
}

static bool is_stored_to(const struct fake_op *ops, size_t n, uint64_t address)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].stores && ops[i].address == address)
			return true;
	return false;
}

/* A cell that no op stores to is not a source: it is ready from the start. */
static void drop_constants(struct fake_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!ops[i].loads || is_stored_to(ops, n, ops[i].address))
			continue;
		ops[i].loads = false;
		ops[i].n_src--;
		fake_settle_latencies(&ops[i]);
	}
}

bool fake_assign_cells(struct fake_op *ops, size_t n)
{
	uint64_t *addresses = xrealloc(NULL, n + 1, sizeof(*addresses));
	size_t n_addresses;

	drop_constants(ops, n);
	n_addresses = find_addresses(ops, n, addresses);

	for (size_t i = 0; i < n && n_addresses <= FAKE_CELLS; i++) {
		struct fake_op *op = &ops[i];
		const uint64_t *at;
		struct fake_reg cell = { .span = 1 };

		if (!op->loads && !op->stores)
			continue;
		at = bsearch(&op->address, addresses, n_addresses,
			     sizeof(*addresses), by_value);
		cell.slot = (uint16_t)(FAKE_REG_SLOTS + (at - addresses));
		/* It stands behind the registers. */
		if (op->loads)
			op->src[op->n_src - 1] = cell;
		if (op->stores)
			op->dst[op->n_dst - 1] = cell;
	}
	free(addresses);
	return n_addresses <= FAKE_CELLS;
}
