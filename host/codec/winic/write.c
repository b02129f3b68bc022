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
#include "host/isa/variant.h"
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
	struct catalogue *c;  /* of the line that is written */
	yaml_emitter_t yaml;
	bool failed; /* the emitter is out of memory */
};

static int keep_claim(void *context, const struct claim *c, struct err *e)
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
static int compare_lines(const void *a, const void *b)
{
	const struct winic_line *x = a, *y = b;
	const char *const pairs[][2] = {
		{ x->isa, y->isa },       { x->board, y->board },
		{ x->form, y->form },     { x->kind, y->kind },
		{ x->source, y->source }, { x->destination, y->destination },
	};

	return order_texts(pairs, ARRAY_LEN(pairs));
}

/* ---- YAML --------------------------------------------------------------- */

static void emit(struct winic *w, yaml_event_t *event, int initialized)
{
	/* yaml_emitter_emit() takes ownership of the event, even if it
	 * fails. */
	if (!initialized || !yaml_emitter_emit(&w->yaml, event))
		w->failed = true;
}

/* Emit a bracket of a list or map.  libyaml writes an empty list as []. */
static void emit_mark(struct winic *w, char mark)
{
	yaml_event_t v;
	int ok = mark == '['
			 ? yaml_sequence_start_event_initialize(
				   &v, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE)
		 : mark == ']' ? yaml_sequence_end_event_initialize(&v)
		 : mark == '{'
			 ? yaml_mapping_start_event_initialize(
				   &v, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE)
			 : yaml_mapping_end_event_initialize(&v);

	emit(w, &v, ok);
}

/* Emit a scalar; `quoted` makes "1" a string. */
static void emit_text(struct winic *w, const char *text, bool quoted)
{
	yaml_event_t v;
	yaml_char_t *copy = arena_copy(&w->a, text, strlen(text) + 1);

	emit(w, &v,
	     yaml_scalar_event_initialize(
		     &v, NULL, NULL, copy, (int)strlen(text), !quoted, 1,
		     quoted ? YAML_SINGLE_QUOTED_SCALAR_STYLE
			    : YAML_PLAIN_SCALAR_STYLE));
}

static void emit_pair(struct winic *w, const char *key, const char *value)
{
	emit_text(w, key, false);
	emit_text(w, value, false);
}

static void emit_list(struct winic *w, const char *key)
{
	emit_text(w, key, false);
	emit_mark(w, '[');
}

static void emit_number(struct winic *w, const char *key, bool known,
			double value)
{
	char text[NUMBER_ROOM] = "null";

	if (known)
		number_text(value, text);
	emit_pair(w, key, text);
}

/* ---- operands ----------------------------------------------------------- */

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
	emit_list(w, "operands");
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];

		if (!operand_listed(o))
			continue;
		emit_mark(w, '{');
		emit_pair(w, "class",
			  o->kind == OPERAND_REG ? "register" : "immediate");
		if (o->kind == OPERAND_REG && o->reg_class < w->c->n_classes)
			emit_pair(w, "name", w->c->classes[o->reg_class].name);
		emit_pair(w, "read", is_read(f, i) ? "true" : "false");
		emit_pair(w, "write", o->write ? "true" : "false");
		emit_mark(w, '}');
	}
	emit_mark(w, ']');
}

static void emit_operand(struct winic *w, const struct form *f, const char *key,
			 const char *name)
{
	char place[PLACE_ROOM];
	char *end;

	if (!operand_place(f, name, place))
		(void)snprintf(place, sizeof(place), "?%s", name);
	emit_text(w, key, false);
	/* Quoted, so that "1" stays a string. */
	emit_text(w, place, strtol(place, &end, 10) >= 0 && *end == '\0');
}

/* ---- values ------------------------------------------------------------- */

static bool is_latency(const struct winic_line *v)
{
	return strcmp(v->kind, "latency") == 0;
}

/* Length of a name up to a mark: EFLAGS of EFLAGS.CF. */
static int length_to(const char *name, const char *mark)
{
	return (int)strcspn(name, mark);
}

static bool same_to(const char *a, const char *b, const char *mark)
{
	int n = length_to(a, mark);

	return n == length_to(b, mark) && strncmp(a, b, (size_t)n) == 0;
}

/* Between the same registers, of whatever flags. */
static bool same_pair(const struct winic_line *x, const struct winic_line *y)
{
	return is_latency(x) && is_latency(y) &&
	       same_to(x->source, y->source, ".") &&
	       same_to(x->destination, y->destination, ".");
}

static void emit_bounds(struct winic *w, const struct form *f,
			const struct winic_line *v)
{
	emit_operand(w, f, "sourceOperand", v->source);
	emit_operand(w, f, "targetOperand", v->destination);
	emit_number(w, "latencyMin", v->known, v->low);
	emit_number(w, "latencyMax", v->known, v->high);
}

static const char *register_of(struct winic *w, const char *name)
{
	return arena_printf(&w->a, "%.*s", length_to(name, "."), name);
}

/* WINIC knows a register of flags as one operand: bounds of all its flags, and
 * each flag in a key of this program. */
static void emit_latency(struct winic *w, const struct form *f,
			 const struct winic_line *v, size_t n,
			 const struct winic_line *first)
{
	struct winic_line all = *first;

	all.source = register_of(w, first->source);
	all.destination = register_of(w, first->destination);
	for (size_t i = 0; i < n; i++) {
		if (!same_pair(&v[i], first))
			continue;
		all.known &= v[i].known;
		all.low = fmin(all.low, v[i].low);
		all.high = fmax(all.high, v[i].high);
	}
	emit_mark(w, '{');
	emit_bounds(w, f, &all);
	if (strcmp(all.source, first->source) != 0 ||
	    strcmp(all.destination, first->destination) != 0) {
		emit_list(w, "flags");
		for (size_t i = 0; i < n; i++) {
			if (!same_pair(&v[i], first))
				continue;
			emit_mark(w, '{');
			emit_bounds(w, f, &v[i]);
			emit_mark(w, '}');
		}
		emit_mark(w, ']');
	}
	emit_mark(w, '}');
}

static void emit_latencies(struct winic *w, const struct form *f,
			   const struct winic_line *v, size_t n)
{
	double longest = -1;

	for (size_t i = 0; i < n; i++)
		if (is_latency(&v[i]) && v[i].known)
			longest = fmax(longest,
				       v[i].exact ? v[i].value : v[i].high);
	emit_number(w, "latency", longest >= 0, longest);
	emit_list(w, "operandLatencies");
	for (size_t i = 0; i < n; i++) {
		bool first = is_latency(&v[i]);

		for (size_t k = 0; k < i; k++)
			first &= !same_pair(&v[k], &v[i]);
		if (first)
			emit_latency(w, f, v, n, &v[i]);
	}
	emit_mark(w, ']');
}

static void emit_values(struct winic *w, const struct form *f,
			const struct winic_line *v, size_t n)
{
	static const struct winic_line none = { .known = false };
	const struct winic_line *t = &none;
	char values[VALUE_WORDS_ROOM];

	if (n > 0) {
		value_words(w->c->isa, f->name, values);
		emit_text(w, "operandValues", false);
		emit_text(w, values, true);
	}
	emit_latencies(w, f, v, n);
	for (size_t i = 0; i < n; i++)
		if (!is_latency(&v[i]))
			t = &v[i];
	emit_number(w, "throughput", t->exact, t->value);
	emit_number(w, "throughputMin", t->known, t->low);
	emit_number(w, "throughputMax", t->known, t->high);
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
	emit_list(w, "variants");
	for (size_t i = 0; i < n; i += n_of_form(v + i, n - i)) {
		const struct form *f = catalogue_form(w->c, v[i].form);

		if (!f)
			continue;
		emit_mark(w, '{');
		emit_pair(w, "form", f->name);
		emit_values(w, f, v + i, n_of_form(v + i, n - i));
		emit_mark(w, '}');
	}
	emit_mark(w, ']');
}

/* Emit all values of one opcode.  There may be values of variants alone; and
 * chains of several forms, which are not instructions and are left out. */
static void emit_opcode(struct winic *w, const struct winic_line *v, size_t n)
{
	const char *opcode = arena_printf(&w->a, "%.*s",
					  length_to(v[0].form, "/"), v[0].form);
	size_t n_plain = strcmp(v[0].form, opcode) == 0 ? n_of_form(v, n) : 0;
	const struct form *f = NULL;

	for (size_t i = 0; i < n && !f; i++)
		f = catalogue_form(w->c, v[i].form);
	if (!f)
		return;
	emit_mark(w, '{');
	emit_pair(w, "llvmName", opcode);
	emit_pair(w, "name", f->mnemonic);
	emit_operands(w, f);
	emit_values(w, f, v, n_plain);
	emit_variants(w, v + n_plain, n - n_plain);
	emit_mark(w, '}');
}

/* ---- documents ---------------------------------------------------------- */

static void begin_document(struct winic *w)
{
	yaml_event_t v;

	emit(w, &v,
	     yaml_document_start_event_initialize(&v, NULL, NULL, NULL, 0));
	emit_mark(w, '[');
}

static void end_document(struct winic *w)
{
	yaml_event_t v;

	emit_mark(w, ']');
	emit(w, &v, yaml_document_end_event_initialize(&v, 1));
}

/* Load the catalogue of an ISA, in the place of the one before. */
static int use_isa(struct winic *w, const char *name, struct err *e)
{
	const struct isa *isa = isa_find(name);

	if (!isa)
		return err_set(e, ERR_INPUT,
			       "the database has results of an unknown "
			       "instruction set '%s'",
			       name);
	catalogue_free(w->c);
	w->c = NULL;
	/* Load all features; names and operands do not depend on the CPU. */
	return catalogue_load(&w->a, isa, NULL, &w->c, e);
}

static int emit_lines(struct winic *w, struct winic_line *v, size_t n,
		      struct err *e)
{
	if (n > 0)
		qsort(v, n, sizeof(*v), compare_lines);
	begin_document(w);
	for (size_t i = 0, end; i < n; i = end) {
		bool same_isa = i > 0 && strcmp(v[i - 1].isa, v[i].isa) == 0;

		if (i > 0 &&
		    (!same_isa || strcmp(v[i - 1].board, v[i].board) != 0)) {
			end_document(w);
			begin_document(w);
		}
		if (!same_isa && use_isa(w, v[i].isa, e) != ERR_OK)
			return e->code;
		/* Variants have names behind their opcode's in this order. */
		for (end = i + 1; end < n &&
				  strcmp(v[end].isa, v[i].isa) == 0 &&
				  strcmp(v[end].board, v[i].board) == 0 &&
				  same_to(v[end].form, v[i].form, "/");)
			end++;
		emit_opcode(w, v + i, end - i);
	}
	end_document(w);
	return ERR_OK;
}

static int emit_all(struct winic *w, struct err *e)
{
	yaml_event_t v;

	emit(w, &v, yaml_stream_start_event_initialize(&v, YAML_UTF8_ENCODING));
	if (emit_lines(w, (void *)w->values.bytes,
		       w->values.n / sizeof(struct winic_line), e) != ERR_OK)
		return e->code;
	emit(w, &v, yaml_stream_end_event_initialize(&v));
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
	int code = store_claims(s, 0, NULL, keep_claim, &w, e);

	if (code == ERR_OK && !yaml_emitter_initialize(&w.yaml))
		code = err_set(e, ERR_SYSTEM, "export winic: out of memory");
	if (code == ERR_OK) {
		buffer_printf(ret, "# Anechoic %s\n", anechoic_version);
		yaml_emitter_set_output(&w.yaml, write_bytes, ret);
		yaml_emitter_set_unicode(&w.yaml, 1);
		code = emit_all(&w, e);
		yaml_emitter_delete(&w.yaml);
	}
	catalogue_free(w.c);
	buffer_free(&w.values);
	arena_free(&w.a);
	return code;
}

const struct exporter exporter_winic = {
	.name = "winic",
	.describe = "the YAML that WINIC writes and OSACA's tools read",
	.write = write_winic,
};
