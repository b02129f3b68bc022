/* The ports of a form, and the mixes that they follow from; see show.h. */
#include "host/cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/experiment/label.h"
#include "host/solve/solve.h"
#include "host/store/store_claim.h"

enum { MAX_MIXES = 40 };

struct ports_view {
	const char *form;
	int64_t run; /* newest with claims on the form's ports */
	size_t n_mixes;
	bool any;
};

static int newest(void *context, const struct claim *c, struct err *e)
{
	struct ports_view *w = context;

	(void)e;
	if (c->run > w->run)
		w->run = c->run;
	return 0;
}

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

static int print_claim(void *context, const struct claim *c, struct err *e)
{
	struct ports_view *w = context;

	(void)e;
	if (!w->any)
		printf("%s, run %" PRId64 " on %s %s: ports\n\n", w->form,
		       c->run, c->board, c->isa);
	w->any = true;
	if (strcmp(c->kind, "ports") == 0) {
		print_use(c);
		printf("            %s", c->verdict);
		if (*c->detail)
			printf("; %s", c->detail);
		(void)putchar('\n');
	} else if (strcmp(c->kind, "uops") == 0 &&
		   c->low_cycles == c->high_cycles) {
		printf("  slots     %.4g of the front end\n", c->low_cycles);
	} else if (strcmp(c->kind, "uops") == 0) {
		printf("  slots     %.4g to %.4g of the front end\n",
		       c->low_cycles, c->high_cycles);
	} else if (strcmp(c->kind, "alone") == 0) {
		printf("  alone     %.4g to %.4g cycles\n", c->low_cycles,
		       c->high_cycles);
	} else if (strcmp(c->kind, "class") == 0) {
		printf("  class     stands for all forms of one uop on %s\n",
		       c->source);
	} else if (strcmp(c->kind, "pairing") == 0) {
		printf("  pairing   class %s\n", c->source);
	}
	return 0;
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

int show_ports(struct store *s, const char *form, bool evidence, bool *ret_any,
	       struct err *e)
{
	struct ports_view w = { .form = form };
	struct solve_probe probe = { .cycles = 0 };

	*ret_any = false;
	if (store_port_claims(s, 0, form, newest, &w, e) != ERR_OK ||
	    w.run == 0)
		return e->code;
	if (store_port_claims(s, w.run, form, print_claim, &w, e) != ERR_OK)
		return e->code;
	*ret_any = w.any;
	if (!evidence) {
		printf("  mixes that it was measured in: --evidence\n");
		return ERR_OK;
	}
	printf("\n  mixes it was measured in: cycles, standard error\n");
	if (solve_mix_packs(s, w.run, 0, &probe, print_mix, &w, e) != ERR_OK)
		return e->code;
	if (w.n_mixes > MAX_MIXES)
		printf("    and %zu more\n", w.n_mixes - MAX_MIXES);
	return ERR_OK;
}
