/* Models of other tools, read into the one struct of host/model. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "host/isa/isa.h"
#include "host/model/model.h"

/* A format of model files.  `text` has n bytes and a NUL behind them. */
struct importer {
	const char *name;
	const char *describe;
	/* Does the text look like this?  The first that says so counts. */
	bool (*is)(const char *text, size_t n);
	/* Name of the instruction set the file is about; left alone when it
	 * does not say. */
	int (*isa)(struct arena *a, const char *path, const char *text,
		   size_t n, const char **ret, struct err *e);
	/* Owned by `a`, names of forms by `c`.  ERR_INPUT names path and
	 * line. */
	int (*read)(struct arena *a, const struct catalogue *c,
		    const char *path, const char *text, size_t n,
		    struct model **ret, struct err *e);
};

/* Registry, generated; NULL-terminated. */
extern const struct importer *const importers[];

/* LLVM's scheduling model of a CPU, an LLVM name or "native".  Owned by `a`,
 * names point into `c`.  ERR_INPUT when LLVM has none. */
int import_llvm(struct arena *a, const struct catalogue *c, const char *cpu,
		struct model **ret, struct err *e);

/* Where a model comes from: one of db, file and cpu, the others NULL. */
struct model_source {
	const char *db;    /* a database of this program, of `board` or any */
	const char *board; /* NULL: the newest run's */
	const char *file;  /* of a format above */
	const char *cpu;   /* LLVM's tables */
	const char *isa;   /* as the user says, NULL: the source has to */
};

/* The instruction set of a source, to load its catalogue.  ERR_USAGE when
 * none or several of db, file and cpu are given, or nobody says. */
int model_source_isa(struct arena *a, const struct model_source *s,
		     const struct isa **ret, struct err *e);

/* The model; see importer.read. */
int model_load(struct arena *a, const struct catalogue *c,
	       const struct model_source *s, struct model **ret, struct err *e);

#endif
