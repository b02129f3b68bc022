/* One way to a model, wherever it comes from. */
#include "host/import/import.h"

#include <string.h>

#include "host/base/file.h"
#include "host/isa/mc_sched.h"
#include "host/model/claims.h"

enum { MAX_FILE = 256 << 20 };

static int check_source(const struct model_source *s, struct err *e)
{
	if (!!s->db + !!s->file + !!s->cpu != 1)
		return err_set(e, ERR_USAGE,
			       "a model: one of --db FILE, --model FILE and "
			       "--cpu NAME");
	return ERR_OK;
}

static int read_file(struct arena *a, const char *path, const char **ret_text,
		     size_t *ret_n, const struct importer **ret, struct err *e)
{
	unsigned char *bytes;

	if (file_read(a, path, MAX_FILE, &bytes, ret_n, e) != ERR_OK)
		return e->code;
	*ret_text = (const char *)bytes;
	for (size_t i = 0; importers[i]; i++)
		if (importers[i]->is(*ret_text, *ret_n)) {
			*ret = importers[i];
			return ERR_OK;
		}
	return err_set(e, ERR_INPUT,
		       "%s: a model this program reads (docs/imports.md)",
		       path);
}

static int isa_of_file(struct arena *a, const char *path, const char **ret,
		       struct err *e)
{
	const struct importer *i;
	const char *text;
	size_t n;

	if (read_file(a, path, &text, &n, &i, e) != ERR_OK)
		return e->code;
	return i->isa(a, path, text, n, ret, e);
}

static int isa_of_database(struct arena *a, const struct model_source *s,
			   const char **ret, struct err *e)
{
	struct store *store;
	struct run run;

	if (store_open(s->db, false, &store, e) != ERR_OK)
		return e->code;
	if (model_store_run(store, a, s->board, &run, e) == ERR_OK)
		*ret = run.isa;
	store_close(store);
	return e->code;
}

/* CPUs have the same name in several instruction sets only where they are
 * nobody's: "generic"; there this machine's counts. */
static const char *isa_of_cpu(const char *cpu)
{
	const struct isa *native = isa_native();

	if (native && mc_sched_knows(native->triple, cpu))
		return native->name;
	for (size_t i = 0; isas[i]; i++)
		if (mc_sched_knows(isas[i]->triple, cpu))
			return isas[i]->name;
	return NULL;
}

int model_source_isa(struct arena *a, const struct model_source *s,
		     const struct isa **ret, struct err *e)
{
	const char *name = s->isa;

	if (check_source(s, e) != ERR_OK)
		return e->code;
	if (!name && s->db && isa_of_database(a, s, &name, e) != ERR_OK)
		return e->code;
	if (!name && s->file && isa_of_file(a, s->file, &name, e) != ERR_OK)
		return e->code;
	if (!name && s->cpu)
		name = isa_of_cpu(s->cpu);
	if (!name && s->cpu)
		return err_set(e, ERR_INPUT,
			       "--cpu: a CPU that LLVM knows, not '%.100s'",
			       s->cpu);
	if (!name)
		return err_set(e, ERR_USAGE, "%s: --isa ISA, it does not say",
			       s->file);
	if (!isa_find(name))
		return err_set(e, ERR_INPUT,
			       "an instruction set this program knows, not "
			       "'%.80s'",
			       name);
	*ret = isa_find(name);
	return ERR_OK;
}

static int load_database(struct arena *a, const struct catalogue *c,
			 const struct model_source *s, struct model **ret,
			 struct err *e)
{
	struct store *store;
	struct model *m = ARENA_NEW(a, struct model);

	if (store_open(s->db, false, &store, e) != ERR_OK)
		return e->code;
	if (model_from_store(store, a, s->board, c, m, e) == ERR_OK)
		*ret = m;
	store_close(store);
	return e->code;
}

int model_load(struct arena *a, const struct catalogue *c,
	       const struct model_source *s, struct model **ret, struct err *e)
{
	const struct importer *i;
	const char *text;
	size_t n;

	if (check_source(s, e) != ERR_OK)
		return e->code;
	if (s->db)
		return load_database(a, c, s, ret, e);
	if (s->cpu)
		return import_llvm(a, c, s->cpu, ret, e);
	if (read_file(a, s->file, &text, &n, &i, e) != ERR_OK)
		return e->code;
	return i->read(a, c, s->file, text, n, ret, e);
}
