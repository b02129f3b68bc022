/* Build a model from claims; see claims.h.
 *
 * Claims are sorted by form. Claims on values and on ports are read into two
 * lists, which are then merged form by form. */
#include "host/model/claims.h"
#include "host/isa/value_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/model/claims_read.h"

enum { NAME = 64 };

/* ---- one form ------------------------------------------------------ */

/* Every verdict of docs/method.md, and whether a model uses its values. Valid
 * bounds are used, tight or not. The mean of a mixture is used too, because a
 * steady loop takes that time. Values without a proof are not used. */
static const struct {
	const char *verdict;
	bool taken;
} verdicts[] = {
	{ "ok", true },
	{ "mixture", true },
	{ "two-states", true },
	{ "throughput-bound", true },
	{ "circle", true },
	{ "contradiction", false },
	{ "no-chain", false },
	{ "eliminated", true },
	{ "helper", true },
	{ "register-bound", true },
	{ "dependent", true },
	{ "decode-bound", true },
	/* The kernel may not be a chain. */
	{ "no-control", false },
	/* A verdict on ports, which are read elsewhere. */
	{ "open", true },
	{ "unsure", false },
	{ "misfit", false },
	{ "closes", false },
	{ "noisy", false },
	{ "unstable", false },
	/* Has no slope, but bounds. */
	{ "not-linear", true },
	{ "implausible", false },
	{ "fault:", false },
	{ "missing", false },
	{ "company", false },
	{ "no-calibration", false },
	{ "bad-data", false },
};

bool model_takes_verdict(const char *verdict, bool *ret_known)
{
	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++) {
		const char *word = verdicts[i].verdict;
		size_t n = strlen(word);

		*ret_known = word[n - 1] == ':' ? strncmp(verdict, word, n) == 0
						: strcmp(verdict, word) == 0;
		if (*ret_known)
			return verdicts[i].taken;
	}
	return false;
}

bool claim_is_settled(const struct claim *c)
{
	bool known;

	return c->has_value && model_takes_verdict(c->verdict, &known);
}

/* Port set of "p0|p1"; 0 when a name is unknown. */
static model_ports ports_of(const struct model *m, const char *text)
{
	model_ports set = 0;

	for (const char *at = text; *at != '\0';) {
		size_t n = strcspn(at, "|"), i = 0;

		while (i < m->n_ports &&
		       (strlen(m->ports[i].name) != n ||
			strncmp(m->ports[i].name, at, n) != 0))
			i++;
		if (i == m->n_ports)
			return 0;
		set |= (model_ports)1 << i;
		at += n + (at[n] == '|');
	}
	return set;
}

static int claims_add_use(struct claim_reader *r, const struct claim *c,
			  struct buffer *uses, struct err *e)
{
	struct model_use use = {
		.ports = ports_of(r->m, c->source),
		.n_uops = c->low_cycles,
		.cycles = 1,
	};

	if (*c->destination != '\0')
		use.cycles = strtod(c->destination, NULL);
	if (use.ports == 0 || !c->has_value || !(use.n_uops > 0) ||
	    !(use.cycles > 0) || !isfinite(use.cycles))
		return claim_bad(c, "uops on ports of the run", e);
	buffer_add(uses, &use, sizeof(use));
	return ERR_OK;
}

/* Does the claim come from a version that treated all flags as one operand? */
static bool names_all_flags(const struct claim_reader *r, const struct claim *c)
{
	const struct isa_flags *flags = r->c->isa->flags;

	return flags && (strcmp(c->source, flags->reg) == 0 ||
			 strcmp(c->destination, flags->reg) == 0);
}

static void claims_add_latency(struct claim_reader *r, const struct form *form,
			       const struct claim *c, struct model_form *f,
			       struct buffer *latencies)
{
	int from[FORM_MAX_OPERANDS], to[FORM_MAX_OPERANDS];
	size_t n_from = operand_find_all(r->c, form, c->source, true, from);
	size_t n_to = operand_find_all(r->c, form, c->destination, false, to);

	if (!claim_is_settled(c) || n_from == 0 || n_to == 0) {
		r->n_nowhere += claim_is_settled(c);
		return;
	}
	if (strcmp(c->verdict, "eliminated") == 0)
		f->eliminated = true;
	for (size_t i = 0; i < n_from; i++)
		for (size_t k = 0; k < n_to; k++) {
			const struct model_latency l = { (int8_t)from[i],
							 (int8_t)to[k],
							 claim_span(c),
							 { 0 } };

			buffer_add(latencies, &l, sizeof(l));
		}
	r->n_whole += names_all_flags(r, c);
}

/* Move a list into the arena. The buffer is emptied and keeps its
 * allocation. */
static const void *claims_take(struct arena *a, struct buffer *b, size_t size,
			       size_t *ret_n)
{
	const void *list = b->n > 0 ? arena_copy(a, b->bytes, b->n) : NULL;

	*ret_n = b->n / size;
	b->n = 0;
	return list;
}

/* Move a list into the arena and free the buffer. */
static const void *claims_settle(struct arena *a, struct buffer *b, size_t size,
				 size_t *ret_n)
{
	const void *list = claims_take(a, b, size, ret_n);

	buffer_free(b);
	return list;
}

/* Largest number of waiting instructions observed. Forms of other widths may
 * show fewer. */
static void add_queue(struct claim_reader *r, const struct form *form,
		      const struct claim *c)
{
	uint32_t n = (uint32_t)lround((c->low_cycles + c->high_cycles) / 2);

	if (form->vector_state && c->low_cycles >= 1 && c->high_cycles < 1e6 &&
	    n > r->m->vector_queue)
		r->m->vector_queue = n;
}

/* Append to the evidence. It is called tens of thousands of times, so it avoids
 * printf(). */
static void claims_say(struct claim_reader *r, const char *text)
{
	buffer_add(&r->words, text, strlen(text));
}

static void say_verdict(struct claim_reader *r, const struct claim *c)
{
	claims_say(r, "; ");
	claims_say(r, c->kind);
	claims_say(r, " ");
	claims_say(r, c->source);
	claims_say(r, *c->source ? ">" : "");
	claims_say(r, c->destination);
	claims_say(r, " ");
	claims_say(r, c->verdict);
}

/* A form whose instances wait for each other through a register that they cannot
 * choose may have no chain of its own: what an instance then takes stands for
 * the latency of all its operands.  Example: FXCH, for which LLVM's tables have
 * 17 cycles and a Granite Rapids server needs one.  Instances that wait for
 * what the one before stored are forwarding; where they could go to other
 * places, this is no latency. */
static void claims_add_dependent(struct claim_reader *r,
				 const struct form *form, const struct claim *c)
{
	const struct model_latency l = {
		MODEL_ANY, MODEL_ANY, claim_span(c), { 0 }
	};
	bool memory = claims_add_modify(r, form, c);

	if (r->latencies.n == 0 &&
	    !(memory && form_part(form, ROLE_DISPLACEMENT) >= 0))
		buffer_add(&r->latencies, &l, sizeof(l));
}

static void claims_read_values(struct claim_reader *r, const struct form *form,
			       const struct claim *c, size_t n,
			       struct model_form *f)
{
	for (size_t i = 0; i < n; i++) {
		if (claim_is(&c[i], "throughput") && claim_is_settled(&c[i]))
			f->throughput = claim_span(&c[i]);
		if (claim_is(&c[i], "latency"))
			claims_add_latency(r, form, &c[i], f, &r->latencies);
		if (claim_is(&c[i], "slots") && claim_is_settled(&c[i]))
			f->slots = claim_span(&c[i]);
		if (claim_is(&c[i], "slots-room"))
			f->room = (uint32_t)fmax(0, claim_whole(&c[i], 64));
		if (claim_is(&c[i], "slots-before"))
			f->before = (uint32_t)fmax(0, claim_whole(&c[i], 64));
		if (claim_is(&c[i], "queue") && claim_is_settled(&c[i]))
			add_queue(r, form, &c[i]);
		if (strcmp(c[i].verdict, "ok") != 0 &&
		    !claim_is(&c[i], "written"))
			say_verdict(r, &c[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (claim_is(&c[i], "dependent") && claim_is_settled(&c[i]))
			claims_add_dependent(r, form, &c[i]);
	f->latencies =
		claims_take(r->a, &r->latencies, sizeof(struct model_latency),
			    &f->n_latencies);
}

static int claims_read_ports(struct claim_reader *r, const struct claim *c,
			     size_t n, struct model_form *f, struct err *e)
{
	int ret = ERR_OK;

	for (size_t i = 0; i < n && ret == ERR_OK; i++) {
		bool taken = claim_is_settled(&c[i]);

		if (claim_is(&c[i], "uops"))
			f->slots = claim_span(&c[i]);
		if (claim_is(&c[i], "pairing"))
			f->pairing =
				(uint8_t)claim_whole(&c[i], MODEL_MAX_CLASSES);
		if (!claim_is(&c[i], "ports"))
			continue;
		f->has_ports |= taken;
		if (taken && *c[i].source != '\0')
			ret = claims_add_use(r, &c[i], &r->uses, e);
		if (strcmp(c[i].verdict, "ok") != 0) {
			claims_say(r, "; ports ");
			claims_say(r, c[i].verdict);
		}
	}
	f->uses = claims_take(r->a, &r->uses, sizeof(struct model_use),
			      &f->n_uses);
	return ret;
}

/* Number of claims on this form at the start of the list. */
static size_t claims_of_form(const struct claim *c, size_t n, const char *form)
{
	size_t end = 0;

	while (end < n &&
	       (c[end].form == form || strcmp(c[end].form, form) == 0))
		end++;
	return end;
}

/* The form of this name. Names must be requested in the catalogue's order. */
static const struct form *next_form(struct claim_reader *r, const char *name)
{
	int order = 1;

	while (r->next < r->c->n_forms && order > 0) {
		order = strcmp(name, r->c->forms[r->next].name);
		r->next += order > 0;
	}
	return order == 0 ? &r->c->forms[r->next] : NULL;
}

static const char *run_text(struct claim_reader *r, int64_t run)
{
	if (!r->run_text || r->said_run != run)
		r->run_text = arena_printf(r->a, "run %lld", (long long)run);
	r->said_run = run;
	return r->run_text;
}

/* The collected evidence; for most forms this is just their run. */
static const char *claims_evidence(const struct claim_reader *r)
{
	const char *words = (const char *)r->words.bytes;

	return strcmp(words, r->run_text) == 0 ? r->run_text
					       : arena_strdup(r->a, words);
}

/* Nearly all hold ones. */
static const char *operand_values(const struct claim_reader *r,
				  const struct form *form)
{
	static const char ones[] = "ones";
	char words[VALUE_WORDS_ROOM];

	value_words(r->c->isa, form->name, words);
	return strcmp(words, ones) == 0 ? ones : arena_strdup(r->a, words);
}

static int claims_add_form(struct claim_reader *r, const struct claim *values,
			   size_t n_values, const struct claim *ports,
			   size_t n_ports, struct err *e)
{
	const struct claim *any = n_values > 0 ? values : ports;
	const struct form *form = next_form(r, any->form);
	struct model_form f = { .name = form ? form->name : NULL };

	if (!form) {
		if (claim_is(any, "mix"))
			claims_mix(r, any);
		else if (strchr(any->form, '+'))
			claims_add_forward(r, any);
		else
			r->n_unknown++;
		return ERR_OK;
	}
	r->words.n = 0;
	claims_say(r, run_text(r, any->run));
	claims_read_values(r, form, values, n_values, &f);
	if (claims_read_ports(r, ports, n_ports, &f, e) == ERR_OK) {
		claims_rate(r, values, n_values, ports, n_ports, &f);
		buffer_add(&r->words, "", 1);
		f.evidence = claims_evidence(r);
		f.values = operand_values(r, form);
		buffer_add(&r->forms, &f, sizeof(f));
	}
	return e->code;
}

/* Merge the two lists, which are sorted by form. */
static int read_forms(struct claim_reader *r, struct err *e)
{
	const struct claim *v = (const void *)r->values.bytes;
	const struct claim *p = (const void *)r->ports.bytes;
	size_t n_v = r->values.n / sizeof(*v), n_p = r->ports.n / sizeof(*p);

	while (n_p > 0 && *p->form == '\0') {
		p++;
		n_p--;
	}
	while (n_v > 0 && *v->form == '\0') {
		v++;
		n_v--;
	}
	while (n_v > 0 || n_p > 0) {
		const char *form =
			n_p == 0 || (n_v > 0 && strcmp(v->form, p->form) <= 0)
				? v->form
				: p->form;
		size_t here_v = claims_of_form(v, n_v, form);
		size_t here_p = claims_of_form(p, n_p, form);

		if (claims_add_form(r, v, here_v, p, here_p, e) != ERR_OK)
			return e->code;
		v += here_v;
		n_v -= here_v;
		p += here_p;
		n_p -= here_p;
	}
	return ERR_OK;
}

/* ---- the entry point ----------------------------------------------- */

static void add_note(struct claim_reader *r, const char *text)
{
	buffer_add(&r->notes, &text, sizeof(text));
}

static void claims_describe(struct claim_reader *r, const struct run *run)
{
	struct model *m = r->m;

	m->isa = r->c->isa->name;
	m->cpu = *run->cpu ? run->cpu : run->board;
	m->source = arena_printf(r->a, "measured: run %lld on %s",
				 (long long)run->id, run->board);
	if (r->ports_run == 0)
		add_note(r, "Ports are not known: `anechoic measure --what "
			    "ports` finds them.");
	if (r->refused)
		add_note(r,
			 arena_printf(
				 r->a,
				 "Ports of run %lld are not used: its random "
				 "mixes are off by %.3g %% on average.",
				 (long long)r->ports_run,
				 100 * r->refused_error));
	if (r->n_unknown > 0)
		add_note(r, arena_printf(r->a,
					 "%zu forms of the store are none of "
					 "this program's.",
					 r->n_unknown));
	if (r->n_whole > 0)
		add_note(r, arena_printf(
				    r->a,
				    "%zu latencies are of %s as a whole: each "
				    "flag has that value. Measured again, each "
				    "has its own.",
				    r->n_whole, r->c->isa->flags->reg));
	if (r->n_nowhere > 0)
		add_note(r, arena_printf(r->a,
					 "%zu latencies name operands that "
					 "their forms do not have.",
					 r->n_nowhere));
	m->forms =
		claims_settle(r->a, &r->forms, sizeof(*m->forms), &m->n_forms);
	m->notes =
		claims_settle(r->a, &r->notes, sizeof(*m->notes), &m->n_notes);
	m->written = claims_settle(r->a, &r->written, sizeof(*m->written),
				   &m->n_written);
	m->forwards = claims_settle(r->a, &r->forwards, sizeof(*m->forwards),
				    &m->n_forwards);
	m->mixes =
		claims_settle(r->a, &r->mixes, sizeof(*m->mixes), &m->n_mixes);
	m->ports = claims_settle(r->a, &r->port_list, sizeof(*m->ports),
				 &m->n_ports);
}

int model_from_store(struct store *s, struct arena *a, const char *board,
		     const struct catalogue *c, struct model *ret,
		     struct err *e)
{
	struct model m = { .n_forms = 0 };
	struct claim_reader r = { .s = s, .a = a, .c = c, .m = &m };
	struct run run;

	if (model_store_run(s, a, board, &run, e) != ERR_OK)
		return e->code;
	r.board = run.board;
	if (claims_fetch(&r, e) == ERR_OK && claims_core(&r, e) == ERR_OK)
		(void)read_forms(&r, e);
	if (e->code == ERR_OK)
		claims_forward(&r);
	if (e->code == ERR_OK)
		claims_written(&r);
	if (e->code == ERR_OK && r.forms.n == 0)
		(void)err_set(e, ERR_INPUT,
			      "the database has no values of %s forms on %s",
			      c->isa->name, run.board);
	claims_describe(&r, &run);
	if (e->code == ERR_OK)
		(void)claims_about(&r, &run, e);
	buffer_free(&r.values);
	buffer_free(&r.ports);
	buffer_free(&r.words);
	buffer_free(&r.latencies);
	buffer_free(&r.uses);
	if (e->code == ERR_OK && model_check(&m, c, e) == ERR_OK)
		*ret = m;
	return e->code;
}
