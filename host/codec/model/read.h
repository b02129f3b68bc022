/* Shared by the files that read the native model file. */
#ifndef CODEC_MODEL_READ_H
#define CODEC_MODEL_READ_H

#include <stddef.h>

#include "host/base/file.h"
#include "host/base/json.h"
#include "host/model/model.h"

struct model_reader {
	struct json j;
	struct arena *a;
	const struct catalogue *c;
	struct model *m;
	struct json forms; /* reader at the list of forms; forms.at NULL: not
			    * seen */
	bool is_model;
	struct buffer list;   /* items of the list that is being read */
	struct model_form *f; /* the form that is being read */
	struct model_use *u;
	struct buffer uses, latencies;
};

/* Types of members. */
enum model_value {
	MODEL_NAME,    /* const char * */
	MODEL_FORM,    /* const char *, the catalogue's name of a form */
	MODEL_BOOL,    /* bool */
	MODEL_NUMBER,  /* double */
	MODEL_COUNT,   /* double, a whole number from 1 to 1000 */
	MODEL_SPAN,    /* struct model_span */
	MODEL_SIZE,    /* uint32_t above zero */
	MODEL_CLASS,   /* uint8_t below MODEL_MAX_CLASSES */
	MODEL_OPERAND, /* int8_t, null is MODEL_ANY */
};

/* A key of an object: the function that reads its value, or the member that
 * takes it. */
struct model_key {
	const char *name;
	void (*read)(struct model_reader *r);
	enum model_value value;
	size_t at;
	uint32_t most; /* of a MODEL_SIZE; 0: UINT32_MAX */
};

#define MODEL_MEMBER(key, type, object, member)       \
	{                                             \
		.name = key, .value = type,           \
		.at = offsetof(struct object, member) \
	}

/* Read an object into `to`: known keys only, each at most once, in any order.
 * `to` stays in place while it is read. */
void model_read_object(struct model_reader *r, const struct model_key *keys,
		       size_t n, void *to);

/* Read a whole number from `low` to `high`; returns `low` on error. */
int64_t model_read_whole(struct model_reader *r, int64_t low, int64_t high);

/* Read a string; returns "" on error. */
const char *model_read_name(struct model_reader *r);

/* read_memory.c: effects of writers, store-to-load forwarding, and mixes of loads and
 * stores. */
void model_read_written(struct model_reader *r);
void model_read_forwards(struct model_reader *r);
void model_read_mixes(struct model_reader *r);

/* read_form.c: read r->forms into r->m. */
void model_read_forms(struct model_reader *r);

#endif
