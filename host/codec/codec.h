/* Formats of files: exporters write a store's claims or a machine model, importers
 * read machine models. Both lists are generated from CMakeLists.txt and end with
 * NULL. */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include "host/base/file.h"
#include "host/base/skip.h"
#include "host/isa/isa.h"
#include "host/model/model.h"
#include "host/store/store.h"

/* One of write and write_model is NULL. */
struct exporter {
	const char *name; /* csv | json | winic | model ... */
	const char *describe;
	int (*write)(struct store *s, struct buffer *ret, struct err *e);
	/* write_model() wants a model that is completed (completed_fill()). */
	bool completes;
	/* ERR_INPUT if the format cannot hold this model; ERR_FAILED if nothing of
	 * it would be left. */
	int (*write_model)(const struct model *m, const struct catalogue *c,
			   struct buffer *ret, struct err *e);
	/* The same of n models of one instruction set; NULL: the format holds
	 * one. */
	int (*write_models)(const struct model *const *list, size_t n,
			    const struct catalogue *c, struct buffer *ret,
			    struct err *e);
};

extern const struct exporter *const exporters[];
const struct exporter *exporter_find(const char *name);

/* A format of model files.  `text` has n bytes, followed by a NUL. */
struct importer {
	const char *name;
	const char *describe;
	bool values_only; /* throughputs and latencies, no ports */
	/* Does the text look like this format?  The first match is used. */
	bool (*is)(const char *text, size_t n);
	/* Set *ret to the file's instruction set; leave it if the file has
	 * none. */
	int (*isa)(struct arena *a, const char *path, const char *text,
		   size_t n, const char **ret, struct err *e);
	/* Read a model, owned by `a`; names of forms are owned by `c`.
	 * ERR_INPUT with path and line. */
	int (*read)(struct arena *a, const struct catalogue *c,
		    const char *path, const char *text, size_t n,
		    struct model **ret, struct err *e);
	/* The same of a file of any size; NULL: the file is read whole.
	 * `part`: the one of its models to read, or NULL. */
	int (*read_file)(struct arena *a, const struct catalogue *c,
			 const char *path, const char *part, struct model **ret,
			 struct err *e);
};

extern const struct importer *const importers[];

/* Set the model's counts of entries. */
static inline void import_count(struct arena *a, struct model *m,
				size_t n_entries, const struct skips *skips)
{
	m->n_entries = n_entries;
	m->n_skipped = skips->n;
	m->skipped =
		skips->n > 0 ? arena_strdup(a, skips->first.message) : NULL;
}

/* LLVM's scheduling model of a CPU, named as in LLVM or "native".  Owned by
 * `a`, names of forms by `c`.  ERR_INPUT if LLVM has none. */
int import_llvm(struct arena *a, const struct catalogue *c, const char *cpu,
		struct model **ret, struct err *e);

/* The version of this program that measured the model; of other models the
 * version that exports it. */
const char *export_tool(const struct model *m);

/* Append text to a comment of any of the formats: a byte that may end it becomes
 * '?'. */
void export_comment(struct buffer *b, const char *text);

/* Append a line with export_tool(); `mark` begins comments. */
void export_tool_comment(struct buffer *b, const char *mark,
			 const struct model *m);

/* ERR_FAILED, with advice, if the model has no ports. */
int export_needs_ports(const struct model *m, struct err *e);

/* Append lines that say where completed values come from, if any are. */
void export_completed(struct buffer *b, const char *mark,
		      const struct model *m);

#endif
