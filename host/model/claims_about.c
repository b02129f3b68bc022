/* What a model says of where it comes from; see claims_read.h. */
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/model/claims_read.h"

/* ---- the machine that a run was measured on ------------------------- */

/* Facts of the runtime's info record: those that tell cores apart, then those
 * of the system. */
static const char *const fact_keys[] = {
	"vendor",     "cpu",       "family",   "model",  "stepping",
	"midr",       "mvendorid", "marchid",  "mimpid", "microcode",
	"hypervisor", "kernel",    "firmware", "clock",  "counters",
};
enum { N_CORE = 10, N_FACTS = ARRAY_LEN(fact_keys) };

struct facts {
	struct arena *a;
	const char *values[N_FACTS];
};

static int take_fact(void *context, const char *key, const char *value,
		     struct err *e)
{
	struct facts *f = context;

	(void)e;
	for (size_t i = 0; i < N_FACTS; i++)
		if (strcmp(fact_keys[i], key) == 0 && *value != '\0')
			f->values[i] = arena_strdup(f->a, value);
	return ERR_OK;
}

/* "vendor V, cpu C, family 26"; NULL if the run has none of the facts. */
static const char *describe(const struct facts *f, size_t first, size_t end)
{
	const char *text = NULL;

	for (size_t i = first; i < end; i++)
		if (f->values[i])
			text = arena_printf(f->a, "%s%s%s %s", text ? text : "",
					    text ? ", " : "", fact_keys[i],
					    f->values[i]);
	return text;
}

/* ---- notes ----------------------------------------------------------- */

static void add_note(struct claim_reader *r, const char *text)
{
	buffer_add(&r->notes, &text, sizeof(text));
}

static void add_notes(struct claim_reader *r)
{
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
}

int claims_about(struct claim_reader *r, const struct run *run, struct err *e)
{
	struct facts f = { .a = r->a };
	struct model *m = r->m;

	m->isa = r->c->isa->name;
	m->cpu = *run->cpu ? run->cpu : run->board;
	m->source = arena_printf(r->a, "measured: run %lld on %s",
				 (long long)run->id, run->board);
	m->about.tool = run->tool;
	m->about.date = run->date;
	(void)store_envs(r->s, run->id, take_fact, &f, e);
	m->about.core = describe(&f, 0, N_CORE);
	m->about.system = describe(&f, N_CORE, N_FACTS);
	add_notes(r);
	return e->code;
}
