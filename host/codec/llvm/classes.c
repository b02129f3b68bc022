/* Groups forms by scheduling class and judges each class; see classes.h. */
#include "host/codec/llvm/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/number.h"

const char *const class_kind_words[CLASS_N_KINDS] = {
	[CLASS_LATENCY] = "latency",
	[CLASS_THROUGHPUT] = "throughput",
	[CLASS_SLOTS] = "micro-ops",
};

const char *const class_verdict_words[CLASS_N_VERDICTS] = {
	[CLASS_RIGHT] = "right",
	[CLASS_WRONG] = "wrong",
	[CLASS_MIXED] = "mixed",
	[CLASS_UNKNOWN] = "unknown",
};

/* A class has as many cycles as a block is charged for at least: what is
 * renamed away costs a slot, not nothing. */
static const double least_cycles = 0.1;

struct class_job {
	struct arena *a;
	const struct catalogue *c;
	double tolerance;
	struct class_report *ret;
	struct buffer findings; /* struct class_finding */
};

/* ---- members ------------------------------------------------------------ */

/* The latency of the class is that of a result; a pair of operands is shorter
 * by the advance of its source, so that is added to what was measured. */
static void latency_of(const struct form *f, const struct model_form *ours,
		       const struct model_form *table, struct class_member *m)
{
	struct model_span *ret = &m->measured[CLASS_LATENCY];
	double *most = &m->table[CLASS_LATENCY];
	int n = f->n_operands;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < n * n; i++) {
			int from = i / n, to = i % n;
			struct model_span t, x;

			if (!f->operands[from].read || !f->operands[to].write)
				continue;
			t = model_latency(table, from, to);
			x = model_latency(ours, from, to);
			if (pass == 0 && t.has_value)
				*most = fmax(*most, t.high);
			if (pass == 0 || !t.has_value || !x.has_value)
				continue;
			ret->has_value = true;
			ret->low = fmax(ret->low, x.low + *most - t.high);
			ret->high = fmax(ret->high, x.high + *most - t.high);
		}
}

static double middle_of(const struct model_span *s)
{
	return s->has_value ? (s->low + s->high) / 2 : -1;
}

static void unite(struct model_span *s, const struct model_span *more)
{
	if (s->has_value && more->has_value)
		span_unite(s, more);
}

/* The cost of a division depends on its numbers, which a table does not know:
 * the values of its variants are an interval. */
static void unite_values(const struct model *ours, const struct form *f,
			 const struct model_form *table, struct class_member *m)
{
	static const char *const variants[] = { "fast", "slow" };
	char name[2 * ISA_NAME_ROOM];

	for (size_t i = 0; i < ARRAY_LEN(variants); i++) {
		struct class_member other = { .table = { -1, -1, -1 } };
		const struct model_form *x;

		(void)snprintf(name, sizeof(name), "%s/%s", f->name,
			       variants[i]);
		x = model_find(ours, name);
		if (!x)
			continue;
		latency_of(f, x, table, &other);
		unite(&m->measured[CLASS_LATENCY],
		      &other.measured[CLASS_LATENCY]);
		unite(&m->measured[CLASS_THROUGHPUT], &x->throughput);
	}
}

static void fill_member(const struct form *f, const struct model_form *ours,
			const struct model_form *table, struct class_member *m)
{
	*m = (struct class_member){ .form = f, .table = { -1, -1, -1 } };
	latency_of(f, ours, table, m);
	m->measured[CLASS_THROUGHPUT] = ours->throughput;
	m->table[CLASS_THROUGHPUT] = middle_of(&table->throughput);
	m->measured[CLASS_SLOTS] = ours->slots;
	m->table[CLASS_SLOTS] = middle_of(&table->slots);
}

/* ---- verdicts ----------------------------------------------------------- */

static bool agrees(const struct model_span *s, double value, double tolerance)
{
	double room = tolerance * fmax(s->high, value);

	return value >= s->low - room && value <= s->high + room;
}

static bool is_exact(const struct model_span *s, double tolerance)
{
	return s->high - s->low <= fmax(tolerance * s->high, least_cycles);
}

/* How far a block of this member is mispredicted at least. */
static double error_of(const struct model_span *s, double table)
{
	double x = fmax(table, least_cycles);
	double low = fmax(s->low, least_cycles), high = fmax(s->high, low);

	return x > high ? x / high - 1 : x < low ? low / x - 1 : 0;
}

static void judge_class(struct class_job *w, struct class_finding *f)
{
	const struct class_member **list =
		ARENA_ARRAY(w->a, const struct class_member *, f->n_members);
	bool exact = false, right = true;
	double write;

	f->measured = f->members[0].measured[f->kind];
	for (size_t i = 0; i < f->n_members; i++) {
		const struct model_span *s = &f->members[i].measured[f->kind];
		bool fits = agrees(s, f->table, w->tolerance);

		list[i] = &f->members[i];
		right = right && fits;
		exact = exact || is_exact(s, w->tolerance);
		f->measured.low = fmin(f->measured.low, s->low);
		f->measured.high = fmax(f->measured.high, s->high);
		if (!fits)
			f->error = fmax(f->error, error_of(s, f->table));
	}
	f->split = "";
	if (right) {
		f->verdict = exact ? CLASS_RIGHT : CLASS_UNKNOWN;
	} else if (class_meet(list, f->n_members, f->kind, w->tolerance,
			      &write)) {
		f->verdict = exact ? CLASS_WRONG : CLASS_UNKNOWN;
		f->write = write;
	} else {
		f->verdict = CLASS_MIXED;
		f->split = class_split(w->a, w->c, f, w->tolerance);
	}
}

/* A class in one kind: the members with a value.  The table may have several
 * values for a class that depends on operands; the first counts. */
static void add_finding(struct class_job *w, const char *name,
			const struct class_member *members, size_t n,
			enum class_value kind)
{
	struct class_member *known =
		ARENA_ARRAY(w->a, struct class_member, n + 1);
	struct class_finding f = { .name = name,
				   .kind = kind,
				   .members = known };

	for (size_t i = 0; i < n; i++)
		if (members[i].measured[kind].has_value &&
		    members[i].table[kind] >= 0)
			known[f.n_members++] = members[i];
	if (f.n_members == 0)
		return;
	f.table = known[0].table[kind];
	judge_class(w, &f);
	w->ret->counts[kind][f.verdict]++;
	buffer_add(&w->findings, &f, sizeof(f));
}

/* ---- classes ------------------------------------------------------------ */

struct named_member {
	const char *name;
	struct class_member of;
};

static int by_class(const void *a, const void *b)
{
	const struct named_member *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->of.form->name, y->of.form->name);
}

static int by_error(const void *a, const void *b)
{
	const struct class_finding *x = a, *y = b;
	int order = ORDER(y->error, x->error);

	if (order == 0)
		order = ORDER(y->n_members, x->n_members);
	if (order == 0)
		order = strcmp(x->name, y->name);
	return order ? order : ORDER(x->kind, y->kind);
}

/* Members in the order of their classes; returns how many. */
static size_t list_members(struct arena *a, const struct class_request *r,
			   struct named_member **ret)
{
	const struct catalogue *c = r->c;
	struct named_member *list =
		ARENA_ARRAY(a, struct named_member, c->n_forms + 1);
	size_t n = 0;

	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];
		const struct model_form *x = model_find(r->ours, f->name);
		const struct model_form *y = model_find(r->table, f->name);

		if (!r->names[i] || !x || !y || y->eliminated)
			continue;
		list[n].name = r->names[i];
		fill_member(f, x, y, &list[n].of);
		unite_values(r->ours, f, y, &list[n++].of);
	}
	order_sort(list, n, sizeof(*list), by_class);
	*ret = list;
	return n;
}

void class_compare(struct arena *a, const struct class_request *r,
		   struct class_report *ret)
{
	struct class_job w = {
		.a = a, .c = r->c, .tolerance = r->tolerance, .ret = ret
	};
	struct named_member *list;
	struct class_finding *findings;
	struct class_member *members;
	size_t n = list_members(a, r, &list);

	*ret = (struct class_report){ .n = 0 };
	members = ARENA_ARRAY(a, struct class_member, n + 1);
	for (size_t i = 0; i < n; i++)
		members[i] = list[i].of;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && strcmp(list[end].name, list[i].name) == 0;)
			end++;
		for (enum class_value k = 0; k < CLASS_N_KINDS; k++)
			add_finding(&w, list[i].name, members + i, end - i, k);
	}
	findings = buffer_take_list(a, &w.findings, sizeof(*findings), &ret->n);
	order_sort(findings, ret->n, sizeof(*findings), by_error);
	ret->findings = findings;
}

double class_share_right(const struct class_report *r)
{
	size_t right = 0, all = 0;

	for (enum class_value k = 0; k < CLASS_N_KINDS; k++) {
		right += r->counts[k][CLASS_RIGHT];
		all += r->counts[k][CLASS_RIGHT] + r->counts[k][CLASS_WRONG] +
		       r->counts[k][CLASS_MIXED];
	}
	return all > 0 ? (double)right / (double)all : -1;
}
