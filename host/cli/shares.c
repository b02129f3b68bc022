/* anechoic shares: how many of a core's forms ran and how many have values,
 * and the names of those that are missing. */
#include <stdio.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/models.h"
#include "host/isa/isa.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"
#include "host/view/shares.h"

struct shares_args {
	const char *db, *cpu;
	struct core_query core;
};
#define ARGS struct shares_args

/* Goals for a database of a whole core, in percent. */
enum { THROUGHPUT_GOAL = 97, LATENCY_GOAL = 95 };

/* goal 0: none */
static void print_share(const char *what, size_t part, size_t whole,
			unsigned goal)
{
	printf("%-44s %6zu  %5.1f %%", what, part,
	       whole ? 100.0 * (double)part / (double)whole : 0.0);
	if (goal)
		printf("  (goal: %u %%)", goal);
	(void)putchar('\n');
}

static void print_missing(const struct shares *s, enum shares_lack from,
			  enum shares_lack to)
{
	for (enum shares_lack i = from; i <= to; i++) {
		const struct shares_missing *m = &s->missing[i];

		for (size_t k = 0; k < m->n && k < SHARES_NAMED; k++)
			printf("  %s: %s\n", m->what, m->first[k]);
		if (m->n > SHARES_NAMED)
			printf("  %s: and %zu more\n", m->what,
			       m->n - SHARES_NAMED);
	}
}

static void print_forms(const struct shares *s)
{
	size_t all = s->n_executed;

	printf("%-44s %6zu\n", "forms that are not refused", s->n_forms);
	print_share("executed: no illegal instruction", all, s->n_forms, 0);
	print_share("ran without a fault, of all", s->n_ran, s->n_forms, 0);
	print_share("ran without a fault, of those executed", s->n_ran, all, 0);
	print_share("throughput, of those executed", s->n_value, all,
		    THROUGHPUT_GOAL);
	print_share("  exact", s->n_exact, all, 0);
	print_share("  two speeds, or an interval", s->n_value - s->n_exact,
		    all, 0);
	print_share("  none: noisy, unstable, faulted", all - s->n_value, all,
		    0);
	print_missing(s, SHARES_ILLEGAL, SHARES_NO_THROUGHPUT);
}

static void print_pairs(const struct shares *s)
{
	size_t all = s->n_pairs;

	printf("%-44s %6zu\n", "pairs of registers, source > result", all);
	print_share("latency or a named reason",
		    s->n_pair_value + s->n_pair_reason, all, LATENCY_GOAL);
	print_share("  latency, exact", s->n_pair_exact, all, 0);
	print_share("  latency, two speeds or an interval",
		    s->n_pair_value - s->n_pair_exact, all, 0);
	print_share("  no latency for a named reason", s->n_pair_reason, all,
		    0);
	print_missing(s, SHARES_SILENT, SHARES_SILENT);
}

/* Find the newest run of values, not of ports, of the given board and ISA. */
static int find_run(struct arena *a, struct store *store,
		    const struct shares_args *o, struct run *ret, struct err *e)
{
	const char *board = o->core.board, *isa = o->core.isa;
	int64_t *ids;
	size_t n;

	if (store_chosen_runs(store, a, &ids, &n, e) != ERR_OK)
		return e->code;
	while (n-- > 0) {
		if (store_run_get(store, a, ids[n], ret, e) != ERR_OK)
			return e->code;
		if (strcmp(ret->what, "ports") != 0 &&
		    (!board || strcmp(board, ret->board) == 0) &&
		    (!isa || strcmp(isa, ret->isa) == 0))
			return ERR_OK;
	}
	return err_set(e, ERR_INPUT,
		       "%s has no run of latencies or throughputs%s%s%s%s",
		       o->db, board ? " of board " : "", board ? board : "",
		       isa ? ", " : "", isa ? isa : "");
}

/* Logs of earlier versions do not name their CPU. */
static bool knows_cpu(const struct run *r)
{
	return *r->cpu != '\0' && strcmp(r->cpu, "any") != 0;
}

/* Load the forms of `cpu`, or of the core that was measured if it is NULL.  A
 * run stores only the name of `native`, so the features of this machine are
 * read again. */
static int load(struct arena *a, const struct run *run, const char *cpu,
		struct catalogue **ret, struct err *e)
{
	const struct isa *isa = isa_find(run->isa);
	struct err none = { .code = ERR_OK };

	if (!isa)
		return err_set(e, ERR_INPUT,
			       "run %lld is of an unknown instruction set "
			       "'%s'",
			       (long long)run->id, run->isa);
	if (cpu)
		return catalogue_load(a, isa, cpu, ret, e);
	if (isa == isa_native() &&
	    catalogue_load(a, isa, "native", ret, &none) == ERR_OK) {
		if (strcmp((*ret)->cpu, run->cpu) == 0)
			return ERR_OK;
		catalogue_free(*ret);
		*ret = NULL;
	}
	return catalogue_load(a, isa, knows_cpu(run) ? run->cpu : NULL, ret, e);
}

static void print_shares(const struct run *run, const struct shares *s)
{
	if (!s->has_forms)
		return;
	printf("%s %s, run of %s%s%s\n", run->board, run->isa, run->date,
	       *run->forms ? ", forms " : "", run->forms);
	print_forms(s);
	if (s->has_pairs)
		print_pairs(s);
}

static int shares_run(void *args, struct command_resources *r, struct err *e)
{
	const struct shares_args *o = args;
	struct shares s;
	struct run run;

	if (models_open_store(o->db, &o->core, &r->store, e) == ERR_OK &&
	    find_run(&r->a, r->store, o, &run, e) == ERR_OK &&
	    load(&r->a, &run, o->cpu, &r->c, e) == ERR_OK) {
		(void)shares_of(r->store, &r->a, &run, r->c, &s, e);
		print_shares(&run, &s);
	}
	return e->code;
}

const struct command command_shares = {
	.name = "shares",
	.summary = "how many forms ran, how many have values, what is missing",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		OPTION_DB(db),
		WORD("--board", core.board, "NAME",
		     "the newest run of this board"),
		WORD("--isa", core.isa, "ISA",
		     "the newest run of this instruction set",
		     .choice = choice_isa),
		WORD("--cpu", cpu, "NAME",
		     "only the forms of this CPU: an LLVM name or native",
		     .by_default = "the measured core's"),
		OPTION_CORE_OF(core.core_of)),
	.describe =
		"Counts, in the newest run, the forms of the core that the "
		"program does not refuse, how many of them ran without a "
		"fault and how many have a throughput; and of their pairs of "
		"registers, how many have a latency or a named reason. Names "
		"what is missing. Values that are only seen (verdicts noisy, "
		"unstable) count as missing.",
	.examples = "anechoic measure --board qemu-user-max --once --what "
		    "throughput --db max.db\n"
		    "anechoic shares --db max.db",
	.run = shares_run,
};
