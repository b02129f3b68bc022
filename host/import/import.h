/* Importers: read machine models from files of several formats. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "host/base/skip.h"
#include "host/isa/isa.h"
#include "host/model/complete.h"

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

/* Set the model's counts of entries. */
void import_count(struct arena *a, struct model *m, size_t n_entries,
		  const struct skips *skips);

/* Registry, generated; NULL-terminated. */
extern const struct importer *const importers[];

/* Does the file hold a machine model, and not values alone?  ERR_SYSTEM if it
 * cannot be read. */
int import_is_model(const char *path, bool *ret, struct err *e);

/* LLVM's scheduling model of a CPU, named as in LLVM or "native".  Owned by
 * `a`, names of forms by `c`.  ERR_INPUT if LLVM has none. */
int import_llvm(struct arena *a, const struct catalogue *c, const char *cpu,
		struct model **ret, struct err *e);

/* Where a model comes from.  Exactly one of db, file and cpu is not NULL. */
struct model_source {
	const char *db;    /* database of measurements */
	const char *board; /* board in the database; NULL: that of the newest
			    * run */
	/* As of struct core_query. */
	const char *core_of, *core_option;
	const char *file; /* model file; FILE@NAME: one of its models */
	const char *cpu;  /* CPU of LLVM's tables */
	const char *isa;  /* given by the user; NULL: taken from the source */
	/* Tables for what the model lacks: a CPU of LLVM's, a model file, or
	 * "none"; NULL: LLVM's of the model's CPU, if it has any. */
	const char *tables;
	/* Refuse a file with entries that would be left out. */
	bool strict;
};

/* The instruction set of a source, needed to load the catalogue.  ERR_USAGE if
 * not exactly one of db, file and cpu is set, or if neither user nor source
 * names the instruction set. */
int model_source_isa(struct arena *a, const struct model_source *s,
		     const struct isa **ret, struct err *e);

/* Load the model and complete it (host/model/complete.h); owned by `a`, refers
 * to `c`. */
int model_load_completed(struct arena *a, const struct catalogue *c,
			 const struct model_source *s, struct completion **ret,
			 struct err *e);

/* Both with the catalogue of the source's instruction set, from the user's cache
 * directory (host/base/cache.h) if it has them, else built and stored there.
 * `cached` false: without the cache. Owned by `a`; catalogue_free() also after
 * an error, if *ret_catalogue is set. */
int model_open(struct arena *a, const struct model_source *s, bool cached,
	       struct catalogue **ret_catalogue, struct completion **ret,
	       struct err *e);

/* The same with a catalogue that is open, whose instruction set the source names
 * as its own.  ERR_INPUT if it is of another one. */
int model_open_with(struct arena *a, const struct catalogue *c,
		    const struct model_source *s, bool cached,
		    struct completion **ret, struct err *e);

/* Load the model; owned by `a`, names of forms by `c`. */
int model_load(struct arena *a, const struct catalogue *c,
	       const struct model_source *s, struct model **ret, struct err *e);

#endif
