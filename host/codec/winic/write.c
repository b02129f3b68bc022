/* Writes WINIC's YAML: a sequence with one map per instruction.
 *
 * There is one document per board and ISA, because the format stores neither.
 * The operand list merges tied uses and omits memory; latencies refer to
 * indices of that list, not to LLVM's.  The format has no verdicts; values that
 * are not settled are null. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "host/base/order.h"
#include "host/base/version.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/winic/place.h"
#include "host/isa/isa.h"
#include "host/isa/value_words.h"
#include "host/model/settled.h"

/* A claim, copied; strings belong to the arena. */
struct winic_line {
	const char *isa, *board, *form, *kind, *source, *destination;
	bool known;
	double low, high;
	bool exact; /* `value` is known */
	double value;
};

struct winic {
	struct arena a;
	struct buffer values; /* struct winic_line */
	const struct catalogue *c;
	yaml_emitter_t yaml;
	bool failed; /* the emitter is out of memory */
};

static int winic_keep(void *context, const struct claim *c, struct err *e)
{
	struct winic *w = context;
	struct winic_line v = {
		.isa = arena_strdup(&w->a, c->isa),
		.board = arena_strdup(&w->a, c->board),
		.form = arena_strdup(&w->a, c->form),
		.kind = arena_strdup(&w->a, c->kind),
		.source = arena_strdup(&w->a, c->source),
		.destination = arena_strdup(&w->a, c->destination),
		.known = claim_settled(c),
		.low = c->low_cycles,
		.high = c->high_cycles,
	};

	(void)e;
	v.exact = claim_exact(c, &v.value);
	buffer_add(&w->values, &v, sizeof(v));
	return ERR_OK;
}

/* Order by document (ISA and board), then form, kind and operands. */
static int winic_compare(const void *a, const void *b)
{
	const struct winic_line *x = a, *y = b;
	const char *const pairs[][2] = {
		{ x->isa, y->isa },       { x->board, y->board },
		{ x->form, y->form },     { x->kind, y->kind },
		{ x->source, y->source }, { x->destination, y->destination },
	};

	return order_texts(pairs, ARRAY_LEN(pairs));
}

static void winic_emit(struct winic *w, yaml_event_t *event, int initialized)
{
	/* yaml_emitter_emit() takes ownership of the event, even if it
	 * fails. */
	if (!initialized || !yaml_emitter_emit(&w->yaml, event))
		w->failed = true;
}

static void winic_begin_list(struct winic *w, yaml_sequence_style_t style)
{
	yaml_event_t v;

	winic_emit(
		w, &v,
		yaml_sequence_start_event_initialize(&v, NULL, NULL, 1, style));
}

static void winic_end_list(struct winic *w)
{
	yaml_event_t v;

	winic_emit(w, &v, yaml_sequence_end_event_initialize(&v));
}

static void winic_begin_map(struct winic *w)
{
	yaml_event_t v;

	winic_emit(w, &v,
		   yaml_mapping_start_event_initialize(
			   &v, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
}

static void winic_end_map(struct winic *w)
{
	yaml_event_t v;

	winic_emit(w, &v, yaml_mapping_end_event_initialize(&v));
}

/* Emit a scalar; `quoted` makes "1" a string. */
static void winic_scalar(struct winic *w, const char *text, bool quoted)
{
	yaml_event_t v;
	yaml_char_t *copy = arena_copy(&w->a, text, strlen(text) + 1);

	winic_emit(w, &v,
		   yaml_scalar_event_initialize(
			   &v, NULL, NULL, copy, (int)strlen(text), !quoted, 1,
			   quoted ? YAML_SINGLE_QUOTED_SCALAR_STYLE
				  : YAML_PLAIN_SCALAR_STYLE));
}

static void winic_pair(struct winic *w, const char *key, const char *value)
{
	winic_scalar(w, key, false);
	winic_scalar(w, value, false);
}

static void winic_number(struct winic *w, const char *key, bool known,
			 double value)
{
	char text[NUMBER_ROOM] = "null";

	if (known)
		number_text(value, text);
	winic_pair(w, key, text);
}

/* Is the operand read?  A tied use and its definition are one operand of the
 * list. */
static bool is_read(const struct form *f, int i)
{
	if (f->operands[i].read)
		return true;
	for (int k = 0; k < f->n_operands; k++)
		if (f->operands[k].tied_to == i && f->operands[k].read)
			return true;
	return false;
}

static void emit_operands(struct winic *w, const struct form *f)
{
	bool any = false;

	for (int i = 0; i < f->n_operands; i++)
		any |= operand_listed(&f->operands[i]);
	winic_scalar(w, "operands", false);
	winic_begin_list(w, any ? YAML_BLOCK_SEQUENCE_STYLE
				: YAML_FLOW_SEQUENCE_STYLE);
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];

		if (!operand_listed(o))
			continue;
		winic_begin_map(w);
		winic_pair(w, "class",
			   o->kind == OPERAND_REG ? "register" : "immediate");
		if (o->kind == OPERAND_REG && o->reg_class < w->c->n_classes)
			winic_pair(w, "name", w->c->classes[o->reg_class].name);
		winic_pair(w, "read", is_read(f, i) ? "true" : "false");
		winic_pair(w, "write", o->write ? "true" : "false");
		winic_end_map(w);
	}
	winic_end_list(w);
}

static void winic_operand(struct winic *w, const struct form *f,
			  const char *key, const char *name)
{
	char place[PLACE_ROOM];
	char *end;

	if (!operand_place(f, name, place))
		(void)snprintf(place, sizeof(place), "?%s", name);
	winic_scalar(w, key, false);
	/* Quoted, so that "1" stays a string. */
	winic_scalar(w, place, strtol(place, &end, 10) >= 0 && *end == '\0');
}

static bool is_latency(const struct winic_line *v)
{
	return strcmp(v->kind, "latency") == 0;
}

/* Length of the register in a name: EFLAGS of EFLAGS.CF. */
static int register_length(const char *name)
{
	return (int)strcspn(name, ".");
}

static bool same_register(const char *a, const char *b)
{
	int n = register_length(a);

	return n == register_length(b) && strncmp(a, b, (size_t)n) == 0;
}

static bool same_pair(const struct winic_line *x, const struct winic_line *y)
{
	return is_latency(x) && is_latency(y) &&
	       same_register(x->source, y->source) &&
	       same_register(x->destination, y->destination);
}

static void emit_pair(struct winic *w, const struct form *f,
		      const struct winic_line *v)
{
	winic_operand(w, f, "sourceOperand", v->source);
	winic_operand(w, f, "targetOperand", v->destination);
	winic_number(w, "latencyMin", v->known, v->low);
	winic_number(w, "latencyMax", v->known, v->high);
}

/* WINIC knows a register of flags as one operand: bounds of all its flags, and
 * each flag in a key of this program. */
static void emit_latency(struct winic *w, const struct form *f,
			 const struct winic_line *v, size_t n,
			 const struct winic_line *first)
{
	struct winic_line all = *first;

	all.source = arena_printf(&w->a, "%.*s", register_length(first->source),
				  first->source);
	all.destination =
		arena_printf(&w->a, "%.*s", register_length(first->destination),
			     first->destination);
	for (size_t i = 0; i < n; i++) {
		if (!same_pair(&v[i], first))
			continue;
		all.known &= v[i].known;
		all.low = fmin(all.low, v[i].low);
		all.high = fmax(all.high, v[i].high);
	}
	winic_begin_map(w);
	emit_pair(w, f, &all);
	if (strcmp(all.source, first->source) != 0 ||
	    strcmp(all.destination, first->destination) != 0) {
		winic_scalar(w, "flags", false);
		winic_begin_list(w, YAML_BLOCK_SEQUENCE_STYLE);
		for (size_t i = 0; i < n; i++) {
			if (!same_pair(&v[i], first))
				continue;
			winic_begin_map(w);
			emit_pair(w, f, &v[i]);
			winic_end_map(w);
		}
		winic_end_list(w);
	}
	winic_end_map(w);
}

static void emit_latencies(struct winic *w, const struct form *f,
			   const struct winic_line *v, size_t n)
{
	size_t n_pairs = 0;
	double longest = -1;

	for (size_t i = 0; i < n; i++) {
		n_pairs += is_latency(&v[i]);
		if (is_latency(&v[i]) && v[i].known)
			longest = fmax(longest,
				       v[i].exact ? v[i].value : v[i].high);
	}
	winic_number(w, "latency", longest >= 0, longest);
	winic_scalar(w, "operandLatencies", false);
	winic_begin_list(w, n_pairs ? YAML_BLOCK_SEQUENCE_STYLE
				    : YAML_FLOW_SEQUENCE_STYLE);
	for (size_t i = 0; i < n; i++) {
		bool first = is_latency(&v[i]);

		for (size_t k = 0; k < i; k++)
			first &= !same_pair(&v[k], &v[i]);
		if (first)
			emit_latency(w, f, v, n, &v[i]);
	}
	winic_end_list(w);
}

static void emit_throughput(struct winic *w, const struct winic_line *v,
			    size_t n)
{
	static const struct winic_line none = { .known = false };
	const struct winic_line *t = &none;

	for (size_t i = 0; i < n; i++)
		if (!is_latency(&v[i]))
			t = &v[i];
	winic_number(w, "throughput", t->exact, t->value);
	winic_number(w, "throughputMin", t->known, t->low);
	winic_number(w, "throughputMax", t->known, t->high);
}

static void emit_values(struct winic *w, const struct form *f,
			const struct winic_line *v, size_t n)
{
	char values[VALUE_WORDS_ROOM];

	if (n > 0) {
		value_words(w->c->isa, f->name, values);
		winic_scalar(w, "operandValues", false);
		winic_scalar(w, values, true);
	}
	emit_latencies(w, f, v, n);
	emit_throughput(w, v, n);
}

/* How many values there are of the first form. */
static size_t n_of_form(const struct winic_line *v, size_t n)
{
	size_t end = 0;

	while (end < n && strcmp(v[end].form, v[0].form) == 0)
		end++;
	return end;
}

/* A key of ours: WINIC's programs know an opcode by its name alone and take
 * the first entry of each. */
static void emit_variants(struct winic *w, const struct winic_line *v, size_t n)
{
	if (n == 0)
		return;
	winic_scalar(w, "variants", false);
	winic_begin_list(w, YAML_BLOCK_SEQUENCE_STYLE);
	for (size_t i = 0; i < n; i += n_of_form(v + i, n - i)) {
		const struct form *f = catalogue_form(w->c, v[i].form);

		if (!f)
			continue;
		winic_begin_map(w);
		winic_pair(w, "form", f->name);
		emit_values(w, f, v + i, n_of_form(v + i, n - i));
		winic_end_map(w);
	}
	winic_end_list(w);
}

/* Emit all values of one opcode.  There may be values of variants alone; and
 * chains of several forms, which are not instructions and are left out. */
static void emit_opcode(struct winic *w, const char *opcode,
			const struct winic_line *v, size_t n)
{
	size_t n_plain = strcmp(v[0].form, opcode) == 0 ? n_of_form(v, n) : 0;
	const struct form *f = NULL;

	for (size_t i = 0; i < n && !f; i++)
		f = catalogue_form(w->c, v[i].form);
	if (!f)
		return;
	winic_begin_map(w);
	winic_pair(w, "llvmName", opcode);
	winic_pair(w, "name", f->mnemonic);
	emit_operands(w, f);
	emit_values(w, f, v, n_plain);
	emit_variants(w, v + n_plain, n - n_plain);
	winic_end_map(w);
}

static int opcode_length(const char *form)
{
	return (int)strcspn(form, "/");
}

static void emit_document(struct winic *w, const struct winic_line *v, size_t n)
{
	yaml_event_t event;

	winic_emit(w, &event,
		   yaml_document_start_event_initialize(&event, NULL, NULL,
							NULL, 0));
	winic_begin_list(w, n ? YAML_BLOCK_SEQUENCE_STYLE
			      : YAML_FLOW_SEQUENCE_STYLE);
	for (size_t i = 0; i < n;) {
		int opcode = opcode_length(v[i].form);
		size_t end = i + 1;

		/* Variants have names behind their opcode's in this order. */
		while (end < n && opcode_length(v[end].form) == opcode &&
		       strncmp(v[end].form, v[i].form, (size_t)opcode) == 0)
			end++;
		emit_opcode(w, arena_printf(&w->a, "%.*s", opcode, v[i].form),
			    v + i, end - i);
		i = end;
	}
	winic_end_list(w);
	winic_emit(w, &event, yaml_document_end_event_initialize(&event, 1));
}

/* The documents of one ISA share its catalogue. */
static int emit_isa(struct winic *w, const struct winic_line *v, size_t n,
		    struct err *e)
{
	const struct isa *isa = isa_find(v->isa);
	struct catalogue *c;

	if (!isa)
		return err_set(e, ERR_INPUT,
			       "the database has results of an unknown "
			       "instruction set '%s'",
			       v->isa);
	/* Load all features; names and operands do not depend on the CPU. */
	if (catalogue_load(&w->a, isa, NULL, &c, e) != ERR_OK)
		return e->code;
	w->c = c;
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;

		while (end < n && strcmp(v[end].board, v[i].board) == 0)
			end++;
		emit_document(w, v + i, end - i);
		i = end;
	}
	catalogue_free(c);
	return ERR_OK;
}

static int emit_all(struct winic *w, struct err *e)
{
	struct winic_line *v = (void *)w->values.bytes;
	size_t n = w->values.n / sizeof(*v);
	yaml_event_t event;

	if (n > 0)
		qsort(v, n, sizeof(*v), winic_compare);
	winic_emit(
		w, &event,
		yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	if (n == 0)
		emit_document(w, v, 0);
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;

		while (end < n && strcmp(v[end].isa, v[i].isa) == 0)
			end++;
		if (emit_isa(w, v + i, end - i, e) != ERR_OK)
			return e->code;
		i = end;
	}
	winic_emit(w, &event, yaml_stream_end_event_initialize(&event));
	if (w->failed)
		return err_set(e, ERR_INPUT,
			       "export winic: the database has text that YAML "
			       "cannot hold");
	return ERR_OK;
}

static int write_bytes(void *context, unsigned char *bytes, size_t n)
{
	buffer_add(context, bytes, n);
	return 1;
}

static int write_winic(struct store *s, struct buffer *ret, struct err *e)
{
	struct winic w = { .failed = false };
	int code = store_claims(s, 0, NULL, winic_keep, &w, e);

	if (code == ERR_OK && !yaml_emitter_initialize(&w.yaml))
		code = err_set(e, ERR_SYSTEM, "export winic: out of memory");
	if (code == ERR_OK) {
		buffer_printf(ret, "# Anechoic %s\n", anechoic_version);
		yaml_emitter_set_output(&w.yaml, write_bytes, ret);
		yaml_emitter_set_unicode(&w.yaml, 1);
		code = emit_all(&w, e);
		yaml_emitter_delete(&w.yaml);
	}
	buffer_free(&w.values);
	arena_free(&w.a);
	return code;
}

const struct exporter exporter_winic = {
	.name = "winic",
	.describe = "the YAML that WINIC writes and OSACA's tools read",
	.write = write_winic,
};
