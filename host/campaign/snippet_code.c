/* The bytes of own code; see snippet.h. */
#include <inttypes.h>
#include <string.h>

#include "host/campaign/snippet.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

enum { MAX_PASSES = 64, MAX_BYTES = 16 };

/* The code while its jumps find their lengths. */
struct snippet_encoding {
	const struct program *p;
	const struct isa *isa;
	const struct snippet_region *r;
	size_t first, n;   /* instructions of the program */
	bool calls;        /* the system */
	bool calls_itself; /* some call goes to the region */
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

/* In a function, or where a return without a call is a fault. */
static bool may_return(const struct snippet_encoding *x, const struct insn *i)
{
	size_t k = (size_t)(i - x->p->insns) - x->first;

	return k < x->r->n_called || x->r->may_return || x->calls_itself;
}

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
	if ((calls && x->r->may_call) || (i->calls && i->target >= 0) ||
	    (i->returns && may_return(x, i)))
		return ERR_OK;
	if (calls || (f->flags & MC_CONTROL_FLOW && !i->jumps))
		return err_set(e, ERR_INPUT,
			       "%s: '%s' traps, returns without a call, or "
			       "goes to where no label of the code is; code "
			       "that is measured must stay inside",
			       snippet_place(a, p, i), what);
	return ERR_OK;
}

/* Does it depend on the address of the code? */
static bool is_relative(const struct catalogue *c, const struct insn *i)
{
	struct isa_address at;

	if (i->jumps || i->calls)
		return false;
	if (c->isa->loop->address(c, &i->instance, &at) && at.base >= 0)
		return c->regs[i->instance.reg[at.base]].bank != BANK_GPR;
	return form_has(i->instance.form, OPERAND_LABEL);
}

/* The code is for another address than the one that it gets. */
static int check_relative(struct arena *a, const struct snippet *s,
			  struct err *e)
{
	const struct program *p = &s->program;

	for (size_t k = 0; k < s->n_called + s->n_insns; k++) {
		const struct insn *i = snippet_insn(s, k);

		if (i->instance.form && is_relative(p->c, i))
			return err_set(
				e, ERR_INPUT,
				"%s: '%s' depends on the address of the "
				"code: of LLVM-EXEGESIS-SNIPPET-ADDRESS "
				"only the place in a line of 64 bytes is "
				"kept (docs/time.md)",
				snippet_place(a, p, i), i->text ? i->text : "");
	}
	return ERR_OK;
}

static int check_insns(struct arena *a, struct snippet_encoding *x,
		       struct err *e)
{
	size_t main = x->first + x->r->n_called;

	for (size_t k = main; k < x->first + x->n; k++)
		x->calls_itself |= x->p->insns[k].calls &&
				   x->p->insns[k].target >= (int64_t)main;
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

/* Bytes from a jump or call to its target. */
static bool distance_to(const struct catalogue *c, const struct instance *i,
			size_t n_code, int64_t *ret)
{
	return c->isa->loop->jump(c, i, n_code, ret) ||
	       c->isa->guest->call(c, i, n_code, ret);
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
	if (!distance_to(c, i, n_code, &zero))
		return 0;
	i->imm[at] = 1;
	if (!distance_to(c, i, n_code, &one) || one == zero)
		return 0;
	i->imm[at] = (distance - zero) / (one - zero);
	n = instance_encode(c, i, code, MAX_BYTES);
	if (n != n_code || instance_decode(c, code, n, &back) != n ||
	    !back.form || !distance_to(c, &back, n, &reached) ||
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
	uint32_t at = 0;

	for (size_t k = 0; k < x->n; k++) {
		int place = x->r->places ? x->r->places[k] : -1;

		if (place >= 0)
			at += (uint32_t)(place - (int)(at % PROGRAM_LINE) +
					 PROGRAM_LINE) %
			      PROGRAM_LINE;
		x->offsets[k] = at;
		at += x->bytes[k];
	}
	x->offsets[x->n] = at;
}

static bool has_target(const struct insn *i)
{
	return i->jumps || (i->calls && i->target >= 0);
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

			if (!has_target(i) ||
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
	const struct isa_code *padding = &x->isa->padding;
	uint32_t at = 0;

	for (size_t k = 0; k < x->n; k++) {
		const struct insn *i = &x->p->insns[x->first + k];

		for (; at + padding->n <= x->offsets[k]; at += padding->n)
			memcpy(ret + at, padding->bytes, padding->n);
		at = x->offsets[k] + x->bytes[k];
		if (has_target(i))
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
			has_target(i)
				? (uint8_t)encoded_bytes(x->p->c, &i->instance)
				: i->n_code;
	}
}

int snippet_encode_region(struct arena *a, const struct snippet_region *r,
			  struct snippet_bytes *ret, struct err *e)
{
	const struct program *p = r->program;
	struct snippet_encoding x = {
		.p = p, .isa = p->c->isa, .first = r->first, .r = r, .n = r->n
	};
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

uint8_t snippet_place_in_line(const struct snippet_request *q)
{
	const struct program *p = q->program;

	if (q->offset >= 0)
		return (uint8_t)(q->offset % PROGRAM_LINE);
	return p->placed ? (uint8_t)(p->insns[q->loop->first].address %
				     PROGRAM_LINE)
			 : 0;
}

int snippet_encode(struct arena *a, const struct snippet_request *q,
		   struct snippet *ret, struct err *e)
{
	struct snippet_bytes x = { .n = 0 };
	const struct snippet_region region = {
		.program = &ret->program,
		.first = ret->loop.first - ret->n_called,
		.n = ret->n_called + ret->n_insns,
		.may_call = q->pages,
		.places = ret->places,
		.n_called = ret->n_called,
		.may_return = q->pages || q->program->c->isa->frame->link >= 0,
	};

	if ((q->placed_at && check_relative(a, ret, e) != ERR_OK) ||
	    snippet_encode_region(a, &region, &x, e) != ERR_OK)
		return e->code;
	ret->gen.calls_system = x.calls_system;
	ret->gen.code = x.code;
	ret->gen.n = x.n;
	ret->gen.forms = x.forms;
	ret->gen.n_forms = region.n;
	ret->gen.own_loop = ret->own_loop;
	ret->offsets = x.offsets;
	return ERR_OK;
}
