/* Joining and judging; see compare.h. */
#include "host/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/model/settled.h"

static const char any[] = "*";

const char *const compare_kind_words[COMPARE_N_KINDS] = {
	[COMPARE_LATENCY] = "latency",
	[COMPARE_THROUGHPUT] = "throughput",
	[COMPARE_STRUCTURE] = CLAIM_STRUCTURE,
	[COMPARE_SLOTS] = "slots",
	[COMPARE_PORTS] = "ports",
};

enum compare_kind compare_kind_of(const char *word)
{
	enum compare_kind k = COMPARE_LATENCY;

	while (k < COMPARE_N_KINDS && strcmp(word, compare_kind_words[k]) != 0)
		k++;
	return k;
}

struct compare_counts compare_count(const struct compare_pair *pairs, size_t n)
{
	struct compare_counts c = { 0 };

	for (size_t i = 0; i < n; i++) {
		enum compare_kind k = compare_kind_of(pairs[i].theirs->kind);

		if (k < COMPARE_N_KINDS)
			c.n[k][pairs[i].result]++;
	}
	return c;
}

size_t compare_n_compared(const struct compare_counts *c,
			  enum compare_kind kind)
{
	size_t n = 0;

	for (enum compare_kind k = 0; k < COMPARE_N_KINDS; k++)
		for (int r = 0; r < COMPARE_MISSING; r++)
			if (kind == COMPARE_N_KINDS || kind == k)
				n += c->n[k][r];
	return n;
}

struct compare_row compare_claim(const struct claim *c)
{
	struct compare_row r = {
		.form = c->form,
		.kind = c->kind,
		.source = c->source,
		.destination = c->destination,
		.verdict = claim_verdict(c),
		.mean = c->verdict == VERDICT_MIXTURE,
		.label = c->label ? c->label : "",
		.detail = c->detail ? c->detail : "",
		.residual = c->residual,
		.visits = c->visits,
	};

	if (!claim_settled(c))
		return r;
	if (claim_exact(c, &r.values[0])) {
		r.n_values = 1;
		return r;
	}
	r.values[0] = c->low_cycles;
	r.values[1] = c->high_cycles;
	r.n_values = 2;
	r.interval = !claim_two_values(c);
	return r;
}

int compare_key(const struct compare_row *x, const struct compare_row *y)
{
	const char *const pairs[][2] = {
		{ x->form, y->form },
		{ x->kind, y->kind },
		{ x->source, y->source },
		{ x->destination, y->destination },
	};

	return order_texts(pairs, ARRAY_LEN(pairs));
}

static int compare_rows(const void *a, const void *b)
{
	const struct compare_row *x = a, *y = b;
	int key = compare_key(x, y);

	return key ? key : (x->line > y->line) - (x->line < y->line);
}

void compare_sort(struct compare_rows *rows)
{
	if (rows->n > 0)
		qsort(rows->list, rows->n, sizeof(*rows->list), compare_rows);
}

/* Rows of a form and kind; returns the first, *ret_n how many. */
static struct compare_row *compare_find(const struct compare_rows *rows,
					const char *form, const char *kind,
					size_t *ret_n)
{
	struct compare_row key = {
		.form = form, .kind = kind, .source = "", .destination = ""
	};
	size_t low = 0, high = rows->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_key(&rows->list[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	*ret_n = 0;
	while (low + *ret_n < rows->n &&
	       strcmp(rows->list[low + *ret_n].form, form) == 0 &&
	       strcmp(rows->list[low + *ret_n].kind, kind) == 0)
		(*ret_n)++;
	return rows->list + low;
}

static double low_of(const struct compare_row *r)
{
	double low = r->values[0];

	for (size_t i = 1; i < r->n_values; i++)
		low = fmin(low, r->values[i]);
	return low;
}

static double high_of(const struct compare_row *r)
{
	double high = r->values[0];

	for (size_t i = 1; i < r->n_values; i++)
		high = fmax(high, r->values[i]);
	return high;
}

/* Does theirs, one value of it or its whole interval, meet our interval? */
static bool meets(const struct compare_row *ours,
		  const struct compare_row *theirs, double tolerance)
{
	double low = low_of(ours), high = high_of(ours);

	if (theirs->interval)
		return low_of(theirs) * (1 - tolerance) <= high &&
		       high_of(theirs) * (1 + tolerance) >= low;
	for (size_t i = 0; i < theirs->n_values; i++)
		if (theirs->values[i] * (1 - tolerance) <= high &&
		    theirs->values[i] * (1 + tolerance) >= low)
			return true;
	return false;
}

static bool is_near(double value, const struct compare_row *theirs,
		    double tolerance)
{
	for (size_t i = 0; i < theirs->n_values && !theirs->interval; i++)
		if (fabs(value - theirs->values[i]) <=
		    tolerance * theirs->values[i])
			return true;
	return false;
}

/* Is our interval as good as a value?  It is if it is no wider than what agrees
 * with one value, and both of its bounds agree. */
static bool is_as_near(const struct compare_row *ours,
		       const struct compare_row *theirs, double tolerance)
{
	double low = low_of(ours), high = high_of(ours);

	return high * (1 - tolerance) <= low * (1 + tolerance) &&
	       is_near(low, theirs, tolerance) &&
	       is_near(high, theirs, tolerance);
}

enum compare_result compare_judge(const struct compare_row *ours,
				  const struct compare_row *theirs,
				  double tolerance)
{
	if (ours->n_values == 0 || theirs->n_values == 0)
		return COMPARE_MISSING;
	if (ours->interval && is_as_near(ours, theirs, tolerance))
		return COMPARE_AGREES;
	if (ours->interval || theirs->interval)
		return meets(ours, theirs, tolerance) ? COMPARE_INSIDE
						      : COMPARE_DIFFERS;
	for (size_t i = 0; i < ours->n_values; i++)
		if (is_near(ours->values[i], theirs, tolerance))
			return COMPARE_AGREES;
	return COMPARE_DIFFERS;
}

/* A register of flags, "EFLAGS", is all of its flags, "EFLAGS.CF"; so it stands
 * in other tables, and in databases from before flags were operands. */
static bool is_part(const char *whole, const char *part)
{
	size_t n = strlen(whole);

	return n > 0 && strncmp(whole, part, n) == 0 && part[n] == '.';
}

static bool same_operand(const char *x, const char *y)
{
	return strcmp(x, y) == 0 || is_part(x, y) || is_part(y, x);
}

static bool stands_for(const struct compare_row *theirs,
		       const struct compare_row *ours,
		       const struct compare_classes *k)
{
	bool any_source = strcmp(theirs->source, any) == 0;
	bool any_destination = strcmp(theirs->destination, any) == 0;

	if (!any_source && !same_operand(theirs->source, ours->source))
		return false;
	if (!any_destination &&
	    !same_operand(theirs->destination, ours->destination))
		return false;
	return (!any_source && !any_destination) ||
	       k->same(k->context, ours->form, ours->source, ours->destination);
}

/* The larger of two with values: a value, where bounds leave no doubt. */
static struct compare_row larger(const struct compare_row *x,
				 const struct compare_row *y)
{
	struct compare_row r = high_of(y) > high_of(x) ? *y : *x;
	double low = fmax(low_of(x), low_of(y));

	if (!x->interval && !y->interval)
		return r;
	r.values[0] = low;
	r.values[1] = high_of(&r);
	r.n_values = low < r.values[1] ? 2 : 1;
	r.interval = r.n_values == 2;
	return r;
}

/* The largest of ours that a row of theirs stands for; the first without a
 * value if none has one. */
static void pick(struct arena *a, struct compare_row *list, size_t n,
		 const struct compare_classes *k, struct compare_pair *p)
{
	size_t n_met = 0, n_silent = 0;
	const struct compare_row *silent = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!stands_for(p->theirs, &list[i], k))
			continue;
		list[i].covered = true;
		n_met++;
		if (list[i].n_values == 0) {
			n_silent++;
			silent = &list[i];
		} else if (p->ours.n_values == 0) {
			p->ours = list[i];
		} else {
			p->ours = larger(&p->ours, &list[i]);
		}
	}
	if (n_met == n_silent && silent) {
		p->ours = *silent;
		p->missing = silent->verdict;
	} else if (n_silent > 0) {
		p->ours.detail = arena_printf(
			a, "%s; %zu of %zu pairs without a value (%s)",
			p->ours.detail, n_silent, n_met, silent->verdict);
	}
}

/* We know of two values of some forms: a latency in endless and in short
 * chains, a throughput of instances that are independent and of such that wait
 * for each other.  Theirs may be either. */
static void try_second(struct arena *a, const struct compare_rows *ours,
		       const struct compare_classes *k, double tolerance,
		       struct compare_pair *p)
{
	bool latency = strcmp(p->theirs->kind, "latency") == 0;
	struct compare_pair second = { .theirs = p->theirs, .missing = "" };
	size_t n;
	struct compare_row *list =
		compare_find(ours, p->theirs->form,
			     latency ? "latency-short" : "dependent", &n);

	pick(a, list, n, k, &second);
	if (compare_judge(&second.ours, p->theirs, tolerance) != COMPARE_AGREES)
		return;
	p->ours = second.ours;
	p->result = COMPARE_AGREES;
}

/* Does the form have any row? */
static bool has_form(const struct compare_rows *rows, const char *form)
{
	size_t n_latency, n_throughput;

	(void)compare_find(rows, form, "latency", &n_latency);
	(void)compare_find(rows, form, "throughput", &n_throughput);
	return n_latency + n_throughput > 0;
}

struct compare_pair *compare_join(struct arena *a, struct compare_rows *ours,
				  const struct compare_rows *theirs,
				  const struct compare_classes *k,
				  double tolerance)
{
	struct compare_pair *pairs =
		ARENA_ARRAY(a, struct compare_pair, theirs->n + 1);

	for (size_t i = 0; i < theirs->n; i++) {
		struct compare_pair *p = &pairs[i];
		const struct compare_row *t = &theirs->list[i];
		size_t n;
		struct compare_row *list =
			compare_find(ours, t->form, t->kind, &n);

		p->theirs = t;
		p->ours = (struct compare_row){ .verdict = "",
						.label = "",
						.detail = "" };
		p->missing = "";
		p->known = has_form(ours, t->form);
		pick(a, list, n, k, p);
		p->result = compare_judge(&p->ours, t, tolerance);
		if (p->result != COMPARE_AGREES)
			try_second(a, ours, k, tolerance, p);
		if (p->result != COMPARE_MISSING || *p->missing)
			continue;
		if (p->ours.n_values > 0)
			p->missing = "they have no value";
		else if (p->known)
			p->missing = n ? "no such pair" : "not measured";
		else
			p->missing = k->absent(k->context, t->form);
	}
	return pairs;
}

static bool near(double x, double y, double tolerance)
{
	return fabs(x - y) <= tolerance * y;
}

/* Has our row a value near one of theirs? */
static bool equals(const struct compare_row *ours,
		   const struct compare_row *theirs, double tolerance)
{
	for (size_t i = 0; i < ours->n_values; i++)
		for (size_t k = 0; k < theirs->n_values; k++)
			if (near(ours->values[i], theirs->values[k], tolerance))
				return true;
	return false;
}

/* A latency of one unit is a whole number of cycles. */
static bool is_mixture(const struct compare_row *ours)
{
	static const double off = 0.03;
	double value = ours->values[0];

	return ours->n_values == 1 && value > 1 &&
	       fabs(value - round(value)) > off;
}

/* By how much the closest of ours and theirs differ, relative to theirs;
 * INFINITY: theirs are 0. */
static double closest_of(const struct compare_pair *p)
{
	double closest = INFINITY;

	for (size_t i = 0; i < p->ours.n_values; i++)
		for (size_t k = 0; k < p->theirs->n_values; k++) {
			double t = p->theirs->values[k];
			double x = p->ours.values[i] - t;

			if (t > 0 && fabs(x / t) < fabs(closest))
				closest = x / t;
		}
	return closest;
}

double compare_size(const struct compare_pair *p)
{
	return fabs(log1p(fmax(closest_of(p), -1)));
}

/* The same in words. */
static const char *distance(struct arena *a, const struct compare_pair *p)
{
	double closest = closest_of(p);

	if (!isfinite(closest))
		return "";
	return arena_printf(a, "ours is %.1f %% %s", 100 * fabs(closest),
			    closest > 0 ? "above" : "below");
}

/* Another value of ours that theirs, or ours, is; NULL if there is none. */
static const char *mistaken(struct arena *a, const struct compare_rows *ours,
			    const struct compare_pair *p, double tolerance)
{
	bool latency = strcmp(p->theirs->kind, "latency") == 0;
	const char *other = latency ? "throughput" : "latency";
	size_t n;
	const struct compare_row *list;

	list = compare_find(ours, p->theirs->form, p->theirs->kind, &n);
	for (size_t i = 0; latency && i < n; i++)
		if (equals(&list[i], p->theirs, tolerance))
			return arena_printf(a, "theirs is our latency %s>%s",
					    list[i].source,
					    list[i].destination);
	list = compare_find(ours, p->theirs->form, other, &n);
	for (size_t i = 0; i < n; i++)
		if (equals(&list[i], p->theirs, tolerance))
			return latency ? "theirs is our throughput"
				       : arena_printf(a,
						      "theirs is our latency "
						      "%s>%s",
						      list[i].source,
						      list[i].destination);
	for (size_t i = 0; i < n; i++)
		if (equals(&list[i], &p->ours, tolerance))
			return arena_printf(a, "ours equals our %s", other);
	return NULL;
}

const char *compare_remark(struct arena *a, const struct compare_rows *ours,
			   const struct compare_pair *p, double tolerance)
{
	const char *far = distance(a, p);
	const char *other = mistaken(a, ours, p, tolerance);

	if (other)
		return arena_printf(a, "%s; %s", far, other);
	if (strcmp(p->theirs->kind, "latency") == 0 && is_mixture(&p->ours))
		return arena_printf(a, "%s; a mixture, no whole number", far);
	return far;
}
