/* The parts of a machine model as a table: what is read from claims, what is
 * read from and written to its file (docs/exports.md), and its memory image.
 *
 * A record is one structure of model.h.  Its fields stand in the order in which
 * they are written.  A field without a value is not written, unless it is
 * `always`. */
#ifndef MODEL_FIELDS_H
#define MODEL_FIELDS_H

#include <stddef.h>

#include "host/base/image.h"
#include "host/model/model.h"

enum model_field_kind {
	FIELD_NAME,    /* const char *; NULL: none */
	FIELD_FORM,    /* const char *, the catalogue's name of a form */
	FIELD_ISA,     /* const char *, that of the catalogue */
	FIELD_FORMAT,  /* no member: anechoic_model_format */
	FIELD_BOOL,    /* bool */
	FIELD_NUMBER,  /* double; 0: unknown, unless required */
	FIELD_COUNT,   /* double, a whole number from 1 to 1000 */
	FIELD_SPAN,    /* struct model_span */
	FIELD_SIZE,    /* uint32_t; 0: unknown */
	FIELD_CLASS,   /* uint8_t below MODEL_MAX_CLASSES */
	FIELD_OPERAND, /* int8_t; MODEL_ANY is null, or no key */
	FIELD_PORTS,   /* model_ports, as names of ports of the model */
	FIELD_RULE,    /* enum model_lines_rule, as its word */
	FIELD_MARK,    /* struct model_mark, as its words */
	FIELD_CYCLES,  /* double[MODEL_MAX_LINE + 1], from [1] on */
	FIELD_RECORD,  /* a record inside this one */
	/* Lists, with their number in another member. */
	FIELD_LIST,    /* const struct *, records */
	FIELD_NAMES,   /* const char *const *, any of which may be NULL */
	FIELD_CLASSES, /* const uint8_t *, a class for each operand */
	FIELD_NUMBERS, /* double (*)[MODEL_MAX_CLASSES], a square */
	FIELD_BOOLS,   /* bool (*)[MODEL_MAX_CLASSES], a square */
	/* No field: the lists of effects are here; see model_field_at(). */
	FIELD_EFFECTS,
};

struct model_record;

struct model_field {
	size_t n_at;     /* lists: where their size_t number is in the record */
	size_t at;       /* where the value is */
	const char *key; /* NULL: it is in no file */
	enum model_field_kind kind;
	const struct model_record *of; /* of a record or list */
	/* The kind of the claims that give its value; NULL: claims*.c make it
	 * from several. */
	const char *claim;
	/* The largest number; of a list, the most items. 0: any. */
	uint32_t most;
	/* Messages: what a number above zero is, which items are too many, and
	 * which member of the record must come first. */
	const char *expected;
	/* A record without it is not one. */
	bool required;
	/* It is written even if it is empty or zero. */
	bool always;
	/* A record inside another one is written if such a member has a
	 * value. */
	bool tells;
	/* A list that may be known to be empty: where the bool is that says so;
	 * 0: it may not. */
	size_t has_at;
	/* It refers to others, and is read after them. */
	bool late;
	/* It begins a line of the file, or is the last on one; each item of a
	 * list is on its own. */
	bool line, ends_line, lines;
};

struct model_record {
	size_t n;
	const struct model_field *fields;
	const struct image_type *image; /* NULL: it is part of another one */
	bool plain;                     /* it has no pointers */
	bool has_effects;               /* one field is FIELD_EFFECTS */
	const void *blank;              /* before it is read; NULL: all zero */
	const char *expected;           /* message: what is required of it */
};

/* To make these tables: a record of a list of fields, a field of a member, and
 * one of a list whose number of items is in n_MEMBER. */
#define MODEL_RECORD(list, ...)                                   \
	{                                                         \
		.n = ARRAY_LEN(list), .fields = list, __VA_ARGS__ \
	}
#define MODEL_FIELD(record, member, ...)                           \
	{                                                          \
		.at = offsetof(struct record, member), __VA_ARGS__ \
	}
#define MODEL_LIST(record, member, ...)                            \
	{                                                          \
		.n_at = offsetof(struct record, n_##member),       \
		.at = offsetof(struct record, member), __VA_ARGS__ \
	}

/* The whole model, and one of its forms. */
extern const struct model_record model_record, model_form_record;

/* The i-th field of a record, in the order of files: those of its table, and at
 * FIELD_EFFECTS one for each list of an effect, which is made in *room.  NULL:
 * there is none. */
const struct model_field *model_field_at(const struct model_record *r, size_t i,
					 struct model_field *room);

/* Has the record a value for this field?  A required number is in its
 * bounds. */
bool model_field_has(const struct model_field *f, const void *record);

/* A list of the record, and its number of items. */
static inline const void *model_field_list(const struct model_field *f,
					   const void *record, size_t *ret_n)
{
	const char *bytes = record;

	*ret_n = *(const size_t *)(const void *)(bytes + f->n_at);
	return *(const void *const *)(const void *)(bytes + f->at);
}

#endif
