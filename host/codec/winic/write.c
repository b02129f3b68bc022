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

#include "host/base/json.h"
#include "host/base/order.h"
#include "host/base/version.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/winic/read.h"
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
	struct buffer *out;
	int indent;
	bool is_first; /* the next key is the first of its item */
	bool is_empty; /* the list that was begun has no item yet */
	bool failed;   /* a text is not UTF-8 */
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

static void put_key(struct winic *w, const char *key)
{
	buffer_printf(w->out, "%s%*s%s%s:", w->is_empty ? "\n" : "",
		      w->indent - (w->is_first ? 2 : 0), "",
		      w->is_first ? "- " : "", key);
	w->is_first = w->is_empty = false;
}

static void begin_list(struct winic *w, const char *key)
{
	put_key(w, key);
	w->is_empty = true;
}

static void end_list(struct winic *w)
{
	buffer_printf(w->out, w->is_empty ? " []\n" : "");
	w->is_empty = false;
}

/* An item of a list is a map. */
static void begin_item(struct winic *w)
{
	w->indent += 2;
	w->is_first = true;
}

static void end_item(struct winic *w)
{
	w->indent -= 2;
}

/* May the text stand without quotes? */
static bool is_plain(const char *text)
{
	size_t n = strspn(text, "0123456789"
				"abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ_?./,+-=");

	return n > 0 && text[n] == '\0' && !strchr(",-=", *text);
}

/* `quoted` makes "1" a string. */
static void put_text(struct winic *w, const char *key, const char *text,
		     bool quoted)
{
	put_key(w, key);
	buffer_printf(w->out, " ");
	if (quoted || !is_plain(text))
		export_quoted(w->out, text);
	else
		buffer_printf(w->out, "%s", text);
	buffer_printf(w->out, "\n");
	for (size_t size; *text != '\0'; text += size) {
		size = utf8_size((const unsigned char *)text, strlen(text));
		w->failed |= size == 0;
		size += size == 0;
	}
}

static void put_pair(struct winic *w, const char *key, const char *value)
{
	put_text(w, key, value, false);
}

static void put_number(struct winic *w, const char *key, bool known,
		       double value)
{
	char text[NUMBER_ROOM] = "null";

	if (known)
		number_text(value, text);
	put_pair(w, key, text);
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

static void put_operands(struct winic *w, const struct form *f)
{
	begin_list(w, "operands");
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];

		if (!operand_listed(o))
			continue;
		begin_item(w);
		put_pair(w, "class",
			 o->kind == OPERAND_REG ? "register" : "immediate");
		if (o->kind == OPERAND_REG && o->reg_class < w->c->n_classes)
			put_pair(w, "name", w->c->classes[o->reg_class].name);
		put_pair(w, "read", is_read(f, i) ? "true" : "false");
		put_pair(w, "write", o->write ? "true" : "false");
		end_item(w);
	}
	end_list(w);
}

static void put_operand(struct winic *w, const struct form *f, const char *key,
			const char *name)
{
	char place[PLACE_ROOM];
	char *end;

	if (!operand_place(f, name, place))
		(void)snprintf(place, sizeof(place), "?%s", name);
	/* Quoted, so that "1" stays a string. */
	put_text(w, key, place, strtol(place, &end, 10) >= 0 && *end == '\0');
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

static void put_bounds(struct winic *w, const struct form *f,
		       const struct winic_line *v)
{
	put_operand(w, f, "sourceOperand", v->source);
	put_operand(w, f, "targetOperand", v->destination);
	put_number(w, "latencyMin", v->known, v->low);
	put_number(w, "latencyMax", v->known, v->high);
}

static const char *register_of(struct winic *w, const char *name)
{
	return arena_printf(&w->a, "%.*s", length_to(name, "."), name);
}

/* WINIC knows a register of flags as one operand: bounds of all its flags, and
 * each flag in a key of this program. */
static void put_latency(struct winic *w, const struct form *f,
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
	begin_item(w);
	put_bounds(w, f, &all);
	if (strcmp(all.source, first->source) != 0 ||
	    strcmp(all.destination, first->destination) != 0) {
		begin_list(w, "flags");
		for (size_t i = 0; i < n; i++) {
			if (!same_pair(&v[i], first))
				continue;
			begin_item(w);
			put_bounds(w, f, &v[i]);
			end_item(w);
		}
		end_list(w);
	}
	end_item(w);
}

static void put_latencies(struct winic *w, const struct form *f,
			  const struct winic_line *v, size_t n)
{
	double longest = -1;

	for (size_t i = 0; i < n; i++)
		if (is_latency(&v[i]) && v[i].known)
			longest = fmax(longest,
				       v[i].exact ? v[i].value : v[i].high);
	put_number(w, "latency", longest >= 0, longest);
	begin_list(w, "operandLatencies");
	for (size_t i = 0; i < n; i++) {
		bool first = is_latency(&v[i]);

		for (size_t k = 0; k < i; k++)
			first &= !same_pair(&v[k], &v[i]);
		if (first)
			put_latency(w, f, v, n, &v[i]);
	}
	end_list(w);
}

static void put_values(struct winic *w, const struct form *f,
		       const struct winic_line *v, size_t n)
{
	static const struct winic_line none = { .known = false };
	const struct winic_line *t = &none;
	char values[VALUE_WORDS_ROOM];

	if (n > 0) {
		value_words(w->c->isa, f->name, values);
		put_text(w, "operandValues", values, true);
	}
	put_latencies(w, f, v, n);
	for (size_t i = 0; i < n; i++)
		if (!is_latency(&v[i]))
			t = &v[i];
	put_number(w, "throughput", t->exact, t->value);
	put_number(w, "throughputMin", t->known, t->low);
	put_number(w, "throughputMax", t->known, t->high);
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
static void put_variants(struct winic *w, const struct winic_line *v, size_t n)
{
	if (n == 0)
		return;
	begin_list(w, "variants");
	for (size_t i = 0; i < n; i += n_of_form(v + i, n - i)) {
		const struct form *f = catalogue_form(w->c, v[i].form);

		if (!f)
			continue;
		begin_item(w);
		put_pair(w, "form", f->name);
		put_values(w, f, v + i, n_of_form(v + i, n - i));
		end_item(w);
	}
	end_list(w);
}

/* Write all values of one opcode.  There may be values of variants alone; and
 * chains of several forms, which are not instructions and are left out. */
static void put_opcode(struct winic *w, const struct winic_line *v, size_t n)
{
	const char *opcode = arena_printf(&w->a, "%.*s",
					  length_to(v[0].form, "/"), v[0].form);
	size_t n_plain = strcmp(v[0].form, opcode) == 0 ? n_of_form(v, n) : 0;
	const struct form *f = NULL;

	for (size_t i = 0; i < n && !f; i++)
		f = catalogue_form(w->c, v[i].form);
	if (!f)
		return;
	begin_item(w);
	put_pair(w, "llvmName", opcode);
	put_pair(w, "name", f->mnemonic);
	put_operands(w, f);
	put_values(w, f, v, n_plain);
	put_variants(w, v + n_plain, n - n_plain);
	end_item(w);
}

/* ---- documents ---------------------------------------------------------- */

static void begin_document(struct winic *w)
{
	buffer_printf(w->out, "---");
	w->is_empty = true;
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

static int put_lines(struct winic *w, struct winic_line *v, size_t n,
		     struct err *e)
{
	order_sort(v, n, sizeof(*v), compare_lines);
	begin_document(w);
	for (size_t i = 0, end; i < n; i = end) {
		bool same_isa = i > 0 && strcmp(v[i - 1].isa, v[i].isa) == 0;

		if (i > 0 &&
		    (!same_isa || strcmp(v[i - 1].board, v[i].board) != 0)) {
			end_list(w);
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
		put_opcode(w, v + i, end - i);
	}
	end_list(w);
	if (w->failed)
		return err_set(e, ERR_INPUT,
			       "export winic: the database has text that YAML "
			       "cannot hold");
	return ERR_OK;
}

static int write_winic(struct store *s, struct buffer *ret, struct err *e)
{
	struct winic w = { .out = ret };

	if (store_claims(s, 0, NULL, keep_claim, &w, e) == ERR_OK) {
		buffer_printf(ret, "# Anechoic %s\n", anechoic_version);
		(void)put_lines(&w, (void *)w.values.bytes,
				w.values.n / sizeof(struct winic_line), e);
	}
	catalogue_free(w.c);
	buffer_free(&w.values);
	arena_free(&w.a);
	return e->code;
}

const struct exporter exporter_winic = {
	.name = "winic",
	.describe = "the YAML that WINIC writes and OSACA's tools read",
	.write = write_winic,
};
