/* Are the measured latencies those of LLVM's table for the core that a run is
 * named by?  If few are, the name is wrong, or the table is. */
#include "host/cli/published_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/mc_sched.h"
#include "host/store/store_claim.h"

enum {
	/* Latencies that are compared: more than any core has plain forms. */
	MOST = 20000,
	/* Of fewer, a share says little: its standard error is above 0.07. */
	LEAST = 50,
	PLACEHOLDER = 100, /* of LLVM's tables, for what was not measured */
};

/* Whole numbers of cycles within this agree. */
static const double near = 0.05;
/* Seen on a Zen 5: 46 % for its own table, 10 to 12 % for those of Haswell,
 * Skylake, Zen 2 and Sapphire Rapids. */
static const double few = 0.25;

struct measured_latency {
	const struct form *form;
	double cycles; /* from the slowest register to the first result */
};

struct latencies {
	const struct catalogue *c;
	size_t n;
	struct measured_latency list[MOST];
};

static bool is_plain(const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind != OPERAND_REG)
			return false;
	return f->access == 0 && !f->variant;
}

static void add_latency(struct latencies *l, const struct form *f,
			double cycles)
{
	struct measured_latency *last = l->n ? &l->list[l->n - 1] : NULL;

	/* Claims of one form follow each other. */
	if (last && last->form == f) {
		last->cycles = fmax(last->cycles, cycles);
		return;
	}
	if (l->n < MOST)
		l->list[l->n++] = (struct measured_latency){ f, cycles };
}

static int take_claim(void *context, const struct claim *c, bool ports,
		      struct err *e)
{
	struct latencies *l = context;
	const struct form *f;

	(void)e;
	if (ports || !c->has_value || strcmp(c->kind, "latency") != 0 ||
	    strcmp(c->verdict, "ok") != 0 || strcmp(c->destination, "0") != 0 ||
	    c->high_cycles > c->low_cycles * (1 + near))
		return 0;
	f = catalogue_form(l->c, c->form);
	if (f && is_plain(f))
		add_latency(l, f, (c->low_cycles + c->high_cycles) / 2);
	return 0;
}

/* LLVM's latency of the form; 0: it has none. */
static double table_latency(const struct mc_sched *s, const struct form *f)
{
	const struct mc_inst i = { .opcode = f->opcode };
	unsigned class, writer;
	int cycles;

	if (mc_sched_varies(s, f->opcode))
		return 0;
	class = mc_sched_find(s, &i);
	cycles = class ? mc_sched_latency(s, class, 0, &writer) : 0;
	return cycles > 0 && cycles != PLACEHOLDER ? cycles : 0;
}

/* How many latencies a table has, and how many of these it has right. */
struct table_fit {
	size_t n, n_right;
};

static double share_of(const struct table_fit *f)
{
	return (double)f->n_right / (double)f->n;
}

/* A core without tables fits nothing. */
static struct table_fit fit_to(const struct latencies *l, const char *llvm)
{
	struct table_fit fit = { .n = 0 };
	struct mc_sched *s;
	struct err why = { .code = ERR_OK };

	if (mc_sched_open(l->c->isa->triple, llvm, &s, &why) != ERR_OK)
		return fit;
	for (size_t i = 0; i < l->n; i++) {
		double cycles = table_latency(s, l->list[i].form);

		if (cycles <= 0)
			continue;
		fit.n++;
		fit.n_right +=
			fabs(cycles - l->list[i].cycles) <= near * cycles;
	}
	mc_sched_close(s);
	return fit;
}

static void print_fit(const struct latencies *l, const char *llvm)
{
	struct table_fit f = fit_to(l, llvm);

	if (f.n < LEAST)
		return;
	printf("  latencies: %.0f %% of %zu are as in LLVM's table of %s\n",
	       100 * share_of(&f), f.n, llvm);
	if (share_of(&f) < few)
		printf("  warning: with so few this is hardly a %s; is --cpu "
		       "right, or 'cpu' of\n  the board, or is the table "
		       "wrong?\n",
		       llvm);
}

int published_tables(struct store *s, int64_t run, const struct catalogue *c,
		     const char *llvm, struct err *e)
{
	struct latencies *l = xrealloc(NULL, 1, sizeof(*l));

	*l = (struct latencies){ .c = c };
	if (store_model_claims(s, run, take_claim, l, e) == ERR_OK)
		print_fit(l, llvm);
	free(l);
	return e->code;
}
