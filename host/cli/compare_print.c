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

/* Of values only latencies, throughputs and structures are compared. */
#define N_KINDS (COMPARE_STRUCTURE + 1)

/* Two runs of one machine should agree this well: 99 % of latencies, 98 % of
 * throughputs; of structures, of which a search ends at a sixty-fourth of a size or coarser,
 * 5 %. */
static const double repeatable[N_KINDS] = { 0.005, 0.01, 0.05 };

/* Values of forms have a row also where none is compared. */
static bool is_shown(enum compare_kind k, const struct compare_counts *counts)
{
	return k != COMPARE_STRUCTURE || counts->n[k][COMPARE_MISSING] > 0 ||
	       compare_n_compared(counts, k) > 0;
}

struct reasons {
	size_t n;
	struct {
		const char *text;
		size_t count[N_KINDS];
	} list[MAX_REASONS];
};

static void note(struct reasons *w, const char *text, const char *word)
{
	enum compare_kind kind = compare_kind_of(word);
	size_t i = 0;

	if (kind >= N_KINDS)
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
	buffer_printf(r->out, "\n%-40s", title);
	for (enum compare_kind k = 0; k < N_KINDS; k++)
		if (is_shown(k, &r->counts))
			buffer_printf(r->out, " %*s", k ? 11 : 9,
				      compare_kind_words[k]);
	buffer_printf(r->out, "\n");
	for (size_t i = 0; i < w->n; i++) {
		buffer_printf(r->out, "  %-38s", w->list[i].text);
		for (enum compare_kind k = 0; k < N_KINDS; k++)
			if (is_shown(k, &r->counts))
				buffer_printf(r->out, " %*zu", k ? 11 : 9,
					      w->list[i].count[k]);
		buffer_printf(r->out, "\n");
	}
}

static double percent(size_t part, size_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_rates(const struct compare_report *r)
{
	buffer_printf(r->out, "%-11s %8s %8s %7s %9s %8s %7s\n", "", "compared",
		      "agree", "rate", "interval", "differ", "rate*");
	for (enum compare_kind k = 0; k < N_KINDS; k++) {
		const size_t *of = r->counts.n[k];
		size_t n = compare_n_compared(&r->counts, k);
		size_t agree = of[COMPARE_AGREES], inside = of[COMPARE_INSIDE];

		if (!is_shown(k, &r->counts))
			continue;
		buffer_printf(r->out,
			      "%-11s %8zu %8zu %6.2f%% %9zu %8zu %6.2f%%\n",
			      compare_kind_words[k], n, agree,
			      percent(agree, n), inside, of[COMPARE_DIFFERS],
			      percent(agree + inside, n));
	}
	buffer_printf(
		r->out,
		"agree: a value of ours lies within the tolerance of an "
		"accepted "
		"one;\ninterval: an accepted value lies in our interval, or "
		"ours in theirs; rate* counts both\n");
}

/* Of the rows whose form is in the database, how many have a value of ours? */
static void print_coverage(const struct compare_report *r)
{
	for (enum compare_kind k = 0; k < COMPARE_STRUCTURE; k++) {
		size_t n = 0, n_compared = 0;

		for (size_t i = 0; i < r->n_pairs; i++) {
			const struct compare_pair *p = &r->pairs[i];

			if (compare_kind_of(p->theirs->kind) != k || !p->known)
				continue;
			n++;
			n_compared += p->result != COMPARE_MISSING;
		}
		buffer_printf(
			r->out,
			"coverage %-10s %zu of %zu rows whose form is in the "
			"database: %.2f %%\n",
			compare_kind_words[k], n_compared, n,
			percent(n_compared, n));
	}
}

/* The mean of a mixture of latencies repeats less well than a latency. */
static bool is_mean(const struct compare_row *r)
{
	return r->mean;
}

static void print_repeatability(const struct compare_report *r)
{
	for (enum compare_kind k = 0; k < N_KINDS; k++) {
		size_t n = 0, within = 0;

		if (!is_shown(k, &r->counts))
			continue;
		for (size_t i = 0; i < r->n_pairs; i++) {
			const struct compare_pair *p = &r->pairs[i];

			if (compare_kind_of(p->theirs->kind) != k ||
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
			compare_kind_words[k], within, n, 100 * repeatable[k],
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
			note(&here, p->missing, p->theirs->kind);
	}
	print_differences(r);
	for (size_t i = 0; i < r->ours->n; i++)
		if (!r->ours->list[i].covered)
			note(&there, r->ours->list[i].verdict,
			     r->ours->list[i].kind);
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

/* ---- models -------------------------------------------------------------- */

/* Lines of a kind that the text shows; CSV has all. */
enum { SHOWN = 20 };

static void print_model(struct buffer *b, const char *whose,
			const struct model *m)
{
	buffer_printf(b, "%s  %s (%s), %zu forms, %zu ports", whose,
		      *m->cpu ? m->cpu : "a core", m->source, m->n_forms,
		      m->n_ports);
	if (m->width.has_value)
		buffer_printf(b, ", width %g", m->width.high);
	buffer_printf(b, "\n");
}

static void print_counts(struct buffer *b, const struct compare_counts *f)
{
	for (enum compare_kind k = 0; k < COMPARE_N_KINDS; k++) {
		const size_t *n = f->n[k];
		size_t all = compare_n_compared(f, k);

		if (!is_shown(k, f))
			continue;
		buffer_printf(b, "%-11s %9zu %9zu %9zu %9zu",
			      compare_kind_words[k], all, n[COMPARE_AGREES],
			      n[COMPARE_INSIDE], n[COMPARE_DIFFERS]);
		if (all > 0)
			buffer_printf(
				b, " %6.1f%% %6.1f%%",
				percent(n[COMPARE_AGREES], all),
				percent(n[COMPARE_AGREES] + n[COMPARE_INSIDE],
					all));
		buffer_printf(b, "\n");
	}
}

/* How many pairs of the form, from here on, differ by the same values? */
static size_t n_same(const struct compare_model_difference *d, size_t n)
{
	size_t same = 1;

	while (same < n && strcmp(d[same].form, d->form) == 0 &&
	       strcmp(d[same].ours, d->ours) == 0 &&
	       strcmp(d[same].theirs, d->theirs) == 0)
		same++;
	return same;
}

static void list_differences(struct buffer *b, const struct compare_models *f,
			     enum compare_kind k)
{
	const struct compare_model_difference *list =
		(const void *)f->differences[k].bytes;
	size_t n = f->counts.n[k][COMPARE_DIFFERS], same;

	if (n == 0)
		return;
	buffer_printf(b, "\n%s, the largest differences first: ours, theirs\n",
		      compare_kind_words[k]);
	for (size_t i = 0, shown = 0; i < n; i += same, shown++) {
		char what[64];

		same = n_same(&list[i], n - i);
		if (shown == SHOWN) {
			buffer_printf(b, "  and %zu more: --format csv\n",
				      n - i);
			break;
		}
		(void)snprintf(what, sizeof(what),
			       same > 1 ? "%s (+%zu)" : "%s", list[i].what,
			       same - 1);
		buffer_printf(b, "  %-20s %-20s %-17s %s\n", list[i].form, what,
			      list[i].ours, list[i].theirs);
	}
}

void compare_print_models_text(const struct compare_models_report *r)
{
	struct buffer *b = r->out;
	const struct compare_models *f = r->found;

	print_model(b, "ours  ", r->ours);
	print_model(b, "theirs", r->theirs);
	buffer_printf(b,
		      "%zu forms in common, %zu only ours, %zu only theirs; "
		      "tolerance "
		      "%g %%\n\n%-11s %9s %9s %9s %9s %7s %7s\n",
		      f->n_common, r->ours->n_forms - f->n_common,
		      r->theirs->n_forms - f->n_common, 100 * r->tolerance, "",
		      "compared", "agree", "interval", "differ", "rate",
		      "rate*");
	print_counts(b, &f->counts);
	for (enum compare_kind k = 0; k < COMPARE_N_KINDS; k++)
		list_differences(b, f, k);
}

void compare_print_models_csv(const struct compare_models_report *r)
{
	struct buffer *b = r->out;
	const struct compare_models *f = r->found;

	buffer_printf(b, "kind,form,pair,ours,theirs\n");
	for (enum compare_kind k = 0; k < COMPARE_N_KINDS; k++) {
		const struct compare_model_difference *list =
			(const void *)f->differences[k].bytes;

		for (size_t i = 0; i < f->counts.n[k][COMPARE_DIFFERS]; i++) {
			buffer_printf(b, "%s,", compare_kind_words[k]);
			csv_add(b, list[i].form);
			buffer_printf(b, ",%s,%s,%s\n", list[i].what,
				      list[i].ours, list[i].theirs);
		}
	}
}
