/* Loads a model from a database, a file or LLVM's tables, and completes it; see
 * source.h. */
#include "host/codec/source.h"

#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/cache.h"
#include "host/base/file.h"
#include "host/codec/codec.h"
#include "host/isa/catalogue_image.h"
#include "host/isa/identity.h"
#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"
#include "host/model/claims.h"
#include "host/model/complete_image.h"
#include "host/store/store_core.h"

enum { MAX_FILE = 256 << 20, HEAD = 1 << 14 };

static int check_source(const struct model_source *s, struct err *e)
{
	int n = !!s->db + !!s->file + !!s->cpu;

	if (n == 0)
		return err_set(e, ERR_USAGE,
			       "which core? Give one of --db FILE (measured "
			       "here), --model FILE (a machine model) and "
			       "--cpu NAME (LLVM's tables; --cpu native: of "
			       "this machine)");
	if (n > 1)
		return err_set(e, ERR_USAGE,
			       "the model needs only one of --db FILE, "
			       "--model FILE and --cpu NAME");
	return ERR_OK;
}

/* A model file that is open: FILE, or FILE@NAME. */
struct source_file {
	struct import_text t; /* part: behind the '@' */
	const struct importer *importer;
	char head[HEAD]; /* what a file of any size begins with */
	size_t n_head;
};

/* A path that has an '@' itself is found by its whole name. */
static void split_part(struct arena *a, const char *word,
		       struct source_file *ret)
{
	const char *at = strrchr(word, '@');

	*ret = (struct source_file){ .t.path = word };
	if (at && at > word && at[1] != '\0' && access(word, F_OK) != 0) {
		ret->t.path = arena_printf(a, "%.*s", (int)(at - word), word);
		ret->t.part = at + 1;
	}
}

/* The first importer, of all or of those of files of any size, that the text
 * looks like; NULL: none. */
static const struct importer *importer_of(const char *text, size_t n,
					  bool streams)
{
	size_t i = 0;

	while (importers[i] &&
	       (importers[i]->streams < streams || !importers[i]->is(text, n)))
		i++;
	return importers[i];
}

/* The importer of files of any size that the first bytes belong to. */
static void find_streamed(struct source_file *s)
{
	int fd = open(s->t.path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)file_get(fd, s->head, sizeof(s->head) - 1, &s->n_head);
		(void)close(fd);
	}
	s->head[s->n_head] = '\0';
	s->importer = importer_of(s->head, s->n_head, true);
}

/* ---- xz ------------------------------------------------------------------ */

static int unpack_all(lzma_stream *s, const char *path, struct buffer *ret,
		      struct err *e)
{
	enum { ROOM = 1 << 16 };
	lzma_ret code = LZMA_OK;

	while (code == LZMA_OK) {
		s->next_out = buffer_reserve(ret, ROOM);
		s->avail_out = ROOM;
		code = lzma_code(s, LZMA_FINISH);
		if (code == LZMA_MEM_ERROR)
			guard_shortage();
		if (code != LZMA_OK && code != LZMA_STREAM_END)
			break;
		ret->n += ROOM - s->avail_out;
		if (ret->n > MAX_FILE)
			return err_set(e, ERR_INPUT,
				       "%s holds more than %d bytes", path,
				       MAX_FILE);
	}
	if (code != LZMA_STREAM_END)
		return err_set(e, ERR_INPUT,
			       "%s: its xz data is damaged or cut short", path);
	return ERR_OK;
}

static void end_stream(void *object)
{
	lzma_end(object);
}

/* Replace a text that xz has compressed by what it holds, owned by `a`. */
static int unpack(struct arena *a, struct import_text *t, struct err *e)
{
	enum { MAX_MEMORY = 256 << 20 };
	static const char magic[] = "\xfd"
				    "7zXZ";
	lzma_stream s = LZMA_STREAM_INIT;
	struct buffer b = { 0 };
	struct hold h;

	if (t->n < sizeof(magic) || memcmp(t->text, magic, sizeof(magic)) != 0)
		return ERR_OK;
	if (lzma_stream_decoder(&s, MAX_MEMORY, 0) != LZMA_OK)
		guard_shortage();
	guard_hold(&h, end_stream, &s);
	s.next_in = (const uint8_t *)t->text;
	s.avail_in = t->n;
	if (unpack_all(&s, t->path, &b, e) == ERR_OK) {
		t->n = b.n;
		t->text = buffer_take(a, &b);
	}
	guard_drop(&h);
	lzma_end(&s);
	buffer_free(&b);
	return e->code;
}

/* ---- files --------------------------------------------------------------- */

/* Leaves ret->importer NULL if none knows the file. */
static int find_importer(struct arena *a, const char *word,
			 struct source_file *ret, struct err *e)
{
	struct import_text *t = &ret->t;
	unsigned char *bytes;

	split_part(a, word, ret);
	find_streamed(ret);
	if (ret->importer)
		return ERR_OK;
	if (file_read(a, t->path, MAX_FILE, &bytes, &t->n, e) != ERR_OK)
		return e->code;
	t->text = (const char *)bytes;
	if (unpack(a, t, e) != ERR_OK)
		return e->code;
	ret->importer = importer_of(t->text, t->n, false);
	return ERR_OK;
}

static int open_file(struct arena *a, const char *word, struct source_file *ret,
		     struct err *e)
{
	if (find_importer(a, word, ret, e) != ERR_OK)
		return e->code;
	if (!ret->importer)
		return err_set(e, ERR_INPUT,
			       "%s is not in a known model format (see "
			       "docs/imports.md)",
			       ret->t.path);
	if (ret->t.part && !ret->importer->streams)
		return err_set(e, ERR_USAGE,
			       "%s holds one model; give it without '@%s'",
			       ret->t.path, ret->t.part);
	return ERR_OK;
}

int import_is_model(const char *path, bool *ret, struct err *e)
{
	struct arena a = { 0 };
	struct source_file s;

	if (find_importer(&a, path, &s, e) == ERR_OK)
		*ret = s.importer && !s.importer->values_only;
	arena_free(&a);
	return e->code;
}

static int isa_of_file(struct arena *a, const char *word, const char **ret,
		       struct err *e)
{
	struct err cut = { .code = ERR_OK }; /* the head ends anywhere */
	struct source_file s;

	if (open_file(a, word, &s, e) != ERR_OK)
		return e->code;
	if (!s.importer->isa)
		return ERR_OK;
	if (s.t.text)
		return s.importer->isa(a, &s.t, ret, e);
	s.t.text = s.head;
	s.t.n = s.n_head;
	(void)s.importer->isa(a, &s.t, ret, &cut);
	return ERR_OK;
}

/* Open the database, and choose the core; close it whatever the result. */
static int open_database(const struct model_source *s, struct store **ret,
			 struct err *e)
{
	const struct core_query q = { .board = s->board,
				      .isa = s->isa,
				      .core_of = s->core_of,
				      .option = s->core_option };

	*ret = NULL;
	return store_open_to_read(s->db, ret, e) == ERR_OK
		       ? store_choose_core(*ret, &q, e)
		       : e->code;
}

static int isa_of_database(struct arena *a, const struct model_source *s,
			   const char **ret, struct err *e)
{
	struct store *store;
	struct run run;

	if (open_database(s, &store, e) == ERR_OK &&
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
			       "--cpu: LLVM does not know the CPU '%.100s'; "
			       "--model names a table that comes with the "
			       "program",
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

	if (open_database(s, &store, e) == ERR_OK &&
	    model_from_store(store, a, s->board, c, m, e) == ERR_OK)
		*ret = m;
	store_close(store);
	return e->code;
}

int model_load(struct arena *a, const struct catalogue *c,
	       const struct model_source *s, struct model **ret, struct err *e)
{
	struct source_file f;

	if (check_source(s, e) != ERR_OK)
		return e->code;
	if (s->db)
		return load_database(a, c, s, ret, e);
	if (s->cpu)
		return import_llvm(a, c, s->cpu, ret, e);
	if (open_file(a, s->file, &f, e) != ERR_OK ||
	    f.importer->read(a, c, &f.t, ret, e) != ERR_OK)
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

/* ---- from the user's cache ---------------------------------------------- */

/* Append what a CPU's name stands for. */
static void open_identify_cpu(struct buffer *key, const char *cpu)
{
	char host[ISA_NAME_ROOM];

	host_cpu(host, sizeof(host));
	buffer_printf(key, " cpu %s host %s", cpu, host);
}

/* Append what the completed model depends on, in addition to its subject.
 * False: it cannot be cached. */
static bool open_identify(struct buffer *key, const struct isa *isa,
			  const struct model_source *s)
{
	if (!catalogue_identify(key, isa))
		return false;
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

/* The cache has one file per subject, however often the source changes. */
static const char *open_subject(struct arena *a, const struct isa *isa,
				const struct model_source *s)
{
	const char *name = s->cpu ? s->cpu : s->db ? s->db : s->file;

	return arena_printf(
		a, "model %s %s %s %s %s %s", isa->name,
		s->cpu ? "cpu" : "file", name, s->board ? s->board : "-",
		s->core_of ? s->core_of : "-", s->tables ? s->tables : "-");
}

int model_open_with(struct arena *a, const struct catalogue *c,
		    const struct model_source *s, bool cached,
		    struct completion **ret, struct err *e)
{
	const char *subject = open_subject(a, c->isa, s), *path = NULL;
	struct buffer key = { 0 };
	struct err none = { .code = ERR_OK };
	struct completion *k = NULL;

	if (cached && open_identify(&key, c->isa, s))
		path = cache_path(a, subject);
	buffer_printf(&key, " %s", subject);
	if (path)
		k = completion_map(a, c, path, buffer_text(&key));
	if (k) {
		cache_touch(path);
		*ret = k;
	} else if (model_load_completed(a, c, s, ret, e) == ERR_OK && path &&
		   completion_store(*ret, path, buffer_text(&key), &none) ==
			   ERR_OK) {
		cache_trim(path);
	}
	buffer_free(&key);
	return e->code;
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
