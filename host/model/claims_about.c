/* What a model says of where it comes from; see claims_read.h. */
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/model/claims_read.h"

/* ---- the machine that a run was measured on ------------------------- */

/* Facts of the runtime's info record that tell cores apart. */
static const char *const core_keys[] = {
	"vendor", "cpu",       "family",  "model",  "stepping",
	"midr",   "mvendorid", "marchid", "mimpid", "microcode",
};
static const char *const system_keys[] = {
	"hypervisor", "kernel", "firmware", "clock", "counters",
};

struct facts {
	struct arena *a;
	const char *const *keys;
	size_t n;
	const char **values; /* n, of the keys */
};

static int take_fact(void *context, const char *key, const char *value,
		     struct err *e)
{
	struct facts *f = context;

	(void)e;
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->keys[i], key) == 0 && *value != '\0')
			f->values[i] = arena_strdup(f->a, value);
	return ERR_OK;
}

/* "vendor V, cpu C, family 26"; NULL if the run has none of the facts. */
static const char *describe(struct claim_reader *r, int64_t run,
			    const char *const *keys, size_t n, struct err *e)
{
	struct facts f = { r->a, keys, n, ARENA_ARRAY(r->a, const char *, n) };
	const char *text = NULL;

	if (store_envs(r->s, run, take_fact, &f, e) != ERR_OK)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (f.values[i])
			text = arena_printf(r->a, "%s%s%s %s", text ? text : "",
					    text ? ", " : "", keys[i],
					    f.values[i]);
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
	struct model *m = r->m;

	m->isa = r->c->isa->name;
	m->cpu = *run->cpu ? run->cpu : run->board;
	m->source = arena_printf(r->a, "measured: run %lld on %s",
				 (long long)run->id, run->board);
	m->about.tool = run->tool;
	m->about.date = run->date;
	m->about.core =
		describe(r, run->id, core_keys, ARRAY_LEN(core_keys), e);
	m->about.system =
		describe(r, run->id, system_keys, ARRAY_LEN(system_keys), e);
	add_notes(r);
	return e->code;
}
