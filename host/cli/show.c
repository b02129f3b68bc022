/* anechoic show: everything a sceptic asks about one form: values, the
 * kernels as they were executed, the raw samples, the environment. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/table.h"
#include "host/isa/isa.h"
#include "host/store/experiment.h"
#include "host/store/store.h"

enum { MAX_RUNS = 16, MAX_ROWS = 4, VALUE = 64, LINE = 160 };

struct show {
	const char *form;
	struct arena arena;
	size_t n_claims;
	/* Runs the form has claims in, as met. */
	int64_t runs[MAX_RUNS];
	size_t n_runs;
	struct catalogue *catalogue; /* of the run being shown */
};

static void note_run(struct show *w, int64_t run)
{
	for (size_t i = 0; i < w->n_runs; i++)
		if (w->runs[i] == run)
			return;
	if (w->n_runs < MAX_RUNS)
		w->runs[w->n_runs++] = run;
}

static int print_claim(void *context, const struct claim *c, struct err *e)
{
	struct show *w = context;
	char value[VALUE];
	char pair[VALUE] = "";

	(void)e;
	if (w->n_claims++ == 0)
		printf("%-10s %-12s %12s %9s %6s  %-16s %s\n", "kind",
		       "from>to", "cycles", "residual", "visits", "verdict",
		       "board, run");
	if (*c->source)
		(void)snprintf(pair, sizeof(pair), "%s>%s", c->source,
			       c->destination);
	table_value(c, value, sizeof(value));
	printf("%-10s %-12s %12s %8.3f%% %6u  %-16s %s %s, run %" PRId64 "\n",
	       c->kind, pair, value, 100 * c->residual, c->visits, c->verdict,
	       c->board, c->isa, c->run);
	if (c->detail && *c->detail)
		printf("           %s\n", c->detail);
	note_run(w, c->run);
	return ERR_OK;
}

/* Is the form the main step of this label? */
static bool label_is_of(const char *label, const char *form)
{
	const char *at = strchr(label, ':');
	size_t n = strlen(form);

	if (!at)
		return false;
	at++;
	at += strspn(at, "0123456789");
	if (at[-1] != ':' && *at == 'x')
		at++;
	return strncmp(at, form, n) == 0 &&
	       (at[n] == '\0' || at[n] == '@' || at[n] == '+');
}

static void print_code(const struct catalogue *c, const struct kernel_row *k)
{
	const unsigned char *code = k->code[0];
	size_t left = k->code_bytes[0];
	size_t shown = 0;

	if (!code) {
		printf("    code: not known (the log's kernels are not those "
		       "this version makes)\n");
		return;
	}
	printf("    code, unrolled %u times:\n", k->unroll[0]);
	while (left > 0) {
		char text[LINE];
		size_t n = instance_text(c, code, left, text, sizeof(text));

		if (n == 0)
			return;
		/* The first and the last instructions say it all. */
		if (shown < 12 || left < 24)
			printf("      %s\n", text);
		else if (shown == 12)
			printf("      ...\n");
		code += n;
		left -= n;
		shown++;
	}
}

static void print_sample(const struct sample *m)
{
	printf("    visit %u: %" PRIu64 " iterations, ticks", m->visit,
	       m->n_iterations);
	for (uint32_t r = 0; r < m->n_rows && r < MAX_ROWS; r++) {
		printf("%s", r ? " | " : " ");
		for (uint32_t i = 0; i < m->row; i++)
			printf("%s%" PRIu64, i ? " " : "",
			       m->values[r * m->row + i]);
	}
	if (m->n_rows > MAX_ROWS)
		printf(" | ... %u rows", m->n_rows);
	putchar('\n');
}

static int print_kernel(void *context, const struct kernel_result *r,
			struct err *e)
{
	struct show *w = context;
	const struct kernel_row *k = &r->kernel;

	(void)e;
	if (!label_is_of(k->label, w->form))
		return ERR_OK;
	printf("\n  %s  (kernel %u, id 0x%016" PRIx64 ", lengths %u %u %u)\n",
	       k->label, r->index, k->id, k->unroll[0], k->unroll[1],
	       k->unroll[2]);
	print_code(w->catalogue, k);
	for (size_t i = 0; i < r->n_samples; i++)
		print_sample(&r->samples[i]);
	if (r->fault)
		printf("    fault: %s, code %" PRIu64 ", pc 0x%" PRIx64
		       ", address 0x%" PRIx64 "\n",
		       r->fault->cause, r->fault->code, r->fault->pc,
		       r->fault->address);
	return ERR_OK;
}

static int print_env(void *context, const char *key, const char *value,
		     struct err *e)
{
	(void)context;
	(void)e;
	printf("  %-16s %s\n", key, value);
	return ERR_OK;
}

static int show_run(struct show *w, struct store *s, int64_t id, struct err *e)
{
	struct run run;
	const struct isa *isa;

	if (store_run_get(s, &w->arena, id, &run, e) != ERR_OK)
		return e->code;
	isa = isa_find(run.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "run %" PRId64 ": an ISA this "
			       "program knows, not '%s'",
			       id, run.isa);
	if (catalogue_load(&w->arena, isa, NULL, &w->catalogue, e) != ERR_OK)
		return e->code;
	printf("\nrun %" PRId64 ": %s %s, %s, clock %s, tool %s\n", id,
	       run.board, run.isa, run.date, run.clock, run.tool);
	(void)store_kernels(s, id, print_kernel, w, e);
	catalogue_free(w->catalogue);
	printf("\nenvironment\n");
	if (e->code == ERR_OK)
		(void)store_envs(s, id, print_env, w, e);
	return e->code;
}

static int show(struct show *w, struct store *s, struct err *e)
{
	if (store_claims(s, 0, w->form, print_claim, w, e) != ERR_OK)
		return e->code;
	if (w->n_claims == 0)
		return err_set(e, ERR_INPUT,
			       "%s: a form the database has "
			       "values of (`anechoic export` lists them)",
			       w->form);
	for (size_t i = 0; i < w->n_runs; i++)
		if (show_run(w, s, w->runs[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

static int run(const struct options *o, struct err *e)
{
	struct show w = { .form = o->form };
	struct store *s;

	if (store_open(o->db, false, &s, e) != ERR_OK)
		return e->code;
	(void)show(&w, s, e);
	store_close(s);
	arena_free(&w.arena);
	return e->code;
}

const struct command command_show = {
	.name = "show",
	.summary = "show one form: values, kernels, raw samples, environment",
	.takes = "--db",
	.needs = "--db",
	.operand = "FORM",
	.describe =
		"FORM is a name of `anechoic forms`. Ticks are counter "
		"differences as they were read;\ndocs/wire.md says what each "
		"number of a row is, docs/method.md how values follow.",
	.run = run,
};
