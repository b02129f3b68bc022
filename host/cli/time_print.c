/* What `anechoic time` prints. */
#include "host/cli/time_command.h"

#include <inttypes.h>
#include <math.h>

#include "host/base/json.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"

static double middle(const struct claim *c)
{
	return (c->low_cycles + c->high_cycles) / 2;
}

static void put_place(const struct timing_job *j, struct buffer *b)
{
	int k = j->result.insn;

	if (j->result.claim.verdict != VERDICT_FAULT)
		return;
	if (k < 0) {
		buffer_printf(b, "  the fault was %s; address 0x%" PRIx64 "\n",
			      j->result.in_init ? "in the code of --init"
						: "outside the code",
			      j->result.address);
		return;
	}
	const struct insn *i = snippet_insn(&j->snippet, (size_t)k);

	buffer_printf(b, "  at %s: %s; address 0x%" PRIx64 "\n",
		      snippet_place(j->a, &j->in.program, i),
		      i->text ? i->text : "", j->result.address);
}

/* The path of a loop with jumps inside. */
static void put_path(const struct timing_job *j, struct buffer *b)
{
	const struct executed *x = &j->path.executed;

	if (j->path.state == SNIPPET_PATH_FOUND && x->n > 0)
		buffer_printf(b,
			      "  %zu instructions are executed in %zu "
			      "iteration%s, then the path repeats\n",
			      x->n, x->n_iterations,
			      x->n_iterations > 1 ? "s" : "");
}

static void put_state(const struct timing_job *j, struct buffer *b)
{
	const struct snippet *s = &j->snippet;
	const struct pack_image *m = &s->gen.image;
	const char *unit = s->own_loop ? "iterations" : "copies";
	bool faulted = j->request.fill != SNIPPET_FILL_AUTO;

	buffer_printf(b, "%zu instructions, %zu bytes", s->n_insns,
		      s->gen.n - s->offsets[s->n_called]);
	if (s->n_called > 0)
		buffer_printf(b, ", and %zu of functions", s->n_called - 1);
	buffer_printf(b, "; %" PRIu32 ", %" PRIu32 " and %" PRIu32 " %s",
		      s->gen.bodies[0], s->gen.bodies[1], s->gen.bodies[2],
		      unit);
	if (s->trip >= 0)
		buffer_printf(b, ", ended by the value of %s",
			      frame_gpr(j->a, j->c.isa, (unsigned)s->trip));
	buffer_printf(b, "\n");
	put_path(j, b);
	if (j->request.init)
		buffer_printf(b,
			      "  %zu instructions run before them (--init)\n",
			      j->request.init->n);
	for (int g = 0; g < 32; g++)
		if (s->gprs[g].pointer && (m->gpr_is_memory >> g & 1))
			buffer_printf(b,
				      "  %s points into memory; bytes %" PRId64
				      " to %" PRId64 " around it are "
				      "accessed\n",
				      frame_gpr(j->a, j->c.isa, (unsigned)g),
				      s->gprs[g].low, s->gprs[g].high);
	for (size_t i = 0; i < s->gen.n_data; i++)
		buffer_printf(b, "  %s: %" PRIu32 " bytes at %s%" PRIx64 "\n",
			      j->request.data[i].name, s->gen.data[i].bytes,
			      s->gen.data[i].is_address ? "0x" : "memory + 0x",
			      s->gen.data[i].at);
	if (s->self)
		buffer_printf(b,
			      "  memory holds addresses, because the code "
			      "%s\n",
			      faulted ? "faulted with numbers"
				      : "loads addresses");
	else if (faulted)
		buffer_printf(b, "  memory holds numbers, because the code "
				 "faulted with addresses\n");
}

void time_print_text(const struct timing_job *j, struct buffer *b)
{
	const struct claim *c = &j->result.claim;
	const char *unit = j->snippet.own_loop ? "iteration" : "copy";

	put_state(j, b);
	if (c->has_value)
		buffer_printf(b,
			      "measured   %8.4g cycles per %s (%.4g to %.4g), "
			      "%s; %" PRIu32 " visits\n",
			      middle(c), unit, c->low_cycles, c->high_cycles,
			      claim_verdict(c), c->visits);
	else
		buffer_printf(b, "measured   no value: %s (%s)\n",
			      claim_verdict(c), c->detail);
	put_place(j, b);
	time_put_events(j, b);
	if (!j->model) {
		buffer_printf(b, "predicted  no value: %s\n",
			      j->no_prediction ? j->no_prediction : "");
	} else {
		buffer_printf(b, "predicted  %8.4g cycles, by %s: %s\n",
			      j->predicted, j->model_name, j->prediction.why);
		if (c->has_value && middle(c) > 0)
			buffer_printf(b, "difference %+8.1f %%\n",
				      100 * (j->predicted / middle(c) - 1));
	}
	if (j->kept)
		buffer_printf(b, "evidence   anechoic show --db %s '%s'\n",
			      j->db, j->snippet.key);
}

static void put_number(struct buffer *b, const char *key, bool has, double x)
{
	buffer_printf(b, "  \"%s\": ", key);
	if (has && isfinite(x))
		buffer_printf(b, "%.6g,\n", x);
	else
		buffer_printf(b, "null,\n");
}

static void put_text(struct buffer *b, const char *key, const char *text,
		     const char *end)
{
	buffer_printf(b, "  \"%s\": ", key);
	if (text)
		json_add_string(b, text);
	else
		buffer_printf(b, "null");
	buffer_printf(b, "%s\n", end);
}

/* Where a fault was: the number of the instruction from 1 on, its line and text,
 * null of what is outside the code, and the address. */
static void put_json_fault(const struct timing_job *j, struct buffer *b)
{
	const struct insn *i;
	int k = j->result.insn;

	buffer_printf(b, "  \"fault\": ");
	if (j->result.claim.verdict != VERDICT_FAULT) {
		buffer_printf(b, "null,\n");
		return;
	}
	buffer_printf(b, "{ \"address\": \"0x%" PRIx64 "\", ",
		      j->result.address);
	if (k < 0) {
		buffer_printf(b, "\"instruction\": null, \"init\": %s },\n",
			      j->result.in_init ? "true" : "false");
		return;
	}
	i = snippet_insn(&j->snippet, (size_t)k);
	buffer_printf(b, "\"instruction\": %zu, \"line\": ",
		      snippet_number(&j->snippet, (size_t)k));
	if (i->line > 0)
		buffer_printf(b, "%" PRIu32 ", \"text\": ", i->line);
	else
		buffer_printf(b, "null, \"text\": ");
	json_add_string(b, i->text ? i->text : "");
	buffer_printf(b, " },\n");
}

/* The instructions that are executed until the path repeats, from 1 on; null: not
 * known. */
static void put_json_path(const struct timing_job *j, struct buffer *b)
{
	const struct executed *x = &j->path.executed;
	const struct snippet *s = &j->snippet;
	bool found = j->path.state == SNIPPET_PATH_FOUND;
	size_t first = s->loop.first - s->n_called;

	buffer_printf(b, "  \"path\": %s", found ? "{ " : "null,\n");
	if (!found)
		return;
	buffer_printf(b, "\"iterations\": %zu, \"instructions\": [",
		      x->n > 0 ? x->n_iterations : 1);
	for (size_t k = 0; k < (x->n > 0 ? x->n : j->snippet.n_insns); k++)
		buffer_printf(b, "%s%zu", k > 0 ? ", " : "",
			      x->n > 0 ? snippet_number(s, x->insns[k] - first)
				       : k + 1);
	buffer_printf(b, "] },\n");
}

void time_print_json(const struct timing_job *j, struct buffer *b)
{
	const struct claim *c = &j->result.claim;
	const struct snippet *s = &j->snippet;

	buffer_printf(b, "{\n");
	put_text(b, "code", s->key, ",");
	put_text(b, "board", j->c.board->name, ",");
	put_text(b, "isa", j->c.isa->name, ",");
	put_text(b, "mode", s->own_loop ? "loop" : "unroll", ",");
	buffer_printf(b, "  \"instructions\": %zu,\n  \"bytes\": %zu,\n",
		      s->n_insns, s->gen.n - s->offsets[s->n_called]);
	put_text(b, "verdict", claim_verdict(c), ",");
	put_text(b, "detail", c->detail, ",");
	put_json_fault(j, b);
	put_json_path(j, b);
	put_number(b, "low_cycles", c->has_value, c->low_cycles);
	put_number(b, "high_cycles", c->has_value, c->high_cycles);
	buffer_printf(b, "  \"visits\": %" PRIu32 ",\n", c->visits);
	time_put_json_events(j, b);
	put_number(b, "predicted_cycles", j->model != NULL, j->predicted);
	put_text(b, "model", j->model ? j->model_name : NULL, ",");
	put_text(b, "why", j->model ? j->prediction.why : j->no_prediction, "");
	buffer_printf(b, "}\n");
}
