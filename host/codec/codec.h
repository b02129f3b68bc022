/* Formats of files: exporters write a store's claims or a machine model,
 * importers read machine models. Both lists are generated from CMakeLists.txt
 * and end with NULL. */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include "host/base/file.h"
#include "host/base/skip.h"
#include "host/isa/isa.h"
#include "host/model/model.h"
#include "host/store/store.h"

/* A model of another source, of which a format writes what must change. */
struct export_against {
	const char *cpu;  /* LLVM's name of the model */
	const char *path; /* of its source, for messages and the diff */
	const char *text; /* n bytes, followed by a NUL */
	size_t n;
};

/* One of write and write_model is NULL. */
struct exporter {
	const char *name; /* csv | json | winic | model ... */
	const char *describe;
	int (*write)(struct store *s, struct buffer *ret, struct err *e);
	/* write_model() wants a model that is completed (completed_fill()). */
	bool completes;
	/* ERR_INPUT if the format cannot hold this model; ERR_FAILED if nothing
	 * of it would be left. */
	int (*write_model)(const struct model *m, const struct catalogue *c,
			   struct buffer *ret, struct err *e);
	/* The same of n models of one instruction set; NULL: the format holds
	 * one. */
	int (*write_models)(const struct model *const *list, size_t n,
			    const struct catalogue *c, struct buffer *ret,
			    struct err *e);
	/* What of another model must change; the model is not completed.
	 * NULL: the format has no changes. */
	int (*write_against)(const struct model *m, const struct catalogue *c,
			     const struct export_against *x, struct buffer *ret,
			     struct err *e);
};

extern const struct exporter *const exporters[];
/* The exporter of a format; NULL: there is none of this name. */
const struct exporter *exporter_find(const char *name);

/* What is read: n bytes, followed by a NUL. */
struct import_text {
	const char *path; /* for messages */
	const char *text; /* NULL: the importer reads the file, of any size */
	size_t n;
	const char *part; /* the one of its models to read, or NULL */
};

/* A format of model files. */
struct importer {
	const char *name;
	const char *describe;
	bool values_only; /* throughputs and latencies, no ports */
	bool streams;     /* reads a file of any size, and one of its parts */
	/* Does the text look like this format?  The first match is used. */
	bool (*is)(const char *text, size_t n);
	/* Set *ret to the file's instruction set; leave it if the file has
	 * none. NULL: the format has none. */
	int (*isa)(struct arena *a, const struct import_text *t,
		   const char **ret, struct err *e);
	/* Read a model, owned by `a`; names of forms are owned by `c`.
	 * ERR_INPUT with path and line. */
	int (*read)(struct arena *a, const struct catalogue *c,
		    const struct import_text *t, struct model **ret,
		    struct err *e);
};

extern const struct importer *const importers[];

/* Set the model's counts of entries. */
void import_count(struct arena *a, struct model *m, size_t n_entries,
		  const struct skips *skips);

/* Add a sentence, owned by `a`, to what the source does not show. */
void import_note(struct arena *a, struct model *m, const char *format, ...)
	PRINTF_LIKE(3, 4);

/* LLVM's scheduling model of a CPU, named as in LLVM or "native".  Owned by
 * `a`, names of forms by `c`.  ERR_INPUT if LLVM has none. */
int import_llvm(struct arena *a, const struct catalogue *c, const char *cpu,
		struct model **ret, struct err *e);

/* The same as the tables stand, without corrections. */
int import_llvm_plain(struct arena *a, const struct catalogue *c,
		      const char *cpu, struct model **ret, struct err *e);

/* LLVM's tables of a CPU, with what a measured model changes in their source;
 * what format llvm writes as a diff.  Owned by `a`. */
int changed_llvm(struct arena *a, const struct model *m,
		 const struct catalogue *c, const struct export_against *x,
		 struct model **ret, struct err *e);

/* The name of each form's scheduling class in LLVM's tables of a CPU, by the
 * form's index in the catalogue; NULL: it has none.  Vectors of RISC-V have a
 * class for each grouping and, where it matters, element width.  Owned by `a`.
 * ERR_INPUT if LLVM has no tables of it. */
int llvm_class_names(struct arena *a, const struct catalogue *c,
		     const char *cpu, const char *const **ret, struct err *e);

/* The version of this program that measured the model; of other models the
 * version that exports it. */
const char *export_tool(const struct model *m);

/* Append text to a comment of any of the formats: a byte that may end it
 * becomes '?'. */
void export_comment(struct buffer *b, const char *text);

/* Append text as a single-quoted YAML string, without control characters. */
void export_quoted(struct buffer *b, const char *text);

/* Append a line with export_tool(); `mark` begins comments. */
void export_tool_comment(struct buffer *b, const char *mark,
			 const struct model *m);

/* Append lines that say where completed values come from, if any are. */
void export_completed(struct buffer *b, const char *mark,
		      const struct model *m);

#endif
