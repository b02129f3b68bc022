#include "host/link/fake_cores.h"

#include <string.h>

#include "host/base/file.h"
#include "host/isa/isa.h"

/* The files of a list, "big.core,little.core"; 0: there is no other. */
static size_t next_file(const char *list, size_t at, size_t *ret_n)
{
	at += at > 0;
	*ret_n = strcspn(list + at, ",");
	return at;
}

static int load_core(struct arena *a, const char *path, const char *isa,
		     struct core *core, size_t *n_cores, struct err *e)
{
	if (*n_cores == FAKE_MAX_CORES)
		return err_set(e, ERR_USAGE, "--core: at most %d cores",
			       FAKE_MAX_CORES);
	if (core_read(a, path, core, e) != ERR_OK)
		return e->code;
	++*n_cores;
	if (strcmp(core->isa, isa) != 0)
		return err_set(
			e, ERR_INPUT,
			"%s:%d: this core is for %s, the board is for %s",
			core->path, core->isa_line, core->isa, isa);
	return ERR_OK;
}

int fake_load_cores(struct arena *a, const struct link_request *q,
		    struct core cores[FAKE_MAX_CORES], size_t *ret_n,
		    struct err *e)
{
	const char *isa = q->catalogue->isa->name;

	if (!q->core)
		return err_set(e, ERR_USAGE,
			       "board '%s' needs --core FILE, the invented "
			       "core (examples/cores/README.md)",
			       q->board->name);
	for (size_t at = 0, n = 0; at == 0 || q->core[at]; at += n) {
		const char *path;

		at = next_file(q->core, at, &n);
		path = arena_printf(a, "%.*s", (int)n, q->core + at);
		if (load_core(a, path, isa, &cores[*ret_n], ret_n, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

int link_core_isa(struct arena *a, const char *path, const char **ret_isa,
		  struct err *e)
{
	struct core *core = ARENA_NEW(a, struct core);
	size_t n, at = next_file(path, 0, &n);
	int ret = core_read(a, arena_printf(a, "%.*s", (int)n, path + at), core,
			    e);

	if (ret != ERR_OK)
		return ret;
	*ret_isa = arena_strdup(a, core->isa);
	core_free(core);
	return ERR_OK;
}
