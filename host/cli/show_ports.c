/* The ports of a form, and the mixes that they follow from; see show.h. */
#include "host/cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/experiment/label.h"
#include "host/solve/solve.h"

enum { MAX_MIXES = 40 };

struct ports_view {
	const char *form;
	size_t n_mixes;
};

static void print_use(const struct claim *c)
{
	if (!c->has_value)
		printf("  ports     not known\n");
	else if (*c->source == '\0')
		printf("  ports     none that shows\n");
	else if (*c->destination == '\0')
		printf("  ports     %.4g uop%s on %s\n", c->low_cycles,
		       PLURAL(c->low_cycles), c->source);
	else
		printf("  ports     %.4g on %s, each for %s cycles\n",
		       c->low_cycles, c->source, c->destination);
}

static void print_claim(const struct claim *c)
{
	if (claim_is(c, "ports")) {
		print_use(c);
		printf("            %s", claim_verdict(c));
		if (*c->detail)
			printf("; %s", c->detail);
		(void)putchar('\n');
	} else if (claim_is(c, "uops") && c->low_cycles == c->high_cycles) {
		printf("  slots     %.4g of the front end\n", c->low_cycles);
	} else if (claim_is(c, "uops")) {
		printf("  slots     %.4g to %.4g of the front end\n",
		       c->low_cycles, c->high_cycles);
	} else if (claim_is(c, "alone")) {
		printf("  alone     %.4g to %.4g cycles\n", c->low_cycles,
		       c->high_cycles);
	} else if (claim_is(c, "class")) {
		printf("  class     stands for all forms of one uop on %s\n",
		       c->source);
	} else if (claim_is(c, "pairing")) {
		printf("  pairing   class %s\n", c->source);
	}
}

/* Is the form a step of the mix, of no pair of operands? */
static bool is_in(const char *label, const char *form)
{
	const struct label_part *parts;
	const char *steps = strchr(label, ':');
	struct arena a = { 0 };
	size_t n = steps ? label_parts(&a, steps + 1, &parts) : 0;
	bool found = false;

	for (size_t i = 0; i < n; i++)
		found |= strcmp(parts[i].form, form) == 0 &&
			 *parts[i].source == '\0';
	arena_free(&a);
	return found;
}

static int print_mix(void *context, const struct solve_mix *m, struct err *e)
{
	struct ports_view *w = context;

	(void)e;
	if (!is_in(m->label, w->form) || ++w->n_mixes > MAX_MIXES)
		return 0;
	if (m->has_value)
		printf("    %10.4f +- %.2f%%  %s\n", m->cycles, 100 * m->sigma,
		       m->label);
	else
		printf("    %10s           %s\n",
		       m->fault ? m->fault : "no value", m->label);
	return 0;
}

/* What the newest of these claims says of the form's ports. */
static int print_claims(struct store *s, struct arena *a, const char *form,
			const struct view_claims *all, int64_t *ret_run,
			struct err *e)
{
	struct view_claims c;

	*ret_run = all->list->run;
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].run > *ret_run)
			*ret_run = all->list[i].run;
	if (view_read_port_claims(s, a, *ret_run, form, &c, e) != ERR_OK)
		return e->code;
	printf("%s, run %" PRId64 " on %s %s: ports\n\n", form, *ret_run,
	       c.list->board, c.list->isa);
	for (size_t i = 0; i < c.n; i++)
		print_claim(&c.list[i]);
	return ERR_OK;
}

int show_ports(struct store *s, struct arena *a, const char *form,
	       bool evidence, bool *ret_any, struct err *e)
{
	struct ports_view w = { .form = form };
	struct solve_probe probe = { .cycles = 0 };
	struct view_claims all;
	int64_t run;

	*ret_any = false;
	if (view_read_port_claims(s, a, 0, form, &all, e) != ERR_OK ||
	    all.n == 0 || print_claims(s, a, form, &all, &run, e) != ERR_OK)
		return e->code;
	*ret_any = true;
	if (!evidence) {
		printf("  mixes that it was measured in: --evidence\n");
		return ERR_OK;
	}
	printf("\n  mixes it was measured in: cycles, standard error\n");
	if (solve_mix_packs(s,
			    &(struct solve_mixing){ run, 0, &probe, print_mix,
						    &w, false },
			    e) != ERR_OK)
		return e->code;
	if (w.n_mixes > MAX_MIXES)
		printf("    and %zu more\n", w.n_mixes - MAX_MIXES);
	return ERR_OK;
}
