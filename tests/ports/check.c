/* Compares a machine model with the .core file it was measured on:
 *
 *	ports_check DB CORE [verbose]
 *
 * The solver never saw the file.  Prints how many unions of single-uop forms
 * below the width are right, the error of predictions on 3,000 random mixes,
 * and, of cores with dual-issue rules, whether the table of pairs is theirs;
 * fails below what tests/ports/README.md promises. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/fake/core.h"
#include "host/isa/isa.h"
#include "host/model/claims.h"
#include "tests/ports/truth.h"

enum { MIXES = 3000 };

struct check {
	struct arena a;
	struct core core;
	struct catalogue *c;
	struct model m;
	struct truth t;
	const struct model_form *found[TRUTH_MAX_FORMS];
};

/* The file's form as the truth has it. */
static void add_truth(struct check *k, const struct model_form *found,
		      const struct core_form *f)
{
	struct truth_form *t = &k->t.forms[k->t.n_forms];

	if (!f || f->fault || k->t.n_forms == TRUTH_MAX_FORMS ||
	    f->n_port_uops > TRUTH_MAX_USES)
		return;
	(void)snprintf(t->name, sizeof(t->name), "%s", found->name);
	t->slots = f->n_uops;
	for (uint32_t u = 0; u < f->n_port_uops && !f->eliminated; u++)
		t->uses[t->n_uses++] =
			(struct model_use){ f->ports[u], 1,
					    u == 0 ? f->occupancy : 1 };
	k->found[k->t.n_forms++] = found;
}

static double expect(void *context, const struct ports_mix *mix)
{
	const struct check *k = context;
	struct model_use uses[PORTS_MAX_PARTS * 16];
	double slots = 0, bound;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		const struct model_form *f = k->found[mix->part[i].form];
		double uops = 0;

		if (!f->has_ports)
			return 0;
		for (size_t u = 0; u < f->n_uses && n < ARRAY_LEN(uses); u++) {
			uses[n] = f->uses[u];
			uses[n++].n_uops *= mix->part[i].count;
			uops += f->uses[u].n_uops;
		}
		/* Two uops may share a slot. */
		if (f->slots.has_value &&
		    (f->slots.low == f->slots.high || f->slots.low > uops))
			uops = f->slots.low;
		slots += mix->part[i].count * (uops > 1 ? uops : 1);
	}
	bound = model_port_bound(uses, n, NULL);
	slots /= k->m.width.low;
	return bound > slots ? bound : slots;
}

static bool ports(void *context, uint32_t form, model_ports *ret)
{
	const struct check *k = context;
	const struct model_form *f = k->found[form];

	if (f->n_uses != 1 || f->uses[0].n_uops * f->uses[0].cycles != 1)
		return false;
	*ret = f->uses[0].ports;
	return true;
}

static void print_forms(struct check *k)
{
	for (size_t i = 0; i < k->t.n_forms; i++) {
		const struct truth_form *t = &k->t.forms[i];
		const struct model_form *f = k->found[i];

		printf("  %-20s slots %u %.3g, ports", t->name, t->slots,
		       f->slots.low);
		for (size_t u = 0; u < t->n_uses; u++)
			printf(" %llx*%g", (unsigned long long)t->uses[u].ports,
			       t->uses[u].cycles);
		printf(" found");
		for (size_t u = 0; u < f->n_uses; u++)
			printf(" %.3gx%s*%.3g", f->uses[u].n_uops,
			       model_ports_text(&k->a, &k->m, f->uses[u].ports),
			       f->uses[u].cycles);
		printf(" (%s)\n", f->evidence);
	}
}

/* Every ordered pair of forms: do they start together? */
static int compare_pairs(const struct check *k)
{
	size_t n = 0, n_right = 0;

	for (size_t i = 0; i < k->m.n_forms; i++)
		for (size_t j = 0; j < k->m.n_forms; j++) {
			const struct model_form *x = &k->m.forms[i];
			const struct model_form *y = &k->m.forms[j];
			const struct core_form *a =
				core_find(&k->core, x->name);
			const struct core_form *b =
				core_find(&k->core, y->name);

			if (!a || !b || x->pairing == 0 || y->pairing == 0)
				continue;
			n++;
			n_right += k->m.pairs[x->pairing][y->pairing] ==
				   k->core.pair[a->pairing_id][b->pairing_id];
		}
	printf("%s: width %u, found %.3g; %zu classes of pairs; %zu of %zu "
	       "ordered pairs of forms right\n",
	       k->core.cpu, k->core.width, k->m.width.low, k->m.n_pairs - 1,
	       n_right, n);
	return n == 0 || n_right != n;
}

/* Forms with ports and no throughput, or one that excludes what the ports and
 * slots of the core leave. */
static size_t count_rateless(const struct check *k)
{
	static const double off = 0.05;
	size_t n = 0;

	for (size_t i = 0; i < k->m.n_forms; i++) {
		const struct model_form *f = &k->m.forms[i];
		const struct core_form *t = core_find(&k->core, f->name);
		struct model_use uses[CORE_MAX_UOPS];
		double cycles = t ? (double)t->n_uops / k->core.width : 0;

		if (!f->has_ports || !t)
			continue;
		for (uint32_t u = 0; u < t->n_port_uops; u++)
			uses[u] =
				(struct model_use){ t->ports[u], 1,
						    u == 0 ? t->occupancy : 1 };
		cycles = fmax(cycles,
			      model_port_bound(uses, t->n_port_uops, NULL));
		if (f->throughput.has_value &&
		    f->throughput.low <= cycles * (1 + off) &&
		    f->throughput.high >= cycles * (1 - off))
			continue;
		printf("%s: throughput %.4g..%.4g for %.4g\n", f->name,
		       f->throughput.low, f->throughput.high, cycles);
		n++;
	}
	return n;
}

static int compare(struct check *k, bool verbose)
{
	struct truth_score s;
	bool rough = k->core.least_loaded || k->core.outliers > 0;
	double right;

	if (k->core.has_pairs)
		return compare_pairs(k);
	for (size_t i = 0; i < k->m.n_forms; i++)
		add_truth(k, &k->m.forms[i],
			  core_find(&k->core, k->m.forms[i].name));
	k->t.width = k->core.width;
	k->t.n_ports = (unsigned)k->core.n_ports;
	k->t.random = 1;
	truth_compare(&k->t, MIXES, expect, ports, k, &s);
	right = s.n_unions > 0 ? (double)s.n_right / (double)s.n_unions : 1;
	printf("%s: width %u, found %.3g; %zu forms; unions below the width "
	       "%.2f %% right; error of %zu mixes: mean %.3f %%, 99 %% below "
	       "%.1f %%, worst %.1f %%, %zu unknown\n",
	       k->core.cpu, k->core.width, k->m.width.low, k->t.n_forms,
	       100 * right, s.n_mixes, 100 * s.mean, 100 * s.p99, 100 * s.worst,
	       s.n_unknown);
	if (verbose)
		print_forms(k);
	if (count_rateless(k) > 0)
		return 1;
	return k->t.n_forms < 2 || s.n_mixes == 0 ||
	       right < (rough ? 0.98 : 1) || s.mean > (rough ? 0.02 : 0.005);
}

static int load(struct check *k, const char *db, const char *core,
		struct err *e)
{
	struct store *s;
	int code = core_read(&k->a, core, &k->core, e);

	if (code != ERR_OK)
		return code;
	code = catalogue_load(&k->a, isa_find(k->core.isa), NULL, &k->c, e);
	if (code == ERR_OK && store_open(db, false, &s, e) == ERR_OK) {
		(void)model_from_store(s, &k->a, NULL, k->c, &k->m, e);
		store_close(s);
	}
	return e->code;
}

int main(int argc, char **argv)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct check *k;
	int ret = 2;

	if (argc < 3)
		return 2;
	k = xrealloc(NULL, 1, sizeof(*k));
	memset(k, 0, sizeof(*k));
	if (load(k, argv[1], argv[2], &e) == ERR_OK)
		ret = compare(k, argc > 3);
	else
		(void)fprintf(stderr, "ports_check: %s\n", e.message);
	return ret;
}
