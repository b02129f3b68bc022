/* Read WINIC's YAML; see read.h.
 *
 * Documents are loaded into libyaml's tree and read by key. Files come from
 * elsewhere: the type of every node and the format of every number is checked.
 * Unknown keys are ignored. */
#include "host/codec/winic/read.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/codec/winic/place.h"
#include "host/codec/yaml_check.h"
#include "host/isa/catalogue.h"
#include "host/model/model.h"

struct winic_reader {
	struct arena *a;
	const struct catalogue *c;
	const char *path;
	yaml_document_t document;
	struct buffer values; /* struct winic_value */
	struct skips *skips;  /* NULL: nothing is left out */
	struct err *e;
};

static int winic_bad(struct winic_reader *r, const yaml_node_t *node,
		     const char *expected)
{
	return err_set(r->e, ERR_INPUT, "%s:%zu: %s", r->path,
		       node->start_mark.line + 1, expected);
}

/* The value of a key in a map; NULL when the key is missing. */
static yaml_node_t *winic_below(struct winic_reader *r, const yaml_node_t *map,
				const char *key)
{
	const yaml_node_pair_t *p = map->data.mapping.pairs.start;

	for (; p < map->data.mapping.pairs.top; p++) {
		const yaml_node_t *k =
			yaml_document_get_node(&r->document, p->key);

		if (k && k->type == YAML_SCALAR_NODE &&
		    strcmp((const char *)k->data.scalar.value, key) == 0)
			return yaml_document_get_node(&r->document, p->value);
	}
	return NULL;
}

static const char *winic_scalar(const yaml_node_t *node)
{
	if (!node || node->type != YAML_SCALAR_NODE ||
	    strlen((const char *)node->data.scalar.value) !=
		    node->data.scalar.length)
		return NULL;
	return (const char *)node->data.scalar.value;
}

/* Read a number of cycles, or null. A missing key is null. */
static int read_number(struct winic_reader *r, const yaml_node_t *map,
		       const char *key, bool *known, double *ret)
{
	static const char *const nulls[] = { "null", "~", "", "Null", "NULL" };
	const yaml_node_t *node = winic_below(r, map, key);
	const char *text = winic_scalar(node);
	char *end;

	*known = false;
	if (!node)
		return ERR_OK;
	for (size_t i = 0; text && i < ARRAY_LEN(nulls); i++)
		if (strcmp(text, nulls[i]) == 0)
			return ERR_OK;
	if (!text || strspn(text, "0123456789.eE+-") != strlen(text))
		return winic_bad(r, node, "cycles, or null");
	*ret = strtod(text, &end);
	if (*end != '\0' || !(*ret >= 0 && *ret <= MODEL_MOST))
		return winic_bad(r, node, "cycles up to 1e9, or null");
	*known = true;
	return ERR_OK;
}

/* Read both bounds of `v`; both are numbers or neither is. */
static int read_bounds(struct winic_reader *r, const yaml_node_t *map,
		       const char *low_key, const char *high_key,
		       struct winic_value *v)
{
	bool low, high;

	if (read_number(r, map, low_key, &low, &v->low) != ERR_OK ||
	    read_number(r, map, high_key, &high, &v->high) != ERR_OK)
		return r->e->code;
	v->known = low && high;
	if (v->known && v->low > v->high)
		return winic_bad(r, map, "a minimum below the maximum");
	return ERR_OK;
}

static int winic_read_operand(struct winic_reader *r, const struct form *f,
			      const yaml_node_t *map, bool source,
			      const char **ret)
{
	const char *text = winic_scalar(winic_below(
		r, map, source ? "sourceOperand" : "targetOperand"));
	char name[PLACE_ROOM];

	if (!text || *text == '\0')
		return winic_bad(r, map, "sourceOperand and targetOperand");
	if (f && !operand_from_place(f, text, source, name))
		return err_set(r->e, ERR_INPUT,
			       "%s:%zu: %s has no operand '%.80s'", r->path,
			       map->start_mark.line + 1, f->name, text);
	*ret = arena_strdup(r->a, f ? name : text);
	return ERR_OK;
}

/* Reads an entry of a list of the form `name`. */
typedef int winic_entry(struct winic_reader *r, const char *name,
			const yaml_node_t *map);

/* Read each map of a list; a missing list and null are empty. */
static int winic_read_list(struct winic_reader *r, const char *name,
			   const yaml_node_t *map, const char *key,
			   winic_entry *read)
{
	const yaml_node_t *list = winic_below(r, map, key);

	if (!list || list->type == YAML_SCALAR_NODE)
		return ERR_OK;
	if (list->type != YAML_SEQUENCE_NODE)
		return err_set(r->e, ERR_INPUT, "%s:%zu: %s: a list", r->path,
			       list->start_mark.line + 1, key);
	for (yaml_node_item_t *i = list->data.sequence.items.start;
	     i < list->data.sequence.items.top; i++) {
		const yaml_node_t *entry =
			yaml_document_get_node(&r->document, *i);

		if (!entry || entry->type != YAML_MAPPING_NODE)
			(void)err_set(r->e, ERR_INPUT,
				      "%s: %s: %s must be a list of maps",
				      r->path, name, key);
		else
			(void)read(r, name, entry);
		if (r->e->code != ERR_OK && !skip_entry(r->skips, r->e))
			return r->e->code;
	}
	return ERR_OK;
}

static int winic_read_pair(struct winic_reader *r, const char *name,
			   const yaml_node_t *map)
{
	const struct form *f = r->c ? catalogue_form(r->c, name) : NULL;
	struct winic_value v = { .form = name, .kind = "latency" };

	v.line = map->start_mark.line + 1;
	if (winic_read_operand(r, f, map, true, &v.source) != ERR_OK ||
	    winic_read_operand(r, f, map, false, &v.destination) != ERR_OK ||
	    read_bounds(r, map, "latencyMin", "latencyMax", &v) != ERR_OK)
		return r->e->code;
	buffer_add(&r->values, &v, sizeof(v));
	return ERR_OK;
}

/* This program's export has the single flags of a register. */
static int winic_read_latency(struct winic_reader *r, const char *name,
			      const yaml_node_t *map)
{
	if (winic_below(r, map, "flags"))
		return winic_read_list(r, name, map, "flags", winic_read_pair);
	return winic_read_pair(r, name, map);
}

static int winic_read_values(struct winic_reader *r, const char *name,
			     const yaml_node_t *map)
{
	struct winic_value v = { .form = arena_strdup(r->a, name),
				 .kind = "throughput",
				 .source = "",
				 .destination = "" };

	v.line = map->start_mark.line + 1;
	if (winic_read_list(r, v.form, map, "operandLatencies",
			    winic_read_latency) != ERR_OK ||
	    read_bounds(r, map, "throughputMin", "throughputMax", &v) != ERR_OK)
		return r->e->code;
	buffer_add(&r->values, &v, sizeof(v));
	return ERR_OK;
}

/* Variants of an opcode, of this program's export. */
static int winic_read_variant(struct winic_reader *r, const char *opcode,
			      const yaml_node_t *map)
{
	const char *name = winic_scalar(winic_below(r, map, "form"));
	size_t n = strlen(opcode);

	if (!name || strncmp(name, opcode, n) != 0 || name[n] != '/')
		return winic_bad(r, map, "form: a variant of llvmName");
	return winic_read_values(r, name, map);
}

static int read_instruction(struct winic_reader *r, const yaml_node_t *map)
{
	const char *name;

	if (map->type != YAML_MAPPING_NODE)
		return winic_bad(r, map, "a map, one of each instruction");
	name = winic_scalar(winic_below(r, map, "llvmName"));
	if (!name || *name == '\0')
		return winic_bad(r, map, "llvmName: a form's name");
	if (winic_read_values(r, name, map) != ERR_OK)
		return r->e->code;
	return winic_read_list(r, name, map, "variants", winic_read_variant);
}

static int read_document(struct winic_reader *r, const yaml_node_t *root)
{
	if (root->type != YAML_SEQUENCE_NODE)
		return winic_bad(r, root, "a list of instructions");
	for (yaml_node_item_t *i = root->data.sequence.items.start;
	     i < root->data.sequence.items.top; i++) {
		const yaml_node_t *map =
			yaml_document_get_node(&r->document, *i);

		if (!map || (read_instruction(r, map) != ERR_OK &&
			     !skip_entry(r->skips, r->e)))
			return r->e->code;
	}
	return ERR_OK;
}

static void release_document(void *object)
{
	yaml_document_delete(object);
}

static void release_parser(void *object)
{
	yaml_parser_delete(object);
}

static int read_documents(struct winic_reader *r, yaml_parser_t *p)
{
	for (;;) {
		const yaml_node_t *root;
		struct hold h;

		if (!yaml_parser_load(p, &r->document)) {
			if (yaml_is_shortage(p))
				guard_shortage();
			return err_set(r->e, ERR_INPUT, "%s:%zu: YAML (%s)",
				       r->path, p->problem_mark.line + 1,
				       p->problem);
		}
		guard_hold(&h, release_document, &r->document);
		root = yaml_document_get_root_node(&r->document);
		if (root)
			(void)read_document(r, root);
		guard_drop(&h);
		yaml_document_delete(&r->document);
		if (!root || r->e->code != ERR_OK)
			return r->e->code;
	}
}

int winic_read(struct arena *a, const struct catalogue *c, const char *path,
	       const unsigned char *text, size_t n,
	       struct winic_value **ret_values, size_t *ret_n,
	       struct skips *skips, struct err *e)
{
	struct winic_reader r = {
		.a = a, .c = c, .path = path, .skips = skips, .e = e
	};
	yaml_parser_t p;
	struct hold h;

	if (yaml_check(path, (const char *)text, n, e) != ERR_OK)
		return e->code;
	if (!yaml_parser_initialize(&p))
		guard_shortage();
	guard_hold(&h, release_parser, &p);
	yaml_parser_set_input_string(&p, text, n);
	if (read_documents(&r, &p) == ERR_OK) {
		*ret_values = arena_copy(a, r.values.bytes, r.values.n);
		*ret_n = r.values.n / sizeof(**ret_values);
	}
	guard_drop(&h);
	yaml_parser_delete(&p);
	buffer_free(&r.values);
	return e->code;
}
