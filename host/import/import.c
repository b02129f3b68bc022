/* Loads a model from a database, a file or LLVM's tables; see import.h. */
#include "host/import/import.h"

#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"
#include "host/model/claims.h"

enum { MAX_FILE = 256 << 20, HEAD = 1 << 14 };

static int check_source(const struct model_source *s, struct err *e)
{
	if (!!s->db + !!s->file + !!s->cpu != 1)
		return err_set(e, ERR_USAGE,
			       "the model needs exactly one of --db FILE, "
			       "--model FILE and --cpu NAME");
	return ERR_OK;
}

/* The reader of files of any size that these first bytes belong to. */
static const struct importer *find_streamed(const char *path, char *head,
					    size_t room, size_t *ret_n)
{
	FILE *f = fopen(path, "rb");

	*ret_n = f ? fread(head, 1, room - 1, f) : 0;
	head[*ret_n] = '\0';
	if (f)
		(void)fclose(f);
	for (size_t i = 0; importers[i]; i++)
		if (importers[i]->read_file && importers[i]->is(head, *ret_n))
			return importers[i];
	return NULL;
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
		       "%s is not in a known model format (see "
		       "docs/imports.md)",
		       path);
}

static int isa_of_file(struct arena *a, const char *path, const char **ret,
		       struct err *e)
{
	char head[HEAD];
	const struct importer *i;
	const char *text;
	size_t n;

	i = find_streamed(path, head, sizeof(head), &n);
	if (i) {
		struct err cut = {
			.code = ERR_OK
		}; /* the head ends anywhere */

		(void)i->isa(a, path, head, n, ret, &cut);
		return ERR_OK;
	}
	if (read_file(a, path, &text, &n, &i, e) != ERR_OK)
		return e->code;
	return i->isa(a, path, text, n, ret, e);
}

static int choose_core(const struct model_source *s, struct store *store,
		       struct err *e)
{
	const struct core_query q = { .board = s->board,
				      .isa = s->isa,
				      .core_of = s->core_of,
				      .option = s->core_option };

	return store_choose_core(store, &q, e);
}

static int isa_of_database(struct arena *a, const struct model_source *s,
			   const char **ret, struct err *e)
{
	struct store *store;
	struct run run;

	if (store_open(s->db, false, &store, e) != ERR_OK)
		return e->code;
	if (choose_core(s, store, e) == ERR_OK &&
	    model_store_run(store, a, s->board, &run, e) == ERR_OK)
		*ret = run.isa;
	store_close(store);
	return e->code;
}

/* The only CPU name in several instruction sets is "generic"; it means this
 * machine's. */
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
			       "--cpu: LLVM does not know the CPU '%.100s'",
			       s->cpu);
	if (!name)
		return err_set(e, ERR_USAGE,
			       "%s does not name its instruction set; give "
			       "--isa",
			       s->file);
	if (!isa_find(name))
		return err_set(e, ERR_INPUT, "unknown instruction set '%.80s'",
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
	if (choose_core(s, store, e) == ERR_OK &&
	    model_from_store(store, a, s->board, c, m, e) == ERR_OK)
		*ret = m;
	store_close(store);
	return e->code;
}

int model_load(struct arena *a, const struct catalogue *c,
	       const struct model_source *s, struct model **ret, struct err *e)
{
	char head[HEAD];
	const struct importer *i;
	const char *text;
	size_t n;

	if (check_source(s, e) != ERR_OK)
		return e->code;
	if (s->db)
		return load_database(a, c, s, ret, e);
	if (s->cpu)
		return import_llvm(a, c, s->cpu, ret, e);
	i = find_streamed(s->file, head, sizeof(head), &n);
	if (i ? i->read_file(a, c, s->file, ret, e) != ERR_OK
	      : read_file(a, s->file, &text, &n, &i, e) != ERR_OK ||
			    i->read(a, c, s->file, text, n, ret, e) != ERR_OK)
		return e->code;
	if (s->strict && (*ret)->n_skipped > 0)
		return err_set(e, ERR_INPUT,
			       "%s (%zu of %zu entries are like this; without "
			       "--strict they are left out)",
			       (*ret)->skipped, (*ret)->n_skipped,
			       (*ret)->n_entries);
	return ERR_OK;
}

/* LLVM's tables of the CPU that a model is of. A CPU that LLVM does not know by
 * its own name has none. */
static int tables_of_cpu(struct arena *a, const struct catalogue *c,
			 const struct model *m, struct model **ret)
{
	static const char unknown[] = "generic";
	struct err none = { .code = ERR_OK };

	if (strncmp(m->cpu, unknown, sizeof(unknown) - 1) != 0 &&
	    mc_sched_knows(c->isa->triple, m->cpu))
		(void)import_llvm(a, c, m->cpu, ret, &none);
	return ERR_OK;
}

static int load_tables(struct arena *a, const struct catalogue *c,
		       const struct model_source *s, const struct model *m,
		       struct model **ret, struct err *e)
{
	struct model_source tables = { .isa = s->isa };

	*ret = NULL;
	if (s->tables && strcmp(s->tables, "none") == 0)
		return ERR_OK;
	if (!s->tables)
		return s->cpu ? ERR_OK : tables_of_cpu(a, c, m, ret);
	if (mc_sched_knows(c->isa->triple, s->tables))
		tables.cpu = s->tables;
	else
		tables.file = s->tables;
	return model_load(a, c, &tables, ret, e);
}

int model_load_completed(struct arena *a, const struct catalogue *c,
			 const struct model_source *s, struct completion **ret,
			 struct err *e)
{
	struct model *m, *tables;

	if (model_load(a, c, s, &m, e) == ERR_OK &&
	    load_tables(a, c, s, m, &tables, e) == ERR_OK)
		*ret = model_complete(a, c, m, tables);
	return e->code;
}
