/* anechoic model: the machine model that a database makes. */
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/cli/model_classes.h"
#include "host/cli/model_uses.h"
#include "host/cli/published.h"
#include "host/isa/isa.h"
#include "host/model/claims.h"

enum { WIDTH = 80, VALUE = 32 };

static const char *span_text(const struct model_span *s, char text[VALUE])
{
	if (!s->has_value)
		(void)snprintf(text, VALUE, "unknown");
	else if (s->high - s->low <= 0.005 * s->high)
		(void)snprintf(text, VALUE, "%.4g", s->low);
	else
		(void)snprintf(text, VALUE, "%.4g..%.4g", s->low, s->high);
	return text;
}

static void print_ports(const struct model *m)
{
	size_t n = 0;

	printf("\nports: ");
	for (size_t i = 0; i < m->n_ports; i++)
		printf("%s%s", m->ports[i].name,
		       i + 1 < m->n_ports ? " " : "\n");
	for (size_t i = 0; i < m->n_ports; i++)
		if (m->ports[i].pseudo)
			printf("%s %s",
			       n++ == 0
				       ? "  of them units without a pipeline or "
					 "other limits:"
				       : "",
			       m->ports[i].name);
	if (n > 0)
		(void)putchar('\n');
}

static void print_pairs(const struct model *m)
{
	if (m->n_pairs == 0)
		return;
	printf("\npairs that start together: rows first, columns second\n");
	printf("  %-12s", "");
	for (size_t i = 1; i < m->n_pairs; i++)
		printf(" %-10s", m->pair_names[i]);
	(void)putchar('\n');
	for (size_t i = 1; i < m->n_pairs; i++) {
		printf("  %-12s", m->pair_names[i]);
		for (size_t k = 1; k < m->n_pairs; k++)
			printf(" %-10s", m->pairs[i][k] ? "yes" : ".");
		(void)putchar('\n');
	}
}

/* Print the known sizes in a line. */
static void print_buffers(const struct model *m)
{
	const struct {
		const char *what;
		uint32_t size;
	} sizes[] = {
		{ "in the reorder buffer", m->reorder_buffer },
		{ "loads", m->load_queue },
		{ "stores", m->store_queue },
		{ "waiting vector operations", m->vector_queue },
		{ "vector results", m->vector_registers },
	};
	const char *before = "in flight at most: ";

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		if (sizes[i].size == 0)
			continue;
		printf("%s%u %s", before, (unsigned)sizes[i].size,
		       sizes[i].what);
		before = ", ";
	}
	if (*before == ',')
		(void)putchar('\n');
	if (m->refill > 0)
		printf("from the release of an entry to a start: %u cycles\n",
		       (unsigned)m->refill);
}

static void print_head(const struct model *m)
{
	size_t n_ports = 0, n_latencies = 0, n_throughputs = 0;
	char width[VALUE];

	for (size_t i = 0; i < m->n_forms; i++) {
		n_ports += m->forms[i].has_ports;
		n_latencies += m->forms[i].n_latencies > 0;
		n_throughputs += m->forms[i].throughput.has_value;
	}
	printf("%s %s, %s\n", m->isa, m->cpu, m->source);
	printf("%zu forms: %zu with latencies, %zu with a throughput, %zu "
	       "with ports\n",
	       m->n_forms, n_latencies, n_throughputs, n_ports);
	if (m->width.has_value)
		printf("width: %s slots per cycle",
		       span_text(&m->width, width));
	else if (m->issue_width.has_value)
		printf("width: %s instructions per cycle in the fastest "
		       "kernel; 'anechoic measure --what ports' finds slots",
		       span_text(&m->issue_width, width));
	else
		printf("width: not measured; "
		       "'anechoic measure --what ports' finds it");
	puts(m->in_order      ? ", in program order"
	     : m->order_known ? ", out of order"
			      : "");
	print_buffers(m);
	if (m->n_ports > 0)
		print_ports(m);
}

static int print_model(struct arena *a, const struct model *m, struct store *s,
		       const struct run *newest, const char *forms,
		       struct err *e)
{
	const char *board = newest->board;

	print_head(m);
	if (published_print(s, newest->id,
			    &(struct published){ m->isa, m->cpu, m->width.low,
						 m->width.high, NULL },
			    e) != ERR_OK ||
	    model_classes(s, board, e) != ERR_OK ||
	    model_uses(a, m, forms, e) != ERR_OK)
		return e->code;
	print_pairs(m);
	if (m->n_notes > 0)
		printf("\nlimits of this model\n");
	for (size_t i = 0; i < m->n_notes; i++)
		print_wrapped(m->notes[i], 2, WIDTH);
	return ERR_OK;
}

static int model_run(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	struct catalogue *c = NULL;
	struct store *s;
	struct run newest;
	struct model m;

	if (store_open_to_read(o->db, &s, e) != ERR_OK)
		return e->code;
	if (options_choose_core(o, s, e) == ERR_OK &&
	    model_store_run(s, &a, o->board, &newest, e) == ERR_OK) {
		const struct isa *isa = isa_find(newest.isa);

		if (!isa)
			(void)err_set(e, ERR_INPUT,
				      "%s has values of an unknown instruction "
				      "set '%s'",
				      o->db, newest.isa);
		else if (catalogue_load(&a, isa, NULL, &c, e) == ERR_OK &&
			 model_from_store(s, &a, newest.board, c, &m, e) ==
				 ERR_OK)
			(void)print_model(&a, &m, s, &newest, o->forms, e);
	}
	if (c)
		catalogue_free(c);
	store_close(s);
	arena_free(&a);
	return e->code;
}

const struct command command_model = {
	.name = "model",
	.summary = "print the machine model: width, ports, classes, limits",
	.options = OPTIONS(OPTION_DB,
			   WORD("--board", board, "NAME", "model of this board",
				.by_default = "the board of the newest run"),
			   OPTION_CORE_OF, OPTION_FORMS),
	.describe =
		"Combines all values of a database: for each form and kind the "
		"newest, and the ports of the newest run that searched for "
		"them. Lists the combinations of uops and ports that most "
		"forms have; with --forms, those of the forms that match, with "
		"all names. docs/ports.md says how ports are found and what "
		"cannot be seen.",
	.examples = "anechoic model --db x.db\n"
		    "anechoic model --db x.db --forms '^ADD'",
	.run = model_run,
};
