/* Exporters: write a store's claims or a machine model in a file format. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "host/base/file.h"
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
