/* Describe the machine that a run was measured on; see claims.h. */
#include <string.h>

#include "host/model/claims_read.h"

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

int claims_about(struct claim_reader *r, const struct run *run, struct err *e)
{
	struct model_about *about = &r->m->about;

	about->tool = run->tool;
	about->date = run->date;
	about->core = describe(r, run->id, core_keys, ARRAY_LEN(core_keys), e);
	about->system =
		describe(r, run->id, system_keys, ARRAY_LEN(system_keys), e);
	return e->code;
}
