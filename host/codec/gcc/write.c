/* Writes a pipeline description for gcc/config/<target>/; see gcc.h. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/gcc/gcc.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"
#include "host/isa/match.h"
#include "host/model/mark.h"

enum {
	LINE = 78,      /* columns */
	TAB = 7,        /* more columns of a tab that begins a line */
	NAMES_MOST = 8, /* of forms in a comment, for each value */
};

/* ---- text ------------------------------------------------------------------ */

/* `words`, separated by `comma`, in lines; `between` begins those that follow,
 * `column` is where the first begins. */
static void put_list(struct buffer *b, const char *words, const char *comma,
		     size_t column, const char *between)
{
	for (bool first = true; *words != '\0'; first = false) {
		const char *end = strstr(words, comma);
		size_t n = end ? (size_t)(end - words) : strlen(words);
		size_t sign = strcspn(comma, " ");

		if (!first && column + n + strlen(comma) > LINE) {
			buffer_add(b, comma, sign);
			buffer_printf(b, "%s", between);
			column = strlen(between) + TAB;
		} else if (!first) {
			buffer_printf(b, "%s", comma);
			column += strlen(comma);
		}
		buffer_add(b, words, n);
		column += n;
		words += end ? n + strlen(comma) : n;
	}
}

static void put_span(struct buffer *b, const struct model_span *s)
{
	number_add(b, s->low);
	if (s->high > s->low) {
		buffer_printf(b, " to ");
		number_add(b, s->high);
	}
}

/* "spacemit-x60,+zba" becomes "spacemit_x60". */
static const char *prefix_of(struct arena *a, const char *cpu)
{
	char *name;

	if (!cpu || *cpu == '\0' || strcmp(cpu, "any") == 0)
		cpu = "measured";
	name = td_identifier(
		a, arena_printf(a, "%.*s", (int)strcspn(cpu, ","), cpu));
	for (char *c = name; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

/* ---- what the members of a reservation have ---------------------------------- */

/* A member's value for a comment; false: none. */
static bool value_of(const struct gcc_member *x, bool latency,
		     struct model_span *ret)
{
	*ret = latency ? x->latency : x->f->throughput;
	if (!ret->has_value)
		return false;
	if (!span_is_wide(ret) && latency)
		ret->low = ret->high = (double)gcc_cycles(ret);
	else if (!span_is_wide(ret))
		ret->low = ret->high = span_middle(ret) < 1
					       ? span_middle(ret)
					       : model_cycles(*ret);
	/* Values that differ by the clock's resolution are one. */
	ret->low = round(ret->low * 100) / 100;
	ret->high = round(ret->high * 100) / 100;
	return true;
}

/* "MUL, MULW" of the members with this value, in lines of a comment. */
static void put_names(struct buffer *b, const struct gcc_reservation *r,
		      const struct model_span *value, bool latency)
{
	struct buffer names = { 0 };
	size_t n = 0, line = b->n;

	for (size_t i = 0; i < r->n; i++) {
		struct model_span s;

		if (!value_of(r->members[i], latency, &s) ||
		    s.low != value->low || s.high != value->high)
			continue;
		if (n++ < NAMES_MOST)
			buffer_printf(&names, "%s%s", n > 1 ? "; " : "",
				      r->members[i]->form->name);
	}
	if (n > NAMES_MOST)
		buffer_printf(&names, "; %zu more", n - NAMES_MOST);
	while (line > 0 && b->bytes[line - 1] != '\n')
		line--;
	put_list(b, buffer_text(&names), "; ", b->n - line, "\n;;     ");
	buffer_printf(b, "\n");
	buffer_free(&names);
}

/* Was this value already in a member before the i-th? */
static bool is_known(const struct gcc_reservation *r, size_t i, bool latency,
		     const struct model_span *value)
{
	struct model_span s;

	for (size_t k = 0; k < i; k++)
		if (value_of(r->members[k], latency, &s) &&
		    s.low == value->low && s.high == value->high)
			return true;
	return false;
}

/* ";; latency 3 to 6", and the members with each value if they differ. */
static void put_values(struct buffer *b, const struct gcc_reservation *r,
		       bool latency)
{
	struct model_span all = { 0 }, s;
	bool differ = false;

	for (size_t i = 0; i < r->n; i++) {
		if (!value_of(r->members[i], latency, &s))
			continue;
		if (!all.has_value)
			all = s;
		differ = differ || s.low != all.low || s.high != all.high;
		span_unite(&all, &s);
	}
	if (!all.has_value)
		return;
	buffer_printf(b, ";; %s ", latency ? "latency" : "throughput");
	put_span(b, &all);
	buffer_printf(b, differ ? ", members differ:\n" : "\n");
	for (size_t i = 0; i < r->n && differ; i++) {
		if (!value_of(r->members[i], latency, &s) ||
		    is_known(r, i, latency, &s))
			continue;
		buffer_printf(b, ";;   ");
		put_span(b, &s);
		buffer_printf(b, ": ");
		put_names(b, r, &s, latency);
	}
}

/* The opcodes of the members. */
static void put_opcodes(struct buffer *b, const struct gcc_reservation *r)
{
	struct buffer names = { 0 };
	char last[OPCODE_ROOM] = "", room[OPCODE_ROOM];

	if (r->n == 0)
		buffer_printf(
			&names,
			"No form: the worst of the modes that are named.");
	for (size_t i = 0; i < r->n; i++) {
		const char *name = name_opcode(r->members[i]->form->name, room);
		bool seen = strcmp(name, last) == 0;

		for (size_t k = 0; k < i && !seen; k++)
			seen = strcmp(name,
				      name_opcode(r->members[k]->form->name,
						  last)) == 0;
		if (!seen)
			buffer_printf(&names, "%s%s", names.n > 0 ? ", " : "",
				      name);
		(void)snprintf(last, sizeof(last), "%s", name);
	}
	buffer_printf(b, ";; ");
	put_list(b, buffer_text(&names), ", ", 3, "\n;;   ");
	buffer_printf(b, "\n");
	buffer_free(&names);
}

static void put_mark(struct buffer *b, const struct gcc_reservation *r)
{
	struct model_mark mark = { .kind = MARK_NONE };
	char room[MARK_ROOM];

	for (size_t i = 0; i < r->n; i++)
		mark = mark_weaker(mark, r->members[i]->f->mark);
	if (*mark_text(mark, room) != '\0')
		buffer_printf(b, ";; ports: %s\n", mark_text(mark, room));
}

/* ---- a reservation ------------------------------------------------------------ */

static void put_condition(struct buffer *b, const char *attribute,
			  const char *words)
{
	buffer_printf(b, "(eq_attr \"%s\" \"", attribute);
	put_list(b, words, ",", strlen(attribute) + 30, "\n\t\t");
	buffer_printf(b, "\")");
}

static void put_reservation(const struct gcc *w, struct buffer *b,
			    const struct gcc_reservation *r)
{
	bool moded = r->modes || r->others;

	buffer_printf(b, "\n");
	put_opcodes(b, r);
	put_values(b, r, true);
	put_values(b, r, false);
	put_mark(b, r);
	buffer_printf(b,
		      "(define_insn_reservation \"%s\" %ld\n"
		      "  (and (eq_attr \"tune\" \"%s\")\n       ",
		      r->name, r->latency, w->prefix);
	buffer_printf(b, "%s", moded ? "(and " : "");
	put_condition(b, "type", r->types);
	buffer_printf(b, "%s%s", moded ? "\n\t    " : "",
		      r->others ? "(not " : "");
	if (moded)
		put_condition(b, "mode", r->others ? r->others : r->modes);
	buffer_printf(b, "%s)%s\n  \"%s\")\n", r->others ? ")" : "",
		      moded ? ")" : "", r->units);
}

/* ---- bypasses ----------------------------------------------------------------- */

/* By how many cycles a result reaches its consumer later, if all members and
 * operands agree; 0 if not. */
static long delay(const struct model *m, const bool *from, const bool *to)
{
	bool any = false;
	double one = 0;

	for (size_t p = 0; p < m->n_bypass; p++)
		for (size_t c = 0; c < m->n_bypass; c++) {
			if (!from[p] || !to[c])
				continue;
			if (any && m->bypass[p][c] != one)
				return 0;
			one = m->bypass[p][c];
			any = true;
		}
	return fabs(one) < GCC_MOST_CYCLES ? lround(one) : 0;
}

/* The consumers that a result reaches `more` cycles later, in one definition. */
static void put_bypass(const struct gcc *w, struct buffer *b,
		       const struct gcc_reservation *x, long more)
{
	struct buffer names = { 0 };
	long cycles = x->latency + more;

	for (size_t i = 0; i < w->n_reservations; i++) {
		const struct gcc_reservation *y = &w->reservations[i];

		if (delay(w->m, x->makes, y->takes) == more)
			buffer_printf(&names, "%s%s", names.n > 0 ? "," : "",
				      y->name);
	}
	buffer_printf(b, "(define_bypass %ld \"%s\"\n  \"",
		      cycles > 0 ? cycles : 0, x->name);
	put_list(b, buffer_text(&names), ",", 3, "\n   ");
	buffer_printf(b, "\")\n");
	buffer_free(&names);
}

static void put_bypasses(const struct gcc *w, struct buffer *b)
{
	for (size_t i = 0; i < w->n_reservations && w->m->n_bypass > 0; i++) {
		const struct gcc_reservation *x = &w->reservations[i];

		for (size_t k = 0; k < w->n_reservations; k++) {
			long more =
				delay(w->m, x->makes, w->reservations[k].takes);
			bool seen = more == 0;

			for (size_t p = 0; p < k && !seen; p++)
				seen = delay(w->m, x->makes,
					     w->reservations[p].takes) == more;
			if (!seen)
				put_bypass(w, b, x, more);
		}
	}
}

/* ---- units -------------------------------------------------------------------- */

static const char *automaton(const struct gcc *w, size_t unit)
{
	return arena_printf(w->a, "%s_automaton%zu", w->prefix,
			    gcc_automaton(w, unit));
}

/* Is it the first used unit of its automaton? */
static bool begins_automaton(const struct gcc *w, size_t unit)
{
	for (size_t i = 0; i < unit; i++)
		if (w->units[i].used &&
		    gcc_automaton(w, i) == gcc_automaton(w, unit))
			return false;
	return w->units[unit].used;
}

static void put_units(const struct gcc *w, struct buffer *b)
{
	buffer_printf(b, "\n");
	for (size_t i = 0; i < w->n_units; i++) {
		if (!begins_automaton(w, i))
			continue;
		buffer_printf(b, "(define_automaton \"%s\")\n",
			      automaton(w, i));
		for (size_t k = i; k < w->n_units; k++)
			if (w->units[k].used &&
			    gcc_automaton(w, k) == gcc_automaton(w, i))
				buffer_printf(b,
					      "(define_cpu_unit \"%s\" "
					      "\"%s\")\n",
					      w->units[k].name,
					      automaton(w, i));
	}
}

/* ---- the file ------------------------------------------------------------------ */

static void put_fact(struct buffer *b, const char *name, const char *text)
{
	if (!text || *text == '\0')
		return;
	buffer_printf(b, ";; %s: ", name);
	export_comment(b, text);
	buffer_printf(b, "\n");
}

static void put_counts(const struct gcc *w, struct buffer *b)
{
	static const char *const words[GCC_N_REASONS] = {
		[GCC_OK] = "have a reservation",
		[GCC_NO_TYPE] =
			("have no type of GCC's, or are variants that it "
			 "does not tell apart"),
		[GCC_NO_RATE] = "have neither ports nor throughput",
		[GCC_NO_LATENCY] = "have a result, but no latency",
		[GCC_TOO_LONG] = "take more than 512 cycles",
	};
	size_t n_open = 0;

	for (size_t i = 0; i < GCC_N_REASONS; i++)
		if (w->counts[i] > 0)
			buffer_printf(b, ";; %zu forms %s.\n", w->counts[i],
				      words[i]);
	for (size_t i = 0; i < w->n_members; i++)
		n_open += w->members[i].f->mark.kind == MARK_OPEN;
	if (n_open > 0)
		buffer_printf(
			b,
			";; The ports of %zu forms with a reservation are "
			"open: others explain as much.\n",
			n_open);
}

static void put_unknown(const struct gcc *w, struct buffer *b)
{
	const char *unknown = "";
	size_t n = 0;

	for (size_t i = 0; i < w->n_type_words; i++) {
		bool known = false;

		for (size_t k = 0; k < w->n_members && !known; k++)
			known = strcmp(w->members[k].type, w->type_words[i]) ==
				0;
		n += known;
		if (!known)
			unknown = arena_printf(w->a, "%s%s%s", unknown,
					       *unknown ? ", " : "",
					       w->type_words[i]);
	}
	buffer_printf(b, ";; %zu of %zu types have a reservation.\n", n,
		      w->n_type_words);
	if (*unknown == '\0')
		return;
	buffer_printf(b, ";; Nothing is known of:\n;;   ");
	put_list(b, unknown, ", ", 5, "\n;;   ");
	buffer_printf(b, "\n");
}

static void put_head(const struct gcc *w, struct buffer *b)
{
	export_tool_comment(b, ";;", w->m);
	buffer_printf(
		b,
		";; Pipeline description for GCC 14 and later. The CPU is "
		"the value\n;; \"%s\" of the attribute \"tune\"; "
		"issue_rate is %s.\n",
		w->prefix,
		isfinite(w->width) ? arena_printf(w->a, "%.0f", w->width)
				   : "not known");
	put_fact(b, "core", w->m->about.core);
	put_fact(b, "source", w->m->source);
	put_fact(b, "date", w->m->about.date);
	buffer_printf(
		b, ";;\n"
		   ";; A latency is that of the operand with the longest.\n"
		   ";; Members that differ: the longest latency, the slowest "
		   "rate.\n"
		   ";; Modes that are not named: the worst of those that "
		   "are.\n"
		   ";; A rate slower than ports and issue width explain "
		   "has units of its type.\n"
		   ";;\n");
	put_counts(w, b);
	put_unknown(w, b);
}

static int write_gcc(const struct model *m, const struct catalogue *c,
		     struct buffer *ret, struct err *e)
{
	const struct gcc_types *all[] = { &gcc_types_riscv64 }, *types = NULL;
	struct arena a = { 0 };
	struct gcc w = { .a = &a, .c = c };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (strcmp(all[i]->isa, c->isa->name) == 0)
			types = all[i];
	if (!types)
		return err_set(e, ERR_INPUT,
			       "format gcc has no table of GCC's instruction "
			       "types for %s; it has one for %s",
			       c->isa->name, all[0]->isa);
	w.types = types;
	w.prefix = prefix_of(&a, m->cpu);
	gcc_read(&w, m);
	if (w.n_reservations == 0) {
		(void)err_set(e, ERR_FAILED,
			      "no form has a latency and a rate, so the file "
			      "would be empty");
	} else {
		put_head(&w, ret);
		put_units(&w, ret);
		for (size_t i = 0; i < w.n_reservations; i++)
			put_reservation(&w, ret, &w.reservations[i]);
		buffer_printf(ret, "\n");
		put_bypasses(&w, ret);
	}
	arena_free(&a);
	return e->code;
}

const struct exporter exporter_gcc = {
	.name = "gcc",
	.describe = "GCC's pipeline description of a RISC-V core",
	.write_model = write_gcc,
};
