/* Models of a catalogue, written and read in any format. */
#ifndef UNIT_MODEL_WORLD_H
#define UNIT_MODEL_WORLD_H

#include "host/codec/codec.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

struct world {
	struct arena a;
	struct catalogue *c;
	struct model *m; /* LLVM's of a CPU */
};

/* `cpu` NULL: no model. */
static inline struct world open_world(const char *isa, const char *cpu)
{
	struct world w = { .a = { 0 } };
	struct err e = { 0 };

	w.c = load(&w.a, isa, NULL);
	if (cpu && import_llvm(&w.a, w.c, cpu, &w.m, &e) != ERR_OK)
		fail_msg("%s: %s", cpu, e.message);
	return w;
}

static inline void close_world(struct world *w)
{
	arena_free(&w->a);
}

static inline const struct model_form *known(const struct model *m,
					     const char *name)
{
	const struct model_form *f = model_find(m, name);

	if (!f)
		fail_msg("%s: in the model", name);
	return f;
}

/* The text of a model, of w->a. */
static inline char *written(struct world *w, const char *format,
			    const struct model *m)
{
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };
	char *text;

	assert_ok(exporter_find(format)->write_model(m, w->c, &b, &e), &e);
	buffer_add(&b, "", 1);
	text = arena_strdup(&w->a, (const char *)b.bytes);
	return text;
}

static inline const struct importer *importer(const char *format)
{
	for (size_t i = 0; importers[i]; i++)
		if (strcmp(importers[i]->name, format) == 0)
			return importers[i];
	fail_msg("no importer %s", format);
	return NULL;
}

static inline int read_as(struct world *w, const char *format, const char *path,
			  const char *text, struct model **ret, struct err *e)
{
	const struct import_text t = { .path = path,
				       .text = text,
				       .n = strlen(text) };

	*e = (struct err){ .code = ERR_OK };
	return importer(format)->read(&w->a, w->c, &t, ret, e);
}

/* The model of a text, which must be good. */
static inline struct model *read_text(struct world *w, const char *format,
				      const char *text)
{
	struct model *m = NULL;
	struct err e;

	assert_true(importer(format)->is(text, strlen(text)));
	assert_ok(read_as(w, format, "x", text, &m, &e), &e);
	return m;
}

/* A text is refused with this message, or with one that begins so. */
static inline void assert_refused(struct world *w, const char *format,
				  const char *path, const char *text,
				  const char *says, bool whole)
{
	struct model *m;
	struct err e;

	assert_int_equal(read_as(w, format, path, text, &m, &e), ERR_INPUT);
	if (strncmp(e.message, says, strlen(says) + whole) != 0)
		fail_msg("%s\nexpected %s", e.message, says);
}

#endif
