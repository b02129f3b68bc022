/* The bytes of own code; see snippet.h. */
#include <inttypes.h>
#include <string.h>

#include "host/campaign/snippet.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

enum { MAX_PASSES = 64, MAX_BYTES = 16 };

/* The code while its jumps find their lengths. */
struct snippet_encoding {
	const struct program *p;
	const struct isa *isa;
	size_t first, n; /* instructions of the program */
	bool may_call, calls;
	struct instance *jumps;
	uint8_t *bytes;
	uint32_t *offsets; /* n + 1 */
};

const char *snippet_place(struct arena *a, const struct program *p,
			  const struct insn *i)
{
	return p->source && i->line > 0
		       ? arena_printf(a, "%s, line %u", p->source->name,
				      (unsigned)i->line)
		       : arena_printf(a, "address %" PRIx64, i->address);
}

struct snippet_uses snippet_uses(const struct catalogue *c,
				 const struct insn *i)
{
	const struct form *f = i->instance.form;
	struct snippet_uses ret = { 0 };

	for (unsigned k = 0; k < f->n_operands; k++) {
		const struct operand *o = &f->operands[k];
		uint16_t reg =
			k < f->n_explicit ? i->instance.reg[k] : o->fixed_reg;
		const struct reg *r = &c->regs[reg];
		uint32_t bits;

		if (reg == REG_NONE || r->bank != BANK_GPR || r->index >= 32)
			continue;
		bits = (uint32_t)((1ull << r->span) - 1) << r->index;
		if (o->read || o->kind == OPERAND_MEM)
			ret.reads |= bits;
		if (o->write)
			ret.writes |= bits;
	}
	return ret;
}

/* ---- what cannot be measured ---------------------------------------------- */

static int check_insn(struct arena *a, struct snippet_encoding *x,
		      const struct insn *i, struct err *e)
{
	const struct program *p = x->p;
	const struct form *f = i->instance.form;
	const char *what = i->text ? i->text : f ? f->name : "";
	bool calls;

	if (!f)
		return err_set(e, ERR_INPUT,
			       "%s: '%s' is no instruction that this program "
			       "knows",
			       snippet_place(a, p, i), what);
	calls = name_matches_any(p->c->isa->frame->calls_system, f->name);
	x->calls |= calls;
	if (calls && x->may_call)
		return ERR_OK;
	if (calls || (f->flags & MC_CONTROL_FLOW && !i->jumps))
		return err_set(e, ERR_INPUT,
			       "%s: '%s' calls, returns, traps or jumps to "
			       "where no label is; code that is measured must "
			       "stay inside",
			       snippet_place(a, p, i), what);
	return ERR_OK;
}

/* Does it depend on the address of the code? */
static bool is_relative(const struct catalogue *c, const struct insn *i)
{
	struct isa_address at;

	if (i->jumps)
		return false;
	if (c->isa->loop->address(c, &i->instance, &at) && at.base >= 0)
		return c->regs[i->instance.reg[at.base]].bank != BANK_GPR;
	return form_has(i->instance.form, OPERAND_LABEL);
}

/* The code is for another address than the one that it gets. */
static int check_relative(struct arena *a, const struct program *p,
			  const struct loop *l, struct err *e)
{
	for (size_t k = l->first; k <= l->last; k++) {
		const struct insn *i = &p->insns[k];

		if (i->instance.form && is_relative(p->c, i))
			return err_set(
				e, ERR_INPUT,
				"%s: '%s' depends on the address of the "
				"code: of LLVM-EXEGESIS-SNIPPET-ADDRESS "
				"only the place in a line of 64 bytes is "
				"kept (docs/time-peers.md)",
				snippet_place(a, p, i), i->text ? i->text : "");
	}
	return ERR_OK;
}

static int check_insns(struct arena *a, struct snippet_encoding *x,
		       struct err *e)
{
	for (size_t k = 0; k < x->n; k++)
		if (check_insn(a, x, &x->p->insns[x->first + k], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* ---- jumps ------------------------------------------------------------------ */

/* Its operand that is the target; -1: none. */
static int label_operand(const struct form *f)
{
	for (int k = f->n_explicit - 1; k >= 0; k--)
		if (f->operands[k].kind == OPERAND_LABEL)
			return k;
	return f->n_explicit - 1;
}

/* Encode a jump over so many bytes.  Its operand counts in units of its own,
 * from its begin or its end; two decoded ones show which. */
static size_t encode_jump(const struct catalogue *c, struct instance *i,
			  size_t n_code, int64_t distance, uint8_t *code)
{
	int at = label_operand(i->form);
	struct instance back = { 0 };
	int64_t zero, one, reached;
	size_t n;

	if (at < 0)
		return 0;
	i->imm[at] = 0;
	if (!c->isa->loop->jump(c, i, n_code, &zero))
		return 0;
	i->imm[at] = 1;
	if (!c->isa->loop->jump(c, i, n_code, &one) || one == zero)
		return 0;
	i->imm[at] = (distance - zero) / (one - zero);
	n = instance_encode(c, i, code, MAX_BYTES);
	if (n != n_code || instance_decode(c, code, n, &back) != n ||
	    !back.form || !c->isa->loop->jump(c, &back, n, &reached) ||
	    reached != distance)
		return 0;
	return n;
}

/* The same jump with a longer distance; NULL: there is none. */
static const struct form *longer_jump(const struct catalogue *c,
				      const struct form *f)
{
	const char *const *names = c->isa->frame->longer;

	for (; names && *names; names += 2)
		if (strcmp(names[0], f->name) == 0)
			return catalogue_form(c, names[1]);
	return NULL;
}

static size_t encoded_bytes(const struct catalogue *c, const struct instance *i)
{
	unsigned char code[MAX_BYTES];

	return instance_encode(c, i, code, sizeof(code));
}

/* Where instruction k goes: to one of the code, else to the end. */
static int64_t distance_of(const struct snippet_encoding *x, size_t k)
{
	int64_t target =
		(int64_t)x->p->insns[x->first + k].target - (int64_t)x->first;

	if (target < 0 || target >= (int64_t)x->n)
		target = (int64_t)x->n;
	return (int64_t)x->offsets[target] - (int64_t)x->offsets[k];
}

static void lay_out(struct snippet_encoding *x)
{
	for (size_t k = 0; k < x->n; k++)
		x->offsets[k + 1] = x->offsets[k] + x->bytes[k];
}

/* Make jumps longer until all reach. */
static int settle_jumps(struct arena *a, struct snippet_encoding *x,
			struct err *e)
{
	const struct catalogue *c = x->p->c;
	bool changed = true;

	for (int pass = 0; changed && pass < MAX_PASSES; pass++) {
		changed = false;
		lay_out(x);
		for (size_t k = 0; k < x->n; k++) {
			const struct insn *i = &x->p->insns[x->first + k];
			const struct form *longer;
			uint8_t code[MAX_BYTES];

			if (!i->jumps ||
			    encode_jump(c, &x->jumps[k], x->bytes[k],
					distance_of(x, k), code))
				continue;
			longer = longer_jump(c, x->jumps[k].form);
			if (!longer)
				return err_set(e, ERR_INPUT,
					       "%s: '%s' does not reach its "
					       "target",
					       snippet_place(a, x->p, i),
					       i->text ? i->text : "");
			x->jumps[k].form = longer;
			x->bytes[k] = (uint8_t)encoded_bytes(c, &x->jumps[k]);
			changed = true;
		}
	}
	return ERR_OK;
}

static void add_bytes(const struct snippet_encoding *x, uint8_t *ret)
{
	for (size_t k = 0; k < x->n; k++) {
		const struct insn *i = &x->p->insns[x->first + k];

		if (i->jumps)
			(void)encode_jump(x->p->c, &x->jumps[k], x->bytes[k],
					  distance_of(x, k),
					  ret + x->offsets[k]);
		else
			memcpy(ret + x->offsets[k], i->code, i->n_code);
	}
}

/* Bytes of each instruction: of a jump those of the form that it has. */
static void begin_encoding(struct snippet_encoding *x)
{
	for (size_t k = 0; k < x->n; k++) {
		const struct insn *i = &x->p->insns[x->first + k];

		x->jumps[k] = i->instance;
		x->bytes[k] =
			i->jumps ? (uint8_t)encoded_bytes(x->p->c, &i->instance)
				 : i->n_code;
	}
}

int snippet_encode_region(struct arena *a, const struct snippet_region *r,
			  struct snippet_bytes *ret, struct err *e)
{
	const struct program *p = r->program;
	struct snippet_encoding x = { .p = p,
				      .isa = p->c->isa,
				      .first = r->first,
				      .n = r->n,
				      .may_call = r->may_call };
	const struct form **forms;
	uint8_t *code;

	x.jumps = ARENA_ARRAY(a, struct instance, x.n + 1);
	x.bytes = ARENA_ARRAY(a, uint8_t, x.n + 1);
	x.offsets = ARENA_ARRAY(a, uint32_t, x.n + 1);
	if (check_insns(a, &x, e) != ERR_OK)
		return e->code;
	begin_encoding(&x);
	if (settle_jumps(a, &x, e) != ERR_OK)
		return e->code;
	code = ARENA_ARRAY(a, uint8_t, x.offsets[x.n] + MAX_BYTES);
	add_bytes(&x, code);
	forms = ARENA_ARRAY(a, const struct form *, x.n + 1);
	for (size_t k = 0; k < x.n; k++)
		forms[k] = p->insns[x.first + k].instance.form;
	*ret = (struct snippet_bytes){ .calls_system = x.calls,
				       .code = code,
				       .n = x.offsets[x.n],
				       .offsets = x.offsets,
				       .forms = forms };
	return ERR_OK;
}

int snippet_encode(struct arena *a, const struct snippet_request *q,
		   struct snippet *ret, struct err *e)
{
	const struct loop *l = q->loop;
	size_t n = l->last - l->first + 1;
	struct snippet_bytes x = { .n = 0 };

	ret->own_loop = q->mode != SNIPPET_UNROLL && l->closed;
	if (q->mode == SNIPPET_LOOP && !l->closed)
		return err_set(e, ERR_INPUT,
			       "%s: the code does not end in a branch to its "
			       "begin; use --mode unroll",
			       q->name);
	if (l->closed && !ret->own_loop)
		n--;
	if (n == 0)
		return err_set(e, ERR_INPUT, "%s: no instructions", q->name);
	if (q->placed_at && check_relative(a, q->program, l, e) != ERR_OK)
		return e->code;
	if (snippet_encode_region(
		    a,
		    &(struct snippet_region){ .program = q->program,
					      .first = l->first,
					      .n = n,
					      .may_call = q->pages },
		    &x, e) != ERR_OK)
		return e->code;
	ret->gen.calls_system = x.calls_system;
	ret->gen.code = x.code;
	ret->gen.n = x.n;
	ret->gen.forms = x.forms;
	ret->gen.n_forms = n;
	ret->gen.own_loop = ret->own_loop;
	ret->offsets = x.offsets;
	ret->n_insns = n;
	return ERR_OK;
}
