/* A short table of a run; see table.h. */
#include "host/cli/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/identity.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"
#include "host/view/claims.h"

enum { MAX_ROWS = 24, FEW = 8 };

struct row {
	const char *form;
	const struct claim *latency, *throughput; /* NULL: none */
};

static bool is_ok(const struct claim *c)
{
	return c->verdict == VERDICT_OK;
}

/* The latency of the table: the largest exact one, else the largest
 * interval. */
static bool is_preferred(const struct claim *c, const struct claim *to)
{
	if (!to || !to->has_value)
		return true;
	if (!c->has_value || is_ok(c) != is_ok(to))
		return c->has_value && is_ok(c);
	return c->high_cycles >= to->high_cycles;
}

static struct row row_of(const struct view_claims *part)
{
	struct row r = { .form = part->list->form };

	for (size_t i = 0; i < part->n; i++) {
		const struct claim *c = &part->list[i];

		if (claim_is(c, "throughput") || claim_is(c, "code"))
			r.throughput = c;
		else if (claim_is(c, "latency") && is_preferred(c, r.latency))
			r.latency = c;
	}
	return r;
}

static const char *doubt_of(const struct claim *c)
{
	return !c || is_ok(c) ? "" : claim_verdict(c);
}

static void print_row(const struct row *r)
{
	char latency[VIEW_SPAN_ROOM] = "-", throughput[VIEW_SPAN_ROOM] = "-";
	const char *first = doubt_of(r->latency);
	const char *second = doubt_of(r->throughput);

	if (r->latency)
		view_value_text(r->latency, latency);
	if (r->throughput)
		view_value_text(r->throughput, throughput);
	printf("%-24s %12s %12s  %s%s%s\n", r->form, latency, throughput, first,
	       *first && *second ? ", " : "", second);
}

/* All forms where there is room for them.  Else those of common instructions
 * (struct isa; NULL: none), or, in a run with few of these, some from the
 * whole alphabet. */
static void print_rows(const struct row *r, size_t n,
		       const char *const *familiar)
{
	size_t every = (n + MAX_ROWS - 1) / MAX_ROWS;
	size_t n_familiar = 0, shown = 0;
	bool few;

	for (size_t i = 0; i < n && familiar; i++)
		n_familiar += name_matches_any(familiar, r[i].form);
	few = n <= MAX_ROWS || n_familiar < FEW;
	printf("\n%-24s %12s %12s  %s\n", "form", "latency", "throughput",
	       "note");
	for (size_t i = 0; i < n; i++)
		if (few ? shown < MAX_ROWS && i % every == 0
			: name_matches_any(familiar, r[i].form)) {
			print_row(&r[i]);
			shown++;
		}
	if (n > shown)
		printf("... %zu of %zu forms shown\n", shown, n);
}

/* ---- the board ----------------------------------------------------------- */

/* Boot options that the runtime did not take (target/core/options.h). */
static int warn_of_options(struct store *s, struct arena *a, int64_t run,
			   struct err *e)
{
	const char *refused;

	if (store_env_get(s, a, run, "options_refused", &refused, e) ==
		    ERR_OK &&
	    refused)
		printf("warning: the board ignored the boot options %s; see "
		       "docs/porting-board.md\n",
		       refused);
	return e->code;
}

/* Equal words, or equal numbers: 0x10000000 is 268435456. */
static bool is_equal(const char *a, const char *b)
{
	char *end_a, *end_b;
	unsigned long long x = strtoull(a, &end_a, 0);
	unsigned long long y = strtoull(b, &end_b, 0);
	bool numbers = end_a != a && end_b != b && !*end_a && !*end_b;

	return numbers ? x == y : strcmp(a, b) == 0;
}

/* The board's `info`. */
static int check_info(struct store *s, struct arena *a, int64_t run,
		      const struct board *b, struct err *e)
{
	char *at = arena_strdup(a, b->info);

	for (char *next; at && *at; at = next) {
		const char *key = at, *is, *value;

		next = at + strcspn(at, ",");
		if (*next)
			*next++ = '\0';
		at[strcspn(at, "=")] = '\0';
		value = at + strlen(at) + 1;
		if (store_env_get(s, a, run, key, &is, e) != ERR_OK)
			break;
		if (!is || !is_equal(is, value))
			printf("warning: INFO has %s%s%s, but %s says %s=%s: "
			       "correct 'info' there, or this is another "
			       "board\n",
			       is ? key : "no ", is ? "=" : key, is ? is : "",
			       b->path, key, value);
	}
	return e->code;
}

/* LLVM's CPU of the run, against the numbers of its core. */
static int check_cpu(struct store *s, struct arena *a, int64_t run,
		     const struct board *b, struct err *e)
{
	const struct known_core *is;
	struct known_cores facts;
	struct core_id core;
	struct run r;
	const char *cpu;
	bool from_file;

	if (strcmp(b->cpu, "native") == 0)
		return ERR_OK;
	if (store_run_get(s, a, run, &r, e) != ERR_OK ||
	    store_run_core(s, a, run, &core, e) != ERR_OK)
		return e->code;
	cpu = arena_printf(a, "%.*s", (int)strcspn(r.cpu, ","), r.cpu);
	from_file = strcmp(cpu, b->cpu) == 0;
	facts = facts_read(a);
	if (!facts_contradict(a, &facts, core.core, cpu))
		return ERR_OK;
	is = facts_of_run(a, &facts, core.core);
	printf("warning: INFO's core is %s%s%s%s, but %s%s says cpu=%s: %s, or "
	       "this is another board\n",
	       core.core, is ? " (" : "", is ? is->name : "", is ? ")" : "",
	       from_file ? "" : "--cpu of ", from_file ? b->path : "the run",
	       cpu, from_file ? "correct 'cpu' there" : "pass the right --cpu");
	return ERR_OK;
}

static int check_image(struct store *s, struct arena *a, int64_t run,
		       const struct board *b, struct err *e)
{
	const char *name;

	if (store_env_get(s, a, run, "image_board", &name, e) == ERR_OK &&
	    name && strcmp(name, b->name) != 0)
		printf("warning: the board runs an image that was made for "
		       "board '%s', not for '%s'\n",
		       name, b->name);
	return e->code;
}

/* Print a warning for each contradiction between the INFO record of a run and
 * the file of its board: fields of `info`, the core's numbers (midr; mvendorid,
 * marchid, mimpid; family and model) and `cpu`, the board that an image was
 * made for. */
static int check_board(struct store *s, struct arena *a, int64_t run,
		       const struct board *b, struct err *e)
{
	return check_info(s, a, run, b, e) == ERR_OK &&
			       check_cpu(s, a, run, b, e) == ERR_OK
		       ? check_image(s, a, run, b, e)
		       : e->code;
}

/* Sums of latency cycles are no rows: their parts are the values. */
static void print_claims(struct arena *a, struct view_claims *rest,
			 const struct isa *isa)
{
	struct row *rows = ARENA_ARRAY(a, struct row, rest->n + 1);
	struct view_claims part;
	size_t n = 0;

	while ((part = view_next(rest, view_same_form)).n > 0)
		if (*part.list->form && !strchr(part.list->form, '+'))
			rows[n++] = row_of(&part);
	print_rows(rows, n, isa ? isa->familiar : NULL);
}

int table_print(struct store *s, int64_t run, const struct board *b,
		struct err *e)
{
	struct arena a = { 0 };
	struct view_claims claims;
	struct run row;

	if (warn_of_options(s, &a, run, e) == ERR_OK &&
	    (!b || check_board(s, &a, run, b, e) == ERR_OK) &&
	    store_run_get(s, &a, run, &row, e) == ERR_OK &&
	    view_read_claims(s, &a, run, NULL, &claims, e) == ERR_OK)
		print_claims(&a, &claims, isa_find(row.isa));
	arena_free(&a);
	return e->code;
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
		       db, core.core, buffer_text(&others));
	buffer_free(&others);
	arena_free(&a);
	return e->code;
}
