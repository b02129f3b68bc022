/* Where a machine model comes from: measurements, a file of any format, or
 * LLVM's tables. */
#ifndef CODEC_SOURCE_H
#define CODEC_SOURCE_H

#include "host/isa/isa.h"
#include "host/model/complete.h"

/* Does the file hold a machine model, and not values alone?  ERR_INPUT if it
 * cannot be read. */
int import_is_model(const char *path, bool *ret, struct err *e);

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
 * names the instruction set; ERR_INPUT if a source cannot be read, or names an
 * instruction set or a CPU that is not known. */
int model_source_isa(struct arena *a, const struct model_source *s,
		     const struct isa **ret, struct err *e);

/* Load the model and complete it (host/model/complete.h); owned by `a`, refers
 * to `c`. */
int model_load_completed(struct arena *a, const struct catalogue *c,
			 const struct model_source *s, struct completion **ret,
			 struct err *e);

/* Load the catalogue of the source's instruction set and the completed model.
 * Each comes from the user's cache directory (host/base/cache.h) if it is
 * there, else it is built and stored there.  `cached` false: without the cache.
 * Owned by `a`; call catalogue_free() even after an error, if *ret_catalogue is
 * set. */
int model_open(struct arena *a, const struct model_source *s, bool cached,
	       struct catalogue **ret_catalogue, struct completion **ret,
	       struct err *e);

/* The same with an open catalogue of the source's instruction set; ERR_INPUT if
 * it is of another one. */
int model_open_with(struct arena *a, const struct catalogue *c,
		    const struct model_source *s, bool cached,
		    struct completion **ret, struct err *e);

/* Load the model; owned by `a`, names of forms by `c`. */
int model_load(struct arena *a, const struct catalogue *c,
	       const struct model_source *s, struct model **ret, struct err *e);

#endif
