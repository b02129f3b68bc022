/* What is published about cores and is not in LLVM's tables: which family and
 * model numbers they have, names that people use, widths, buffers.  The files
 * models/facts/ are part of the program; models/facts/README.md has their grammar. */
#ifndef ISA_FACTS_H
#define ISA_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/arena.h"
#include "host/base/err.h"

struct core_fact {
	const char *key;    /* "identity", "width", ... */
	const char *value;  /* without its source */
	const char *source; /* the published text that says so */
};

struct known_core {
	const char *name; /* that people use: "Zen 3" */
	const char *isa;
	const char *llvm; /* LLVM's name */
	/* Other names of the core and of products with it, or "". */
	const char *names;
	size_t n;
	const struct core_fact *facts;
};

struct known_cores {
	size_t n;
	struct known_core *cores;
};

/* Parse n bytes of one file and append its cores.  ERR_INPUT with `path` and
 * line if the text does not keep to the grammar.  The strings are owned by `a`;
 * *ret starts zeroed and may hold the cores of other files. */
int facts_parse(struct arena *a, const char *path, const char *text, size_t n,
		struct known_cores *ret, struct err *e);

/* All files of the program. */
struct known_cores facts_read(struct arena *a);

/* The core of LLVM's name, or NULL. */
const struct known_core *facts_of_cpu(const struct known_cores *f,
				      const char *isa, const char *llvm);

/* The n-th fact of a key, or NULL. */
const struct core_fact *facts_get(const struct known_core *c, const char *key,
				  size_t n);

/* Words that say who made a core and which: CPUID's vendor, family, model and
 * stepping in decimal; implementer and part number of MIDR_EL1; mvendorid,
 * marchid, mimpid.  Missing ones are NULL. */
enum { IDENTITY_WORDS = 4 };
struct core_identity {
	const char *words[IDENTITY_WORDS];
};

/* Does one of the core's identity facts match?  Each field of a fact is a list
 * of numbers and ranges ("0-15,32-95") or a literal word; omitted fields match
 * anything. */
bool facts_identify(const struct known_core *c,
		    const struct core_identity *identity);

/* numbers_here*.c: the numbers that the maker of this machine's core gave it:
 * of the first processor that the kernel lists.  All words are NULL where the
 * system does not tell.  Owned by `a`. */
struct core_identity numbers_here(struct arena *a);

/* The files of models/facts; cmake/facts.cmake writes them.  Ends with a NULL
 * path. */
struct facts_text {
	const char *path; /* in models/facts */
	const char *text;
};
extern const struct facts_text facts_texts[];

#endif
