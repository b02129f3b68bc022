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
	struct json forms; /* where they stand; at NULL: nowhere */
	bool is_model;
	struct buffer list; /* of the core: what is being read */
	/* One form at a time. */
	struct model_form *f;
	struct model_latency *l;
	struct model_use *u;
	struct buffer uses, latencies;
};

/* A key of an object and what reads its value. */
struct model_key {
	const char *name;
	void (*read)(struct model_reader *r);
};

/* Keys in any order, each once and no others. */
void model_read_object(struct model_reader *r, const struct model_key *keys,
		       size_t n);

struct model_span model_read_span(struct model_reader *r);

/* A whole number from `low` to `high`; `low` when it is none. */
int64_t model_read_whole(struct model_reader *r, int64_t low, int64_t high);

/* "" when it is no string. */
const char *model_read_name(struct model_reader *r);

/* The catalogue's name of a form. */
const char *model_read_form_name(struct model_reader *r);

/* model_json_memory.c: who forwards to whom, and who stands beside whom. */
void model_read_forwards(struct model_reader *r);
void model_read_mixes(struct model_reader *r);

/* model_json_form.c: r->forms into r->m. */
void model_read_forms(struct model_reader *r);

#endif
