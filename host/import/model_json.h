/* Shared by the files that read the native model file. */
#ifndef IMPORT_MODEL_JSON_H
#define IMPORT_MODEL_JSON_H

#include "host/base/file.h"
#include "host/base/json.h"
#include "host/isa/isa.h"
#include "host/model/model.h"

struct model_reader {
	struct json j;
	struct arena *a;
	const struct catalogue *c;
	struct model *m;
	struct json forms; /* reader at the list of forms; forms.at NULL: not
			    * seen */
	bool is_model;
	struct buffer list; /* items of the list that is being read */
	/* The form that is being read. */
	struct model_form *f;
	struct model_latency *l;
	struct model_use *u;
	struct buffer uses, latencies;
};

/* A key of an object and the function that reads its value. */
struct model_key {
	const char *name;
	void (*read)(struct model_reader *r);
};

/* Read an object: known keys only, each at most once, in any order. */
void model_read_object(struct model_reader *r, const struct model_key *keys,
		       size_t n);

struct model_span model_read_span(struct model_reader *r);

/* Read a whole number from `low` to `high`; returns `low` on error. */
int64_t model_read_whole(struct model_reader *r, int64_t low, int64_t high);

/* Read a string; returns "" on error. */
const char *model_read_name(struct model_reader *r);

/* Read the name of a form; returns the catalogue's string. */
const char *model_read_form_name(struct model_reader *r);

/* model_json_memory.c: store-to-load forwarding, and mixes of loads and
 * stores. */
void model_read_forwards(struct model_reader *r);
void model_read_mixes(struct model_reader *r);

/* model_json_form.c: read r->forms into r->m. */
void model_read_forms(struct model_reader *r);

#endif
