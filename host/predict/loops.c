/* Find loops. A loop is the code from the target of a backward jump to the
 * jump. It is innermost when it contains no other loop. */
#include "host/predict/loops.h"

#include <string.h>

enum {
	/* Value in a register before the marker bytes. */
	MARK_BEGIN_VALUE = 111,
	MARK_END_VALUE = 222,
	MAX_LOOPS = 1000,
};

struct loop_finder {
	struct arena *a;
	const struct program *p;
	size_t first, end; /* range of instructions to search */
	struct loop *loops;
	size_t n;
	struct err *e;
};

static const char *file_name(const struct program *p)
{
	return p->source ? p->source->name : "code";
}

static const char *label_of(const struct program *p, size_t insn)
{
	const char *name = "";

	/* The last of several labels belongs to the loop; earlier ones belong
	 * to the function. */
	for (size_t i = 0; i < p->n_labels; i++)
		if (p->labels[i].insn == insn)
			name = p->labels[i].name;
	return name;
}

static bool is_local(const char *name)
{
	return name[0] == '.' || name[0] == '$' ||
	       (name[0] == 'L' && name[1] != '\0' &&
		strspn(name + 1, "0123456789") == strlen(name + 1));
}

static const char *function_of(const struct program *p, size_t insn)
{
	const char *name = "";
	size_t at = 0;

	for (size_t i = 0; i < p->n_labels; i++)
		if (p->labels[i].insn <= insn && p->labels[i].insn >= at &&
		    !is_local(p->labels[i].name)) {
			at = p->labels[i].insn;
			name = p->labels[i].name;
		}
	return name;
}

static void loops_add(struct loop_finder *f, size_t first, size_t last)
{
	const struct insn *end = &f->p->insns[last];

	if (f->n < MAX_LOOPS)
		f->loops[f->n++] = (struct loop){
			.first = first,
			.last = last,
			.label = label_of(f->p, first),
			.function = function_of(f->p, first),
			.closed = end->jumps && end->target == (int32_t)first,
		};
}

/* ---- by back edge ------------------------------------------------------ */

/* Does the range contain a call, a return or a trap? Code that is placed
 * between a jump and its target but runs after the loop ends with one. */
static bool loops_has_exit(const struct program *p, size_t first, size_t last)
{
	for (size_t i = first; i <= last; i++) {
		const struct form *f = p->insns[i].instance.form;

		if (f && f->status == FORM_CONTROL_FLOW && !p->insns[i].jumps)
			return true;
	}
	return false;
}

/* Add the innermost loops. Jumps are visited in order, so a loop that starts at
 * or before the latest start found contains an earlier one. */
static void loops_add_innermost(struct loop_finder *f, bool leaving)
{
	size_t latest = f->first;
	bool any = false;

	for (size_t i = f->first; i < f->end; i++) {
		const struct insn *x = &f->p->insns[i];
		bool back = x->jumps && x->target >= 0 &&
			    (size_t)x->target <= i &&
			    (size_t)x->target >= f->first;

		if (!back || (any && (size_t)x->target <= latest) ||
		    loops_has_exit(f->p, (size_t)x->target, i) != leaving)
			continue;
		latest = (size_t)x->target;
		any = true;
		loops_add(f, latest, i);
	}
}

/* ---- by marks ---------------------------------------------------------- */

static bool loops_mark_is_wanted(enum source_mark_kind kind,
				 enum loop_marker marker)
{
	bool mca = kind == MARK_MCA_BEGIN || kind == MARK_MCA_END;

	return marker == MARKER_AUTO || mca == (marker == MARKER_MCA);
}

static bool loops_moves_value(const struct insn *x, int64_t value)
{
	for (unsigned k = 0;
	     x->instance.form && k < x->instance.form->n_explicit; k++)
		if (x->instance.imm[k] == value)
			return true;
	return false;
}

static bool is_above(const struct insn *x, uint64_t line)
{
	return x->line < line;
}

/* First instruction on or after the line. */
static size_t loops_insn_at(const struct program *p, uint32_t line)
{
	return program_search(p, 0, is_above, line);
}

/* Returns +1: begins a region, -1: ends one, 0: neither. *ret: the first
 * instruction of the region, or the first one after it. */
static int loops_mark_meaning(const struct program *p,
			      const struct source_mark *m, size_t *ret)
{
	size_t at = loops_insn_at(p, m->line);

	*ret = at;
	if (m->kind == MARK_OSACA_BEGIN || m->kind == MARK_MCA_BEGIN)
		return 1;
	if (m->kind == MARK_OSACA_END || m->kind == MARK_MCA_END)
		return -1;
	if (at > 0 && loops_moves_value(&p->insns[at - 1], MARK_BEGIN_VALUE))
		return 1;
	*ret = at - (at > 0);
	return at > 0 && loops_moves_value(&p->insns[at - 1], MARK_END_VALUE)
		       ? -1
		       : 0;
}

/* Find regions that are marked by bytes in machine code. */
static int loops_add_marked_bytes(struct loop_finder *f)
{
	const struct program *p = f->p;
	size_t open = p->n;

	for (size_t i = 0; i < p->n_marks; i++) {
		size_t at = p->marks[i].insn;

		if (p->marks[i].begins) {
			open = at;
			continue;
		}
		if (open >= at)
			return err_set(
				f->e, ERR_INPUT,
				"code: a mark ends a region, and no mark and "
				"instructions precede it");
		loops_add(f, open, at - 1);
		open = p->n;
	}
	if (open != p->n)
		return err_set(f->e, ERR_INPUT,
			       "code: no mark ends the region");
	return ERR_OK;
}

/* A kind of marks may enclose another. */
enum loops_nest { NEST_OSACA, NEST_MCA, N_NESTS };

static enum loops_nest loops_nest_of(enum source_mark_kind kind)
{
	return kind == MARK_MCA_BEGIN || kind == MARK_MCA_END ? NEST_MCA
							      : NEST_OSACA;
}

static void loops_add_once(struct loop_finder *f, size_t first, size_t last)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->loops[i].first == first && f->loops[i].last == last)
			return;
	loops_add(f, first, last);
}

static int loops_bad_mark(struct loop_finder *f, uint32_t line,
			  const char *what)
{
	return err_set(f->e, ERR_INPUT, "%s:%u:1: %s", f->p->source->name,
		       (unsigned)line, what);
}

static int loops_add_marked(struct loop_finder *f, enum loop_marker marker)
{
	const struct source *s = f->p->source;
	struct {
		uint32_t line; /* 0: not open */
		size_t first;
	} open[N_NESTS] = { { 0, 0 }, { 0, 0 } };

	for (size_t i = 0; s && i < s->n_marks; i++) {
		const struct source_mark *m = &s->marks[i];
		enum loops_nest nest = loops_nest_of(m->kind);
		size_t at;
		int what = loops_mark_is_wanted(m->kind, marker)
				   ? loops_mark_meaning(f->p, m, &at)
				   : 0;

		if (what > 0) {
			open[nest].first = at;
			open[nest].line = m->line;
		} else if (what < 0 && open[nest].line == 0) {
			return loops_bad_mark(
				f, m->line,
				"this mark ends a region that no mark begins");
		} else if (what < 0) {
			if (at == open[nest].first)
				return loops_bad_mark(f, m->line,
						      "no instructions "
						      "between the marks");
			loops_add_once(f, open[nest].first, at - 1);
			open[nest].line = 0;
		}
	}
	for (size_t k = 0; k < N_NESTS; k++)
		if (open[k].line != 0)
			return loops_bad_mark(
				f, open[k].line,
				"no mark ends the region that begins here");
	return ERR_OK;
}

/* ---- by name and by line ----------------------------------------------- */

static int narrow_to_function(struct loop_finder *f, const char *name)
{
	const struct program *p = f->p;
	bool found = false;

	for (size_t i = 0; i < p->n_labels; i++) {
		if (strcmp(p->labels[i].name, name) == 0 && !found) {
			found = true;
			f->first = p->labels[i].insn;
		} else if (found && !is_local(p->labels[i].name) &&
			   p->labels[i].insn > f->first) {
			f->end = p->labels[i].insn;
			break;
		}
	}
	if (!found || f->first == f->end)
		return err_set(f->e, ERR_INPUT,
			       "%s has no function %s with instructions",
			       file_name(p), name);
	return ERR_OK;
}

static int by_lines(struct loop_finder *f, const struct loop_choice *c)
{
	size_t first = loops_insn_at(f->p, c->from_line);
	size_t end = loops_insn_at(f->p, c->to_line + 1);

	if (!f->p->source || first >= end)
		return err_set(f->e, ERR_INPUT,
			       "%s has no instructions in lines %u to %u",
			       file_name(f->p), (unsigned)c->from_line,
			       (unsigned)c->to_line);
	loops_add(f, first, end - 1);
	return ERR_OK;
}

static size_t loops_longest(const struct loop_finder *f)
{
	size_t best = 0;

	for (size_t i = 1; i < f->n; i++)
		if (f->loops[i].last - f->loops[i].first >
		    f->loops[best].last - f->loops[best].first)
			best = i;
	return best;
}

int loops_find(struct arena *a, const struct program *p,
	       const struct loop_choice *choice, struct loop_list *ret,
	       struct err *e)
{
	struct loop_finder f = { .a = a, .p = p, .end = p->n, .e = e };
	bool marks = choice->marker != MARKER_NONE && !choice->function;
	int status = ERR_OK;

	if (p->n == 0)
		return err_set(e, ERR_INPUT, "%s has no instructions",
			       file_name(p));
	f.loops = ARENA_ARRAY(a, struct loop, MAX_LOOPS);
	if (choice->function)
		status = narrow_to_function(&f, choice->function);
	if (status == ERR_OK && choice->from_line != 0)
		status = by_lines(&f, choice);
	else if (status == ERR_OK && marks)
		status = p->source ? loops_add_marked(&f, choice->marker)
				   : loops_add_marked_bytes(&f);
	if (status != ERR_OK)
		return status;
	if (f.n == 0 && marks && choice->marker != MARKER_AUTO)
		return err_set(e, ERR_INPUT,
			       "%s has no marked region (see --marker and "
			       "--lines)",
			       file_name(p));
	if (f.n == 0)
		loops_add_innermost(&f, false);
	if (f.n == 0)
		loops_add_innermost(&f, true);
	if (f.n == 0)
		loops_add(&f, f.first, f.end - 1);
	*ret = (struct loop_list){ f.loops, f.n, loops_longest(&f) };
	return ERR_OK;
}
