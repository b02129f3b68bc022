/* A catalogue, a form of it and its status, or the test fails. */
#ifndef UNIT_CATALOGUE_LOAD_H
#define UNIT_CATALOGUE_LOAD_H

#include "host/isa/isa.h"
#include "tests/unit/unit.h"

static inline struct catalogue *load(struct arena *a, const char *isa,
				     const char *cpu)
{
	struct catalogue *c = NULL;
	struct err e = { 0 };

	assert_ok(catalogue_load(a, isa_find(isa), cpu, &c, &e), &e);
	return c;
}

/* The same for a test that needs no arena: the programs of unit tests keep
 * catalogues (kept.c), and nothing is to be freed. */
static inline struct catalogue *catalogue_of_cpu(const char *isa,
						 const char *cpu)
{
	struct arena unused = { 0 };

	return load(&unused, isa, cpu);
}

static inline struct catalogue *catalogue_of(const char *isa)
{
	return catalogue_of_cpu(isa, NULL);
}

static inline const struct form *form(const struct catalogue *c,
				      const char *name)
{
	const struct form *f = catalogue_form(c, name);

	if (!f)
		fail_msg("%s: no such form", name);
	return f;
}

static inline void assert_status(const struct catalogue *c, const char *name,
				 enum form_status status)
{
	const struct form *f = form(c, name);

	if (f->status != status)
		fail_msg("%s: %s, expected %s", name,
			 form_status_word(f->status), form_status_word(status));
}

#endif
