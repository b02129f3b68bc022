/* Opens a completed model and its catalogue, from the user's cache directory if
 * it has them; see import.h. */
#include <string.h>

#include "host/base/cache.h"
#include "host/import/import.h"
#include "host/isa/catalogue_image.h"
#include "host/isa/identity.h"
#include "host/isa/mc_sched.h"
#include "host/model/complete_image.h"

/* Append what a CPU's name stands for. */
static void open_identify_cpu(struct buffer *key, const char *cpu)
{
	char host[ISA_NAME_ROOM];

	host_cpu(host, sizeof(host));
	buffer_printf(key, " cpu %s host %s", cpu, host);
}

/* Append what the completed model depends on. False: it cannot be cached. */
static bool open_identify(struct buffer *key, const struct isa *isa,
			  const struct model_source *s)
{
	if (!catalogue_identify(key, isa))
		return false;
	buffer_printf(key, " board %s core %s tables %s",
		      s->board ? s->board : "-", s->core_of ? s->core_of : "-",
		      s->tables ? s->tables : "-");
	if (s->cpu)
		open_identify_cpu(key, s->cpu);
	else if (!cache_identify(key, s->db ? s->db : s->file))
		return false;
	if (!s->tables || strcmp(s->tables, "none") == 0)
		return true;
	if (!mc_sched_knows(isa->triple, s->tables))
		return cache_identify(key, s->tables);
	open_identify_cpu(key, s->tables);
	return true;
}

/* One file per source, however often it changes. */
static char *open_path(struct arena *a, const struct isa *isa,
		       const struct model_source *s)
{
	const char *name = s->cpu ? s->cpu : s->db ? s->db : s->file;

	return cache_path(a, arena_printf(a, "model %s %s %s %s %s %s",
					  isa->name, s->cpu ? "cpu" : "file",
					  name, s->board ? s->board : "-",
					  s->core_of ? s->core_of : "-",
					  s->tables ? s->tables : "-"));
}

static int open_model(struct arena *a, const struct catalogue *c,
		      const struct model_source *s, struct completion **ret,
		      struct err *e)
{
	struct buffer key = { 0 };
	struct err none = { .code = ERR_OK };
	const char *path = NULL;
	struct completion *k = NULL;

	if (open_identify(&key, c->isa, s))
		path = open_path(a, c->isa, s);
	buffer_add(&key, "", 1);
	if (path)
		k = completion_map(a, c, path, (const char *)key.bytes);
	if (k) {
		cache_touch(path);
		*ret = k;
	} else if (model_load_completed(a, c, s, ret, e) == ERR_OK && path &&
		   completion_store(*ret, path, (const char *)key.bytes,
				    &none) == ERR_OK) {
		cache_trim(path);
	}
	buffer_free(&key);
	return e->code;
}

int model_open_with(struct arena *a, const struct catalogue *c,
		    const struct model_source *s, bool cached,
		    struct completion **ret, struct err *e)
{
	return cached ? open_model(a, c, s, ret, e)
		      : model_load_completed(a, c, s, ret, e);
}

int model_open(struct arena *a, const struct model_source *s, bool cached,
	       struct catalogue **ret_catalogue, struct completion **ret,
	       struct err *e)
{
	const struct isa *isa;

	if (model_source_isa(a, s, &isa, e) != ERR_OK ||
	    catalogue_open(a, isa, cached, ret_catalogue, e) != ERR_OK)
		return e->code;
	return model_open_with(a, *ret_catalogue, s, cached, ret, e);
}
