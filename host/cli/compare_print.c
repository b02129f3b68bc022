/* Rates, differences with both sides' evidence, and what was not compared,
 * counted by reason; see compare_print.h. */
#include "host/cli/compare_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/base/file.h"
#include "host/codec/number.h"

enum { MAX_REASONS = 48, VALUE = 160 };

static const char *const kind_words[COMPARE_N_KINDS] = { "latency",
							 "throughput" };

/* Two runs of one machine should agree this well: 99 % of latencies, 98 % of
 * throughputs. */
static const double repeatable[COMPARE_N_KINDS] = { 0.005, 0.01 };

struct reasons {
	size_t n;
	struct {
		const char *text;
		size_t count[COMPARE_N_KINDS];
	} list[MAX_REASONS];
};

static int kind_of(const struct compare_row *r)
{
	for (int k = 0; k < COMPARE_N_KINDS; k++)
		if (strcmp(r->kind, kind_words[k]) == 0)
			return k;
	return -1;
}

static size_t compare_print_count(const struct compare_report *r, int kind,
				  enum compare_result result)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_pairs; i++)
		n += kind_of(r->pairs[i].theirs) == kind &&
		     r->pairs[i].result == result;
	return n;
}

size_t compare_n_compared(const struct compare_report *r)
{
	size_t n = 0;

	for (int k = 0; k < COMPARE_N_KINDS; k++)
		n += compare_print_count(r, k, COMPARE_AGREES) +
		     compare_print_count(r, k, COMPARE_INSIDE) +
		     compare_print_count(r, k, COMPARE_DIFFERS);
	return n;
}

static void note(struct reasons *w, const char *text, int kind)
{
	size_t i = 0;

	if (kind < 0)
		return;
	while (i < w->n && strcmp(w->list[i].text, text) != 0)
		i++;
	if (i == w->n && w->n == MAX_REASONS)
		w->list[--i].text = "other reasons";
	else if (i == w->n)
		w->list[w->n++].text = text;
	w->list[i].count[kind]++;
}

static void print_reasons(const struct compare_report *r, const char *title,
			  const struct reasons *w)
{
	if (w->n == 0)
		return;
	buffer_printf(r->out, "\n%-40s %9s %11s\n", title, kind_words[0],
		      kind_words[1]);
	for (size_t i = 0; i < w->n; i++)
		buffer_printf(r->out, "  %-38s %9zu %11zu\n", w->list[i].text,
			      w->list[i].count[0], w->list[i].count[1]);
}

static double percent(size_t part, size_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_rates(const struct compare_report *r)
{
	buffer_printf(r->out, "%-11s %8s %8s %7s %9s %8s %7s\n", "", "compared",
		      "agree", "rate", "interval", "differ", "rate*");
	for (int k = 0; k < COMPARE_N_KINDS; k++) {
		size_t agree = compare_print_count(r, k, COMPARE_AGREES);
		size_t inside = compare_print_count(r, k, COMPARE_INSIDE);
		size_t differ = compare_print_count(r, k, COMPARE_DIFFERS);
		size_t n = agree + inside + differ;

		buffer_printf(r->out,
			      "%-11s %8zu %8zu %6.2f%% %9zu %8zu %6.2f%%\n",
			      kind_words[k], n, agree, percent(agree, n),
			      inside, differ, percent(agree + inside, n));
	}
	buffer_printf(
		r->out,
		"agree: a value of ours lies within the tolerance of an accepted "
		"one;\ninterval: an accepted value lies in our interval, or "
		"ours in theirs; rate* counts both\n");
}

/* Of the rows whose form is in the database, how many have a value of ours? */
static void print_coverage(const struct compare_report *r)
{
	for (int k = 0; k < COMPARE_N_KINDS; k++) {
		size_t n = 0, n_compared = 0;

		for (size_t i = 0; i < r->n_pairs; i++) {
			const struct compare_pair *p = &r->pairs[i];

			if (kind_of(p->theirs) != k || !p->known)
				continue;
			n++;
			n_compared += p->result != COMPARE_MISSING;
		}
		buffer_printf(
			r->out,
			"coverage %-10s %zu of %zu rows whose form is in the "
			"database: %.2f %%\n",
			kind_words[k], n_compared, n, percent(n_compared, n));
	}
}

/* The mean of a mixture of latencies repeats less well than a latency. */
static bool is_mean(const struct compare_row *r)
{
	return strcmp(r->verdict, "mixture") == 0;
}

static void print_repeatability(const struct compare_report *r)
{
	for (int k = 0; k < COMPARE_N_KINDS; k++) {
		size_t n = 0, within = 0;

		for (size_t i = 0; i < r->n_pairs; i++) {
			const struct compare_pair *p = &r->pairs[i];

			if (kind_of(p->theirs) != k ||
			    p->result == COMPARE_MISSING || p->ours.interval ||
			    p->theirs->interval || is_mean(&p->ours) ||
			    is_mean(p->theirs))
				continue;
			n++;
			within +=
				compare_judge(&p->ours, p->theirs,
					      repeatable[k]) == COMPARE_AGREES;
		}
		buffer_printf(
			r->out,
			"repeated %-10s %zu of %zu values within %.1f %%: "
			"%.2f %%\n",
			kind_words[k], within, n, 100 * repeatable[k],
			percent(within, n));
	}
}

static void value_text(const struct compare_row *r, char text[VALUE])
{
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < r->n_values && at < VALUE - NUMBER_ROOM; i++) {
		char number[NUMBER_ROOM];

		number_text(r->values[i], number);
		at += (size_t)snprintf(text + at, VALUE - at, "%s%s",
				       i == 0        ? ""
				       : r->interval ? ".."
						     : ";",
				       number);
	}
}

static void print_evidence(const struct compare_report *r,
			   const struct compare_row *row, const char *name)
{
	char value[VALUE];

	value_text(row, value);
	buffer_printf(r->out, "    %s: %s", name, value);
	if (row->line)
		buffer_printf(r->out, ", line %zu", row->line);
	if (*row->verdict)
		buffer_printf(r->out, ", %s, residual %.2f %%, %u visits",
			      row->verdict, 100 * row->residual, row->visits);
	buffer_printf(r->out, "\n");
	if (*row->detail)
		buffer_printf(r->out, "      %s\n", row->detail);
	if (*row->label)
		buffer_printf(r->out, "      %s\n", row->label);
}

static void print_difference(const struct compare_report *r,
			     const struct compare_pair *p)
{
	const struct compare_row *t = p->theirs;
	const char *remark = compare_remark(r->a, r->ours, p, r->tolerance);

	buffer_printf(r->out, "  %s %s", t->form, t->kind);
	if (*t->source)
		buffer_printf(r->out, " %s>%s", t->source, t->destination);
	buffer_printf(r->out, "%s%s\n", *remark ? ": " : "", remark);
	print_evidence(r, &p->ours, "ours");
	print_evidence(r, t, "theirs");
}

struct sized {
	const struct compare_pair *pair;
	double size;
};

/* The largest first; else as they are. */
static int by_size(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return (x->pair > y->pair) - (x->pair < y->pair);
}

static void print_differences(const struct compare_report *r)
{
	struct sized *list = ARENA_ARRAY(r->a, struct sized, r->n_pairs + 1);
	size_t n = 0;

	for (size_t i = 0; i < r->n_pairs; i++)
		if (r->pairs[i].result == COMPARE_DIFFERS)
			list[n++] =
				(struct sized){ &r->pairs[i],
						compare_size(&r->pairs[i]) };
	if (n == 0)
		return;
	qsort(list, n, sizeof(*list), by_size);
	buffer_printf(r->out, "\ndifferences, the largest first\n");
	for (size_t i = 0; i < n; i++)
		print_difference(r, list[i].pair);
}

void compare_print_text(const struct compare_report *r)
{
	struct reasons here = { 0 }, there = { 0 };

	buffer_printf(r->out, "%s with %s, tolerance %.4g %%\n\n", r->name,
		      r->with, 100 * r->tolerance);
	print_rates(r);
	buffer_printf(r->out, "\n");
	print_coverage(r);
	if (r->repeated)
		print_repeatability(r);
	for (size_t i = 0; i < r->n_pairs; i++) {
		const struct compare_pair *p = &r->pairs[i];

		if (p->result == COMPARE_MISSING)
			note(&here, p->missing, kind_of(p->theirs));
	}
	print_differences(r);
	for (size_t i = 0; i < r->ours->n; i++)
		if (!r->ours->list[i].covered)
			note(&there, r->ours->list[i].verdict,
			     kind_of(&r->ours->list[i]));
	print_reasons(r, "not compared, because ours is", &here);
	print_reasons(r, "only ours, by verdict", &there);
}

/* ---- csv --------------------------------------------------------------- */

static void add_words(struct buffer *b, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buffer_add(b, ",", 1);
		csv_add(b, words[i]);
	}
	buffer_add(b, "\n", 1);
}

static void add_row(struct buffer *b, const struct compare_row *key,
		    const char *result, const struct compare_row *ours,
		    const struct compare_row *theirs, const char *remark)
{
	char value[VALUE] = "", other[VALUE] = "", residual[NUMBER_ROOM] = "";
	char visits[NUMBER_ROOM], line[NUMBER_ROOM] = "";

	value_text(ours, value);
	if (theirs)
		value_text(theirs, other);
	if (theirs && theirs->line)
		(void)snprintf(line, sizeof(line), "%zu", theirs->line);
	number_text(ours->residual, residual);
	(void)snprintf(visits, sizeof(visits), "%u", ours->visits);

	const char *const words[] = {
		key->form, key->kind, key->source, key->destination,
		result,    value,     other,       ours->verdict,
		residual,  visits,    ours->label, ours->detail,
		line,      remark,
	};

	add_words(b, words, ARRAY_LEN(words));
}

void compare_print_csv(const struct compare_report *r)
{
	static const char *const results[COMPARE_N_RESULTS] = {
		[COMPARE_AGREES] = "agrees",
		[COMPARE_INSIDE] = "interval",
		[COMPARE_DIFFERS] = "differs",
		[COMPARE_MISSING] = "missing",
	};
	struct buffer *b = r->out;

	buffer_printf(b, "form,kind,source,destination,result,ours,theirs,"
			 "verdict,residual,visits,label,detail,line,"
			 "remark\n");
	for (size_t i = 0; i < r->n_pairs; i++) {
		const struct compare_pair *p = &r->pairs[i];
		const char *remark =
			p->result == COMPARE_MISSING ? p->missing
			: p->result == COMPARE_DIFFERS
				? compare_remark(r->a, r->ours, p, r->tolerance)
				: "";

		add_row(b, p->theirs, results[p->result], &p->ours, p->theirs,
			remark);
	}
	for (size_t i = 0; i < r->ours->n; i++)
		if (!r->ours->list[i].covered)
			add_row(b, &r->ours->list[i], "only-ours",
				&r->ours->list[i], NULL, "");
}
