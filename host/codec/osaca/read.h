/* Shared by the files that read OSACA's machine models. */
#ifndef CODEC_OSACA_READ_H
#define CODEC_OSACA_READ_H

#include <string.h>

#include "host/base/file.h"
#include "host/base/skip.h"
#include "host/codec/signature.h"
#include "host/codec/yaml.h"
#include "host/model/model.h"

static inline bool osaca_is_any(const char *word)
{
	return word && strcmp(word, "*") == 0;
}

/* Pattern for an operand; "*" matches anything. */
struct osaca_operand {
	enum signature_class class;
	const char *word;      /* register file; NULL: none */
	const char *shape;     /* NULL: none */
	const char *predicate; /* NULL: none */
	const char *index;     /* of memory, NULL: none */
	bool any_before, any_after, before, after;
	bool mask, zero;
};

struct osaca_cost {
	bool has_ports;
	size_t n_uses;
	const struct model_use *uses;
};

struct osaca_entry {
	const char *name;      /* lower case */
	const char *llvm_name; /* names of forms, blanks between; NULL: none */
	size_t n_operands;
	struct osaca_operand operands[SIGNATURE_OPERANDS];
	struct model_span latency, throughput, slots;
	struct osaca_cost cost;
	struct model_mark mark; /* of its ports */
	size_t line;
	size_t order; /* OSACA's order of search: lists of names come last */
	bool of_list; /* its name is in a list of names */
	bool used;    /* some form takes it */
};

/* A form that an entry names. */
struct osaca_named {
	const char *name;
	const struct osaca_entry *entry;
};

/* Ports of loads or stores of a register file; "*" if the file names none. */
struct osaca_access {
	const char *word;
	struct osaca_cost cost;
	struct model_span latency; /* for loads only */
};

enum { OSACA_MAX_ACCESS = 64 };

struct osaca_reader {
	struct yaml y;
	struct arena *a;
	const struct catalogue *c;
	struct model *m;
	struct model_span index_latency; /* latency to a base register that is
					  * written back */
	size_t n_entries;
	struct osaca_entry *entries; /* sorted by name, then order */
	size_t n_named;              /* names of forms, sorted */
	const struct osaca_named *named;
	size_t n_loads, n_stores;
	struct osaca_access loads[OSACA_MAX_ACCESS];
	struct osaca_access stores[OSACA_MAX_ACCESS];
	struct skips skips;
	size_t n_read; /* entries of the file, and rows of its lists */
	/* Counts for the notes. */
	size_t n_unmatched, n_zero, n_low;
};

/* read_ports.c: read the list of ports into the model. */
int osaca_ports(struct osaca_reader *r, const yaml_node_t *list);

/* read_ports.c: read [[cycles, ports], ...]; *ret is unchanged for null. */
void osaca_pressure(struct osaca_reader *r, const yaml_node_t *list,
		    struct osaca_cost *ret);

/* read_match.c: set the forms of r->m from the entries. */
void osaca_forms(struct osaca_reader *r);

#endif
