/* A short table of a run; see table.h. */
#include "host/cli/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/cli/board_check.h"
#include "host/isa/familiar.h"
#include "host/isa/isa.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"

/* Bounds within this relative distance are one value with its uncertainty. */
static const double one_value = 0.05;

enum { MAX_ROWS = 24, FEW = 8, NAME = 64, VALUE = 40 };

struct row {
	char form[NAME];
	char latency[VALUE];
	char throughput[VALUE];
	/* The latency of the table: the largest exact one, else the largest
	 * interval. */
	bool has_exact;
	double largest;
	char latency_verdict[VALUE], throughput_verdict[VALUE];
};

struct table {
	size_t n_forms, n_familiar; /* counted first */
	size_t n_rows, at;
	bool counting;
	const char *const *familiar; /* host/isa/familiar.h; NULL: none */
	struct row row;
};

void table_value(const struct claim *c, char *text, size_t room)
{
	if (!c->has_value)
		(void)snprintf(text, room, "-");
	else if (c->high_cycles - c->low_cycles <= one_value * c->high_cycles)
		(void)snprintf(text, room, "%.4g",
			       (c->low_cycles + c->high_cycles) / 2);
	else
		(void)snprintf(text, room, "%.4g..%.4g", c->low_cycles,
			       c->high_cycles);
}

static bool is_familiar(const struct table *t, const char *form)
{
	return t->familiar && familiar_has(t->familiar, form);
}

/* All forms where there is room for them.  Else those of common instructions, or, in a run
 * with few of these, some from the whole alphabet. */
static bool is_shown(const struct table *t)
{
	size_t every = (t->n_forms + MAX_ROWS - 1) / MAX_ROWS;

	if (t->n_forms > MAX_ROWS && t->n_familiar >= FEW)
		return is_familiar(t, t->row.form);
	return t->n_rows < MAX_ROWS && t->at % every == 0;
}

static void print_row(struct table *t)
{
	const struct row *r = &t->row;

	if (*r->form == '\0')
		return;
	if (t->counting) {
		t->n_forms++;
		t->n_familiar += is_familiar(t, r->form);
		return;
	}
	if (is_shown(t)) {
		bool both = *r->latency_verdict && *r->throughput_verdict;

		printf("%-24s %12s %12s  %s%s%s\n", r->form, r->latency,
		       r->throughput, r->latency_verdict, both ? ", " : "",
		       r->throughput_verdict);
		t->n_rows++;
	}
	t->at++;
}

static void set_verdict(char verdict[VALUE], const struct claim *c)
{
	bool ok = strcmp(c->verdict, "ok") == 0;

	(void)snprintf(verdict, VALUE, "%s", ok ? "" : c->verdict);
}

static void add_latency(struct row *r, const struct claim *c)
{
	bool exact = c->has_value && strcmp(c->verdict, "ok") == 0;

	if (!c->has_value && *r->latency == '-')
		set_verdict(r->latency_verdict, c);
	if (!c->has_value || (r->has_exact && !exact) ||
	    (r->has_exact == exact && c->high_cycles < r->largest))
		return;
	r->has_exact = exact;
	r->largest = c->high_cycles;
	table_value(c, r->latency, sizeof(r->latency));
	set_verdict(r->latency_verdict, c);
}

static int table_add(void *context, const struct claim *c, struct err *e)
{
	struct table *t = context;
	struct row *r = &t->row;

	(void)e;
	/* Skip sums of dependency cycles: their parts are the values. */
	if (strchr(c->form, '+'))
		return ERR_OK;
	if (strcmp(r->form, c->form) != 0) {
		print_row(t);
		*r = (struct row){ .latency = "-", .throughput = "-" };
		(void)snprintf(r->form, sizeof(r->form), "%s", c->form);
	}
	if (strcmp(c->kind, "throughput") == 0) {
		table_value(c, r->throughput, sizeof(r->throughput));
		set_verdict(r->throughput_verdict, c);
	} else if (strcmp(c->kind, "latency") == 0) {
		add_latency(r, c);
	}
	return ERR_OK;
}

/* Boot options that the runtime did not take (target/core/options.h). */
static int print_refused(void *context, const char *key, const char *value,
			 struct err *e)
{
	(void)context;
	(void)e;
	if (strcmp(key, "options_refused") == 0)
		printf("warning: the board ignored the boot options %s; see "
		       "docs/porting-board.md\n",
		       value);
	return ERR_OK;
}

int table_print(struct store *s, int64_t run, const struct board *b,
		struct err *e)
{
	struct table t = { .counting = true };
	struct arena a = { 0 };
	struct run row;
	const struct isa *isa;

	if (store_envs(s, run, print_refused, NULL, e) != ERR_OK ||
	    (b && board_check(s, run, b, e) != ERR_OK) ||
	    store_run_get(s, &a, run, &row, e) != ERR_OK) {
		arena_free(&a);
		return e->code;
	}
	isa = isa_find(row.isa);
	t.familiar = isa ? isa->familiar : NULL;
	arena_free(&a);
	if (store_claims(s, run, NULL, table_add, &t, e) != ERR_OK)
		return e->code;
	print_row(&t);
	t.counting = false;
	t.row = (struct row){ .form = "" };
	printf("\n%-24s %12s %12s  %s\n", "form", "latency", "throughput",
	       "note");
	if (store_claims(s, run, NULL, table_add, &t, e) != ERR_OK)
		return e->code;
	print_row(&t);
	if (t.n_forms > t.n_rows)
		printf("... %zu of %zu forms shown\n", t.n_rows, t.n_forms);
	return ERR_OK;
}

/* A step of the distribution: cycles, or shares of the value on a ref clock. */
static void print_step(const struct silence_summary *s, size_t i)
{
	uint64_t from = i ? silence_steps[i - 1] + 1 : 0;

	if (i > 0 && s->kernels[i] == 0)
		return;
	if (s->all.ref && isinf(silence_shares[i]))
		printf(", more in %zu", s->kernels[i]);
	else if (s->all.ref)
		printf("%s to %g %% in %zu", i ? "," : " up",
		       100 * silence_shares[i], s->kernels[i]);
	else if (i == 0)
		printf(" 0 in %zu kernels", s->kernels[i]);
	else if (silence_steps[i] == UINT64_MAX)
		printf(", %" PRIu64 " or more in %zu", from, s->kernels[i]);
	else
		printf(", %" PRIu64 "..%" PRIu64 " in %zu", from,
		       silence_steps[i], s->kernels[i]);
}

void table_silence(const struct silence_summary *s)
{
	enum { TEXT = 240 };
	char text[TEXT];

	if (s->all.n_rows == 0)
		return;
	silence_text(&s->all, text, sizeof(text));
	printf("silence: %s;\n         spread", text);
	for (size_t i = 0; i < SILENCE_STEPS; i++)
		print_step(s, i);
	if (s->all.ref)
		printf("; at most %.2g %%\n", 100 * s->all.spread);
	else
		printf("; at most %" PRIu64 " cycles\n", s->all.spread_cycles);
}

static double percent(size_t part, size_t all)
{
	return all > 0 ? 100 * (double)part / (double)all : 0;
}

static const char *class_name(int group)
{
	return group == KERNEL_UNKNOWN ? "not known" : kernel_class_word(group);
}

/* A set of flags: "'loads slow' with 'chains disagree'". */
static void print_marks(int set)
{
	bool any = false;

	for (int mark = 0; mark < N_MARKS; mark++)
		if (set >> mark & 1) {
			printf("%s'%s'", any ? " with " : "",
			       silence_marks[mark]);
			any = true;
		}
}

/* The sets of flags that the solver ignores in a class. */
static void print_ignored(const struct evidence_report *e, int group)
{
	static const char *const kinds[N_COMBINES] = {
		[COMBINE_MEDIAN] = "latencies",
		[COMBINE_LOWEST] = "throughputs",
	};

	for (int how = 0; how < N_COMBINES; how++)
		for (int set = 1; set < MARK_SETS; set++) {
			if (!(e->classes[group].ignored[how] >> set & 1))
				continue;
			printf("  ignored for %s of class '%s': ", kinds[how],
			       class_name(group));
			print_marks(set);
			(void)putchar('\n');
		}
}

/* If most samples of a class have the same flag, the class is disturbed; or,
 * if the flag is ignored, its probe is slow for another reason. */
static void warn_of_marks(const struct evidence_report *e, int group)
{
	const double most = 50;

	for (int mark = 0; mark < N_MARKS; mark++) {
		double share = percent(e->classes[group].n_marked[mark],
				       e->classes[group].n_rows);

		if (share > most)
			printf("  warning: %.0f %% of the samples of class "
			       "'%s' have flag '%s'\n",
			       share, class_name(group), silence_marks[mark]);
	}
}

void table_evidence(const struct evidence_report *e)
{
	printf("samples with each flag in %%, and correct visits of those "
	       "without flags in %%:\n%-16s%9s%9s",
	       "class", "samples", "none");
	for (int mark = 0; mark < N_MARKS; mark++)
		printf(" %15s", silence_marks[mark]);
	printf(" %9s %10s\n", "latency", "throughput");
	for (int group = 0; group < KERNEL_N_CLASSES; group++) {
		size_t n = e->classes[group].n_rows;

		if (n == 0)
			continue;
		printf("%-16s%9zu%9.1f", class_name(group), n,
		       percent(e->classes[group].n_unmarked, n));
		for (int mark = 0; mark < N_MARKS; mark++)
			printf(" %15.1f",
			       percent(e->classes[group].n_marked[mark], n));
		printf(" %9.1f %10.1f\n",
		       100 * e->classes[group].right[COMBINE_MEDIAN],
		       100 * e->classes[group].right[COMBINE_LOWEST]);
	}
	for (int group = 0; group < KERNEL_N_CLASSES; group++)
		if (e->classes[group].n_rows > 0) {
			print_ignored(e, group);
			warn_of_marks(e, group);
		}
}

int table_other_cores(struct store *s, int64_t run, const char *db,
		      struct err *e)
{
	struct arena a = { 0 };
	struct buffer others = { 0 };
	struct core_id core;

	if (store_run_core(s, &a, run, &core, e) == ERR_OK &&
	    store_other_cores(s, run, &others, e) == ERR_OK && others.n > 0)
		printf("%s has values of other cores; choose one with "
		       "--core-of. This run:\n  %s\nothers:%s\n",
		       db, core.core, (const char *)others.bytes);
	buffer_free(&others);
	arena_free(&a);
	return e->code;
}
