/* Reads WINIC's YAML; see read.h.
 *
 * Documents are loaded into libyaml's tree and read by key. Files come from
 * elsewhere: the type of every node and the format of every number is checked.
 * Unknown keys are ignored. */
#include "host/codec/winic/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/yaml.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"

/* ---- operands ----------------------------------------------------------- */

static const char memory[] = "mem";

bool operand_listed(const struct operand *o)
{
	return !o->implicit && o->tied_to < 0 && o->kind != OPERAND_MEM &&
	       o->kind != OPERAND_OTHER;
}

/* A non-negative whole number without other text, or -1. */
static long place_number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text < '0' || *text > '9' || *end != '\0' || n > 1000 ? -1 : n;
}

static bool name_itself(const char *name, char out[PLACE_ROOM])
{
	int n = snprintf(out, PLACE_ROOM, "%s", name);

	return n > 0 && n < PLACE_ROOM;
}

bool operand_place(const struct form *f, const char *name,
		   char place[PLACE_ROOM])
{
	long index = place_number(name);
	int n = 0;

	if (index < 0)
		return name_itself(name, place);
	if (index >= f->n_explicit)
		return false;
	if (f->operands[index].kind == OPERAND_MEM) {
		(void)snprintf(place, PLACE_ROOM, "%s%ld", memory, index);
		return true;
	}
	if (f->operands[index].tied_to >= 0)
		index = f->operands[index].tied_to;
	for (long i = 0; i < index; i++)
		n += operand_listed(&f->operands[i]);
	(void)snprintf(place, PLACE_ROOM, "%d", n);
	return true;
}

/* The operand that is read among those that share a place. */
static int place_reader_of(const struct form *f, int listed)
{
	if (f->operands[listed].read)
		return listed;
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to == listed && f->operands[i].read)
			return i;
	return listed;
}

bool operand_from_place(const struct form *f, const char *place, bool source,
			char name[PLACE_ROOM])
{
	long wanted = place_number(place);
	bool part = strncmp(place, memory, strlen(memory)) == 0;
	long index = part ? place_number(place + strlen(memory)) : -1;

	if (index >= 0) {
		(void)snprintf(name, PLACE_ROOM, "%ld", index);
		return index < f->n_explicit &&
		       f->operands[index].kind == OPERAND_MEM;
	}
	if (wanted < 0)
		return name_itself(place, name);
	for (int i = 0; i < f->n_explicit; i++) {
		if (!operand_listed(&f->operands[i]) || wanted-- > 0)
			continue;
		(void)snprintf(name, PLACE_ROOM, "%d",
			       source ? place_reader_of(f, i) : i);
		return true;
	}
	return false;
}

/* ---- values ------------------------------------------------------------- */

struct winic_reader {
	struct yaml y;
	struct arena *a;
	const struct catalogue *c;
	struct buffer values; /* struct winic_value */
	struct skips *skips;  /* NULL: nothing is left out */
};

/* Read both bounds of `v`; both are numbers or neither is. */
static int read_bounds(struct winic_reader *r, const yaml_node_t *map,
		       const char *low, const char *high, struct winic_value *v)
{
	bool has_low = yaml_number(&r->y, yaml_below(&r->y, map, low), &v->low);
	bool has_high =
		yaml_number(&r->y, yaml_below(&r->y, map, high), &v->high);

	v->line = map->start_mark.line + 1;
	v->known = has_low && has_high;
	if (v->known && v->low > v->high)
		(void)yaml_bad(&r->y, map, "a minimum below the maximum");
	if (r->y.e->code == ERR_OK)
		buffer_add(&r->values, v, sizeof(*v));
	return r->y.e->code;
}

static const char *read_operand(struct winic_reader *r, const struct form *f,
				const yaml_node_t *map, const char *key,
				bool source)
{
	const char *text = yaml_text(yaml_below(&r->y, map, key));
	char name[PLACE_ROOM];

	if (!text || *text == '\0')
		(void)yaml_bad(&r->y, map, "sourceOperand and targetOperand");
	else if (f && !operand_from_place(f, text, source, name))
		(void)err_set(r->y.e, ERR_INPUT,
			      "%s:%zu: %s has no operand '%.80s'", r->y.path,
			      map->start_mark.line + 1, f->name, text);
	else
		return arena_strdup(r->a, f ? name : text);
	return "";
}

/* Reads an entry of a list of the form `name`. */
typedef int winic_entry(struct winic_reader *r, const char *name,
			const yaml_node_t *map);

/* Read each map of a list; a missing list and null are empty. */
static int read_list(struct winic_reader *r, const char *name,
		     const yaml_node_t *map, const char *key, winic_entry *read)
{
	const yaml_node_t *list = yaml_below(&r->y, map, key);
	struct err *e = r->y.e;

	if (list && list->type == YAML_MAPPING_NODE)
		return err_set(e, ERR_INPUT, "%s:%zu: expected %s as a list",
			       r->y.path, list->start_mark.line + 1, key);
	for (size_t i = 0; i < yaml_length(list); i++) {
		const yaml_node_t *entry = yaml_item(&r->y, list, i);

		if (!entry || entry->type != YAML_MAPPING_NODE)
			(void)err_set(e, ERR_INPUT,
				      "%s: %s: %s must be a list of maps",
				      r->y.path, name, key);
		else
			(void)read(r, name, entry);
		if (e->code != ERR_OK && !skip_entry(r->skips, e))
			break;
	}
	return e->code;
}

static int read_pair(struct winic_reader *r, const char *name,
		     const yaml_node_t *map)
{
	const struct form *f = r->c ? catalogue_form(r->c, name) : NULL;
	struct winic_value v = {
		.form = name,
		.kind = "latency",
		.source = read_operand(r, f, map, "sourceOperand", true),
		.destination = read_operand(r, f, map, "targetOperand", false),
	};

	return read_bounds(r, map, "latencyMin", "latencyMax", &v);
}

/* This program's export has the single flags of a register. */
static int read_latency(struct winic_reader *r, const char *name,
			const yaml_node_t *map)
{
	if (yaml_below(&r->y, map, "flags"))
		return read_list(r, name, map, "flags", read_pair);
	return read_pair(r, name, map);
}

static int read_values(struct winic_reader *r, const char *name,
		       const yaml_node_t *map)
{
	struct winic_value v = { .form = arena_strdup(r->a, name),
				 .kind = "throughput",
				 .source = "",
				 .destination = "" };

	if (read_list(r, v.form, map, "operandLatencies", read_latency) !=
	    ERR_OK)
		return r->y.e->code;
	return read_bounds(r, map, "throughputMin", "throughputMax", &v);
}

/* Variants of an opcode, of this program's export. */
static int read_variant(struct winic_reader *r, const char *opcode,
			const yaml_node_t *map)
{
	const char *name = yaml_text(yaml_below(&r->y, map, "form"));
	size_t n = strlen(opcode);

	if (!name || strncmp(name, opcode, n) != 0 || name[n] != '/')
		return yaml_bad(&r->y, map, "form: a variant of llvmName");
	return read_values(r, name, map);
}

static int read_instruction(struct winic_reader *r, const yaml_node_t *map)
{
	const char *name = yaml_text(yaml_below(&r->y, map, "llvmName"));

	if (!map || map->type != YAML_MAPPING_NODE)
		return yaml_bad(&r->y, map, "a map, one of each instruction");
	if (!name || *name == '\0')
		return yaml_bad(&r->y, map, "llvmName: a form's name");
	if (read_values(r, name, map) != ERR_OK)
		return r->y.e->code;
	return read_list(r, name, map, "variants", read_variant);
}

static int read_document(struct winic_reader *r, const yaml_node_t *root)
{
	if (root->type != YAML_SEQUENCE_NODE)
		return yaml_bad(&r->y, root, "a list of instructions");
	for (size_t i = 0; i < yaml_length(root); i++)
		if (read_instruction(r, yaml_item(&r->y, root, i)) != ERR_OK &&
		    !skip_entry(r->skips, r->y.e))
			break;
	return r->y.e->code;
}

int winic_read(struct arena *a, const struct catalogue *c,
	       const struct import_text *t, struct skips *skips,
	       struct winic_values *ret, struct err *e)
{
	struct winic_reader r = {
		.y = { .path = t->path, .e = e }, .a = a, .c = c, .skips = skips
	};
	const yaml_node_t *root;

	if (yaml_open(&r.y, t->text, t->n) != ERR_OK)
		return e->code;
	while (yaml_next(&r.y, &root) == ERR_OK && root &&
	       read_document(&r, root) == ERR_OK)
		;
	yaml_close(&r.y);
	if (e->code == ERR_OK)
		ret->list = buffer_take_list(a, &r.values, sizeof(*ret->list),
					     &ret->n);
	buffer_free(&r.values);
	return e->code;
}

/* ---- as a model --------------------------------------------------------- */

static int by_form(const void *a, const void *b)
{
	const struct winic_value *x = a, *y = b;
	int order = strcmp(x->form, y->form);

	return order ? order : ORDER(x->line, y->line);
}

static void add_value(const struct catalogue *c, const struct form *form,
		      const struct winic_value *v, struct model_form *f,
		      struct buffer *latencies)
{
	const struct model_span s = { v->known, v->low, v->high };
	int from[FORM_MAX_OPERANDS], to[FORM_MAX_OPERANDS];
	size_t n_from, n_to;

	if (strcmp(v->kind, "throughput") == 0) {
		/* WINIC writes 0 for unknown. */
		if (v->low > 0)
			f->throughput = s;
		return;
	}
	n_from = operand_find_all(c, form, v->source, true, from);
	n_to = operand_find_all(c, form, v->destination, false, to);
	for (size_t i = 0; i < n_from; i++)
		for (size_t k = 0; k < n_to; k++) {
			const struct model_latency l = {
				.source = (int8_t)from[i],
				.destination = (int8_t)to[k],
				.cycles = s,
			};

			buffer_add(latencies, &l, sizeof(l));
		}
}

/* Add all values of one form. */
static void add_form(struct arena *a, const struct catalogue *c,
		     const struct form *form, const struct winic_value *v,
		     size_t n, struct buffer *forms)
{
	struct model_form f = { .name = form->name };
	struct buffer latencies = { 0 };

	for (size_t i = 0; i < n; i++)
		if (v[i].known)
			add_value(c, form, &v[i], &f, &latencies);
	f.latencies = buffer_take_list(a, &latencies, sizeof(*f.latencies),
				       &f.n_latencies);
	f.evidence = arena_printf(a, "line %zu", v->line);
	buffer_add(forms, &f, sizeof(f));
}

/* Add all forms; returns how many values are of none. */
static size_t add_forms(struct arena *a, const struct catalogue *c,
			struct winic_value *v, size_t n, struct model *m)
{
	struct buffer forms = { 0 };
	size_t n_unknown = 0;

	order_sort(v, n, sizeof(*v), by_form);
	for (size_t i = 0, end; i < n; i = end) {
		const struct form *form = catalogue_form(c, v[i].form);

		for (end = i; end < n && strcmp(v[end].form, v[i].form) == 0;)
			end++;
		if (form)
			add_form(a, c, form, v + i, end - i, &forms);
		else
			n_unknown += end - i;
	}
	m->forms = buffer_take_list(a, &forms, sizeof(*m->forms), &m->n_forms);
	return n_unknown;
}

static int read_winic(struct arena *a, const struct catalogue *c,
		      const struct import_text *t, struct model **ret,
		      struct err *e)
{
	struct model *m = ARENA_NEW(a, struct model);
	struct winic_values v = { .n = 0 };
	struct skips skips = { .n = 0 };

	if (winic_read(a, c, t, &skips, &v, e) != ERR_OK)
		return e->code;
	m->n_named = v.n;
	m->n_unused = add_forms(a, c, v.list, v.n, m);
	if (m->n_forms == 0)
		return err_set(e, ERR_INPUT,
			       "%s has no instruction whose llvmName is a "
			       "form of %s",
			       t->path, c->isa->name);
	m->isa = c->isa->name;
	m->cpu = "";
	m->source = arena_printf(a, "WINIC: %s", t->path);
	import_note(a, m, "WINIC's file says nothing of ports.");
	if (m->n_unused > 0)
		import_note(a, m, "%zu values are of no form.", m->n_unused);
	import_count(a, m, v.n, &skips);
	if (model_check(m, c, e) == ERR_OK)
		*ret = m;
	return e->code;
}

static bool is_winic(const char *text, size_t n)
{
	(void)n;
	return strstr(text, "llvmName:") != NULL;
}

/* The format has no instruction set, CPU or ports. */
const struct importer importer_winic = {
	.name = "winic",
	.describe = "WINIC's YAML; say --isa, it does not",
	.values_only = true,
	.is = is_winic,
	.read = read_winic,
};
