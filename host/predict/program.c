/* Build a program. Text goes through LLVM's parser, encoder and decoder; bytes
 * go through the decoder. Both give the same forms. */
#include "host/predict/program.h"

#include <stdlib.h>
#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/mc_parse.h"

struct bytes_reader {
	struct arena *a;
	struct program *p;
	const struct source *s;
	uint64_t address;
	uint32_t state; /* for isa_loop.variant */
	/* Of text: prefixes that were statements of their own, as in
	 * "lock; addq", their text and the line of the last one. */
	unsigned char code[2 * MC_MAX_CODE];
	size_t n_prefix;
	const char *prefix_text;
	uint32_t prefix_line;
	/* Machine code in directives that no instruction has followed yet, and
	 * the line of each byte. */
	unsigned char *raw;
	uint32_t *raw_lines;
	size_t n_raw, raw_room, line_room;
	struct err *e;
};

static void *program_grow(struct arena *a, void *old, size_t n, size_t *room,
			  size_t size)
{
	void *more;

	if (n < *room)
		return old;
	*room = *room ? 2 * *room : 64;
	more = arena_alloc(a, *room, size);
	if (n > 0)
		memcpy(more, old, n * size);
	return more;
}

void program_label(struct arena *a, struct program *p, const char *name,
		   uint32_t line, size_t insn)
{
	p->labels = program_grow(a, p->labels, p->n_labels, &p->label_room,
				 sizeof(*p->labels));
	p->labels[p->n_labels++] = (struct code_label){
		.name = arena_strdup(a, name),
		.line = line,
		.insn = insn,
	};
}

/* Append an instruction. Bytes that do not decode give NULL, or with `whole` an
 * instruction without a form. */
static struct insn *add_insn(struct bytes_reader *r, const unsigned char *code,
			     size_t n, bool whole)
{
	struct program *p = r->p;
	const struct isa_loop *rules = p->c->isa->loop;
	struct instance x = { 0 };
	unsigned char near[4];
	size_t two = rules->relax ? rules->relax(code, n, near) : 0, size;
	int64_t offset;
	struct insn *i;

	if (two > 0) {
		code = near;
		n = sizeof(near);
	}
	size = n > 0 ? instance_decode_whole(p->c, code, n, &x) : 0;
	if (size == 0 && !whole)
		return NULL;
	p->insns =
		program_grow(r->a, p->insns, p->n, &p->room, sizeof(*p->insns));
	i = &p->insns[p->n++];
	*i = (struct insn){ .instance = x,
			    .address = r->address,
			    .n_code = (uint8_t)(whole ? n : size),
			    .target = -1,
			    .symbol = "" };
	i->code = arena_copy(r->a, code, i->n_code);
	r->address += two > 0 ? two : i->n_code;
	if (!x.form)
		return i;
	if (rules->variant)
		i->instance.form =
			rules->variant(p->c, &i->instance, &r->state);
	i->jumps = rules->jump(p->c, &i->instance, i->n_code, &offset);
	i->calls =
		p->c->isa->guest->call(p->c, &i->instance, i->n_code, &offset);
	i->returns = p->c->isa->guest->returns(p->c, &i->instance);
	return i;
}

static size_t add_one(struct bytes_reader *r, const unsigned char *code,
		      size_t n, enum program_data data);

/* ---- text -------------------------------------------------------------- */

/* The text of a statement, behind that of its prefixes. */
static const char *statement_text(const struct bytes_reader *r, uint32_t line)
{
	const char *text = source_line(r->a, r->s, line);

	if (r->n_prefix == 0)
		return text;
	return r->prefix_line == line
		       ? r->prefix_text
		       : arena_printf(r->a, "%s %s", r->prefix_text, text);
}

/* Nothing else: an instruction may be behind them. */
static bool are_prefixes(const struct catalogue *c, const unsigned char *code,
			 size_t n)
{
	struct instance x;

	return n > 0 && instance_decode_whole(c, code, n, &x) == n &&
	       instance_is_prefix(x.form);
}

/* Prefixes without an instruction behind them are one. */
static int end_prefixes(struct bytes_reader *r)
{
	struct insn *i;

	if (r->n_prefix == 0)
		return ERR_OK;
	if (r->p->n == PROGRAM_MAX_INSNS)
		return err_set(r->e, ERR_INPUT,
			       "%s has more than %d instructions", r->s->name,
			       PROGRAM_MAX_INSNS);
	i = add_insn(r, r->code, r->n_prefix, true);
	i->line = r->prefix_line;
	i->text = r->prefix_text;
	r->n_prefix = 0;
	return ERR_OK;
}

static void add_raw(struct bytes_reader *r, const struct mc_statement *s)
{
	for (size_t k = 0; k < s->n_code; k++) {
		r->raw = program_grow(r->a, r->raw, r->n_raw, &r->raw_room,
				      sizeof(*r->raw));
		r->raw_lines =
			program_grow(r->a, r->raw_lines, r->n_raw,
				     &r->line_room, sizeof(*r->raw_lines));
		r->raw[r->n_raw] = s->code[k];
		r->raw_lines[r->n_raw++] = s->line;
	}
}

/* Prefixes that end the machine code of directives belong to the instruction
 * behind it: gcc writes those of a thread's variable so (".byte 0x66;
 * leaq"). */
static bool keep_prefixes(struct bytes_reader *r, size_t at)
{
	size_t n = r->n_raw - at;

	if (n > MC_MAX_CODE || !are_prefixes(r->p->c, r->raw + at, n))
		return false;
	memcpy(r->code, r->raw + at, n);
	r->n_prefix = n;
	r->prefix_line = r->raw_lines[at];
	r->prefix_text = source_line(r->a, r->s, r->prefix_line);
	return true;
}

/* Decode the machine code of directives: one instruction may take several of
 * them.  Bytes that are no instruction have no form. */
static int end_raw(struct bytes_reader *r)
{
	for (size_t at = 0; at < r->n_raw && !keep_prefixes(r, at);) {
		size_t first = r->p->n;

		if (first == PROGRAM_MAX_INSNS)
			return err_set(r->e, ERR_INPUT,
				       "%s has more than %d instructions",
				       r->s->name, PROGRAM_MAX_INSNS);
		size_t n = add_one(r, r->raw + at, r->n_raw - at, DATA_SKIPPED);

		if (r->p->n > first)
			r->p->insns[first].line = r->raw_lines[at];
		at += n;
	}
	r->n_raw = 0;
	return ERR_OK;
}

static int program_take(void *context, const struct mc_statement *s)
{
	struct bytes_reader *r = context;
	struct insn *i;

	if (s->is_raw) {
		if (end_prefixes(r) != ERR_OK)
			return r->e->code;
		add_raw(r, s);
		return ERR_OK;
	}
	if (end_raw(r) != ERR_OK)
		return r->e->code;

	if (s->is_label) {
		if (r->p->n_labels == PROGRAM_MAX_INSNS)
			return err_set(r->e, ERR_INPUT,
				       "%s has more than %d labels", r->s->name,
				       PROGRAM_MAX_INSNS);
		program_label(r->a, r->p, s->name, s->line, r->p->n);
		return ERR_OK;
	}
	if ((s->n_code == 0 || r->n_prefix + s->n_code > MC_MAX_CODE) &&
	    end_prefixes(r) != ERR_OK)
		return r->e->code;
	if (r->p->n == PROGRAM_MAX_INSNS)
		return err_set(r->e, ERR_INPUT,
			       "%s has more than %d instructions", r->s->name,
			       PROGRAM_MAX_INSNS);
	memcpy(r->code + r->n_prefix, s->code, s->n_code);
	if (are_prefixes(r->p->c, r->code, r->n_prefix + s->n_code)) {
		r->prefix_text = statement_text(r, s->line);
		r->prefix_line = s->line;
		r->n_prefix += s->n_code;
		return ERR_OK;
	}
	i = add_insn(r, r->code, r->n_prefix + s->n_code, true);
	i->line = s->line;
	i->text = statement_text(r, s->line);
	r->n_prefix = 0;
	i->symbol = arena_strdup(r->a, s->name);
	return ERR_OK;
}

struct named_insn {
	const char *name;
	size_t insn;
};

static int program_by_name(const void *a, const void *b)
{
	const struct named_insn *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int program_by_place(const void *a, const void *b)
{
	const struct named_insn *x = a, *y = b;
	int order = program_by_name(a, b);

	return order != 0 ? order : x->insn < y->insn ? -1 : x->insn > y->insn;
}

/* Of several labels with a name the first counts. */
static void link_names(struct arena *a, struct program *p)
{
	struct named_insn *names =
		ARENA_ARRAY(a, struct named_insn, p->n_labels + 1);
	size_t n = 0;

	for (size_t i = 0; i < p->n_labels; i++)
		names[i] = (struct named_insn){ p->labels[i].name,
						p->labels[i].insn };
	qsort(names, p->n_labels, sizeof(*names), program_by_place);
	for (size_t i = 0; i < p->n_labels; i++)
		if (n == 0 || program_by_name(&names[n - 1], &names[i]) != 0)
			names[n++] = names[i];
	for (size_t i = 0; i < p->n; i++) {
		struct insn *x = &p->insns[i];
		const struct named_insn key = { x->symbol, 0 }, *found;

		if (!(x->jumps || x->calls) || *x->symbol == '\0')
			continue;
		found = bsearch(&key, names, n, sizeof(*names),
				program_by_name);
		if (found)
			x->target = (int32_t)found->insn;
		if (found || x->jumps)
			x->symbol = "";
	}
}

int program_from_text(struct arena *a, const struct catalogue *c,
		      struct mc_parser *parser, const struct source *s,
		      struct program *ret, struct err *e)
{
	struct program p = { .c = c, .source = s };
	struct bytes_reader r = { .a = a, .p = &p, .s = s, .e = e };
	const struct mc_text text = {
		.name = s->name,
		.text = s->clean,
		.n = s->n,
		.dialect = s->dialect == DIALECT_INTEL,
	};
	int status = mc_parse(parser, &text, program_take, &r, e);

	if (status == ERR_OK)
		status = end_raw(&r);
	if (status == ERR_OK)
		status = end_prefixes(&r);
	if (status != ERR_OK)
		return status;
	link_names(a, &p);
	*ret = p;
	return ERR_OK;
}

/* ---- bytes ------------------------------------------------------------- */

/* Detect IACA's marker: 111 or 222 moved to a register right before these
 * bytes. Marks the region and returns how many bytes to skip. */
static size_t program_marker_bytes(struct bytes_reader *r, const struct insn *x,
				   const unsigned char *next, size_t n)
{
	enum { BEGIN = 111, END = 222 };
	const struct isa_loop *rules = r->p->c->isa->loop;
	struct program *p = r->p;
	int64_t moved = 0;

	if (n < rules->n_marker || !x->instance.form ||
	    memcmp(next, rules->marker, rules->n_marker) != 0)
		return 0;
	for (unsigned k = 0; k < x->instance.form->n_explicit; k++)
		if (x->instance.imm[k] == BEGIN || x->instance.imm[k] == END)
			moved = x->instance.imm[k];
	if (moved == 0)
		return 0;
	p->marks = program_grow(r->a, p->marks, p->n_marks, &p->mark_room,
				sizeof(*p->marks));
	p->marks[p->n_marks++] = (struct region_mark){
		.begins = moved == BEGIN,
		.insn = moved == BEGIN ? p->n : p->n - 1,
	};
	return rules->n_marker;
}

static size_t add_one(struct bytes_reader *r, const unsigned char *code,
		      size_t n, enum program_data data)
{
	const struct catalogue *c = r->p->c;
	uint64_t address = r->address;
	struct insn *i = add_insn(r, code, n, false);
	size_t unit = c->isa->loop->code_unit, size;
	char text[256];

	if (i) {
		text[0] = '\0';
		if (!r->p->textless)
			(void)instance_text(c, i->code, i->n_code, text,
					    sizeof(text));
		i->text = arena_strdup(r->a, text);
		size = (size_t)(r->address - address);
		return size + program_marker_bytes(r, i, code + size, n - size);
	}
	if (data == DATA_REFUSED)
		return 0;
	i = add_insn(r, code, n < unit ? n : unit, true);
	i->instance.form = NULL;
	i->jumps = i->calls = i->returns = false;
	i->text = "(data)";
	return i->n_code;
}

int program_add_bytes(struct arena *a, struct program *p,
		      const struct code *code, uint64_t address,
		      enum program_data data, struct err *e)
{
	struct bytes_reader r = { .a = a, .p = p, .e = e };
	const unsigned char *bytes = code->bytes;

	for (size_t at = 0; at < code->n;) {
		size_t size;

		if (p->n == PROGRAM_MAX_INSNS)
			return err_set(e, ERR_INPUT,
				       "%s has more than %d instructions",
				       code->name, PROGRAM_MAX_INSNS);
		r.address = address + at;
		size = add_one(&r, bytes + at, code->n - at, data);
		if (size == 0)
			return err_set(
				e, ERR_INPUT,
				"%s: byte %zu: this is no instruction of %s",
				code->name, at, p->c->isa->name);
		at += size;
	}
	return ERR_OK;
}

size_t program_search(const struct program *p, size_t first,
		      bool (*is_before)(const struct insn *x, uint64_t key),
		      uint64_t key)
{
	size_t high = p->n;

	while (first < high) {
		size_t mid = first + (high - first) / 2;

		if (is_before(&p->insns[mid], key))
			first = mid + 1;
		else
			high = mid;
	}
	return first;
}

static bool is_below(const struct insn *x, uint64_t address)
{
	return x->address < address;
}

static void link_address(struct program *p, struct insn *x)
{
	const struct isa *isa = p->c->isa;
	int64_t offset = 0;
	uint64_t to;
	size_t at;

	/* A call of 0 bytes' distance is one of an address in a register. */
	if (!isa->loop->jump(p->c, &x->instance, x->n_code, &offset) &&
	    (!isa->guest->call(p->c, &x->instance, x->n_code, &offset) ||
	     offset == 0))
		return;
	to = x->address + (uint64_t)offset;
	at = program_search(p, 0, is_below, to);
	if (at < p->n && p->insns[at].address == to)
		x->target = (int32_t)at;
}

void program_link(struct arena *a, struct program *p)
{
	for (size_t i = 0; i < p->n; i++)
		if ((p->insns[i].jumps || p->insns[i].calls) &&
		    *p->insns[i].symbol == '\0' && p->insns[i].target < 0)
			link_address(p, &p->insns[i]);
	link_names(a, p);
}
