/* Reads OSACA's machine models: osaca/data/<code>.yml, and this program's
 * export.
 *
 * The rules are OSACA's: each letter of a string of ports is a port; an entry
 * may have several names; the first matching entry counts; "*" matches
 * anything; ~ is unknown. */
#include "host/codec/osaca/read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/base/order.h"
#include "host/codec/codec.h"

/* ---- values ------------------------------------------------------------- */

static struct model_span span_of(struct osaca_reader *r, const yaml_node_t *map,
				 const char *key)
{
	double value = 0;
	struct model_span s = {
		.has_value =
			yaml_number(&r->y, yaml_below(&r->y, map, key), &value),
	};

	s.low = s.high = value;
	return s;
}

/* A list of two numbers; no key: no value. */
static struct model_span bounds_of(struct osaca_reader *r,
				   const yaml_node_t *map, const char *key)
{
	const yaml_node_t *list = yaml_below(&r->y, map, key);
	struct model_span s = { .has_value = false };

	if (!list)
		return s;
	if (yaml_length(list) != 2 ||
	    !yaml_number(&r->y, yaml_item(&r->y, list, 0), &s.low) ||
	    !yaml_number(&r->y, yaml_item(&r->y, list, 1), &s.high) ||
	    s.low > s.high)
		(void)yaml_bad(&r->y, list, "two numbers in order");
	else
		s.has_value = true;
	return s;
}

static uint32_t size_of(struct osaca_reader *r, const yaml_node_t *map,
			const char *key)
{
	struct model_span s = span_of(r, map, key);

	return s.has_value && s.low < UINT32_MAX ? (uint32_t)s.low : 0;
}

static bool flag_of(struct osaca_reader *r, const yaml_node_t *map,
		    const char *key)
{
	const char *text = yaml_text(yaml_below(&r->y, map, key));

	return text && strcasecmp(text, "true") == 0;
}

/* The text of a scalar; NULL for null. */
static const char *word_of(struct osaca_reader *r, const yaml_node_t *map,
			   const char *key)
{
	const yaml_node_t *node = yaml_below(&r->y, map, key);
	const char *text = yaml_text(node);

	return text && !yaml_is_null(node) ? arena_strdup(r->a, text) : NULL;
}

/* ---- loads and stores --------------------------------------------------- */

static void read_access(struct osaca_reader *r, const yaml_node_t *root,
			const char *what, const char *key,
			struct osaca_access *list, size_t *n)
{
	const yaml_node_t *rows = yaml_below(
		&r->y, root, arena_printf(r->a, "%s_throughput", what));
	const yaml_node_t *rest = yaml_below(
		&r->y, root, arena_printf(r->a, "%s_throughput_default", what));

	for (size_t i = 0; i < yaml_length(rows) && *n + 1 < OSACA_MAX_ACCESS;
	     i++) {
		const yaml_node_t *map = yaml_item(&r->y, rows, i);
		const char *word = word_of(r, map, key);

		/* Skip rows for addresses with an index: examples have none. */
		if (word_of(r, map, "index") &&
		    !osaca_is_any(word_of(r, map, "index")))
			continue;
		if (flag_of(r, map, "pre_indexed") ||
		    flag_of(r, map, "post_indexed"))
			continue;
		list[*n].word = word ? word : "*";
		r->n_read++;
		osaca_pressure(r, yaml_below(&r->y, map, "port_pressure"),
			       &list[*n].cost);
		*n += !skip_entry(&r->skips, r->y.e);
	}
	if (rest) {
		list[*n].word = "*";
		osaca_pressure(r, rest, &list[(*n)++].cost);
	}
}

/* The first row for a register file counts.  Its latency is in another list. */
static void read_accesses(struct osaca_reader *r, const yaml_node_t *root)
{
	const yaml_node_t *cycles = yaml_below(&r->y, root, "load_latency");
	struct osaca_access rows[OSACA_MAX_ACCESS] = { { .word = NULL } };
	size_t n = 0;

	read_access(r, root, "load", "dst", rows, &n);
	read_access(r, root, "store", "src", r->stores, &r->n_stores);
	if (!cycles || cycles->type != YAML_MAPPING_NODE)
		return;
	for (const yaml_node_pair_t *p = cycles->data.mapping.pairs.start;
	     p < cycles->data.mapping.pairs.top &&
	     r->n_loads < OSACA_MAX_ACCESS;
	     p++) {
		const char *word = yaml_text(
			yaml_document_get_node(&r->y.document, p->key));
		struct osaca_access *load = &r->loads[r->n_loads];

		if (!word)
			continue;
		for (size_t i = 0; i < n; i++)
			if (strcmp(rows[i].word, word) == 0 ||
			    osaca_is_any(rows[i].word)) {
				load->cost = rows[i].cost;
				break;
			}
		load->word = arena_strdup(r->a, word);
		load->latency = span_of(r, cycles, load->word);
		r->n_loads++;
	}
}

/* ---- entries ------------------------------------------------------------ */

static void read_memory(struct osaca_reader *r, const yaml_node_t *map,
			struct osaca_operand *o)
{
	const char *before = word_of(r, map, "pre_indexed");
	const char *after = word_of(r, map, "post_indexed");

	o->index = word_of(r, map, "index");
	o->any_before = osaca_is_any(before);
	o->any_after = osaca_is_any(after);
	o->before = flag_of(r, map, "pre_indexed");
	o->after = flag_of(r, map, "post_indexed");
}

static void read_operand(struct osaca_reader *r, const yaml_node_t *map,
			 struct osaca_operand *o)
{
	static const struct {
		const char *word;
		enum signature_class class;
	} classes[] = {
		{ "register", SIGNATURE_REGISTER },
		{ "immediate", SIGNATURE_IMMEDIATE },
		{ "memory", SIGNATURE_MEMORY },
		{ "identifier", SIGNATURE_LABEL },
	};
	const char *class = word_of(r, map, "class");

	*o = (struct osaca_operand){ .class = SIGNATURE_OTHER };
	if (!class) {
		(void)yaml_bad(&r->y, map, "a class for each operand");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (strcmp(class, classes[i].word) == 0)
			o->class = classes[i].class;
	o->word = word_of(r, map, "name");
	if (!o->word)
		o->word = word_of(r, map, "prefix");
	o->shape = word_of(r, map, "shape");
	o->predicate = word_of(r, map, "predication");
	o->mask = flag_of(r, map, "mask");
	o->zero = flag_of(r, map, "zeroing");
	if (o->class == SIGNATURE_MEMORY)
		read_memory(r, map, o);
}

static void add_name(struct osaca_reader *r, const yaml_node_t *node,
		     struct osaca_entry *e, struct buffer *entries)
{
	/* OSACA takes lists of names apart and appends them to the others. */
	static const size_t behind = SIZE_MAX / 2;
	const char *name = yaml_text(node);
	char *small;

	if (!name || *name == '\0') {
		(void)yaml_bad(&r->y, node, "a name or a list of names");
		return;
	}
	small = arena_strdup(r->a, name);
	for (char *c = small; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	e->name = small;
	e->order = entries->n / sizeof(*e) + (e->of_list ? behind : 0);
	buffer_add(entries, e, sizeof(*e));
}

/* How certain the ports of an entry are.  Only this program's files say it. */
static struct model_mark mark_of(struct osaca_reader *r, const yaml_node_t *map)
{
	struct model_mark mark = { .kind = MARK_PUBLISHED };
	const char *text = word_of(r, map, "ports_mark");

	if (text && !mark_parse(text, &mark))
		(void)yaml_bad(&r->y, map,
			       "measured, published or open as ports_mark");
	return mark;
}

static void read_entry(struct osaca_reader *r, const yaml_node_t *map,
		       struct buffer *entries)
{
	const yaml_node_t *name = yaml_below(&r->y, map, "name");
	const yaml_node_t *operands = yaml_below(&r->y, map, "operands");
	const char *unknown = word_of(r, map, "ports_unknown");
	struct osaca_entry e = { .line = map->start_mark.line + 1 };

	if (!name) {
		(void)yaml_bad(&r->y, map,
			       "a name for each entry of instruction_forms");
		return;
	}
	/* No example has that many operands. */
	if (yaml_length(operands) > SIGNATURE_OPERANDS)
		return;
	for (; e.n_operands < yaml_length(operands); e.n_operands++)
		read_operand(r, yaml_item(&r->y, operands, e.n_operands),
			     &e.operands[e.n_operands]);
	e.llvm_name = word_of(r, map, "llvm_name");
	e.latency = bounds_of(r, map, "latency_bounds");
	if (!e.latency.has_value)
		e.latency = span_of(r, map, "latency");
	e.throughput = span_of(r, map, "throughput");
	e.slots = span_of(r, map, "uops");
	osaca_pressure(r, yaml_below(&r->y, map, "port_pressure"), &e.cost);
	/* An entry without ports and throughput is incomplete, unless
	 * ports_unknown says that it is known to have none. */
	if (e.cost.n_uses == 0 && (unknown ? strcasecmp(unknown, "true") == 0
					   : !e.throughput.has_value))
		e.cost.has_ports = false;
	e.mark = mark_of(r, map);
	if (yaml_length(name) == 0)
		add_name(r, name, &e, entries);
	e.of_list = yaml_length(name) > 0;
	for (size_t i = 0; i < yaml_length(name); i++)
		add_name(r, yaml_item(&r->y, name, i), &e, entries);
}

static int osaca_by_name(const void *a, const void *b)
{
	const struct osaca_entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : ORDER(x->order, y->order);
}

static int by_llvm_name(const void *a, const void *b)
{
	const struct osaca_named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : ORDER(x->entry->order, y->entry->order);
}

static void find_named(struct osaca_reader *r)
{
	struct buffer named = { 0 };
	struct osaca_named *list;

	for (size_t i = 0; i < r->n_entries; i++) {
		struct osaca_named x = { .entry = &r->entries[i] };
		const char *at = r->entries[i].llvm_name;

		while (at && *at != '\0') {
			size_t n = strcspn(at, " ");

			x.name = arena_printf(r->a, "%.*s", (int)n, at);
			buffer_add(&named, &x, sizeof(x));
			at += n + strspn(at + n, " ");
		}
	}
	r->named = list =
		buffer_take_list(r->a, &named, sizeof(*list), &r->n_named);
	order_sort(list, r->n_named, sizeof(*list), by_llvm_name);
}

static int read_entries(struct osaca_reader *r, const yaml_node_t *list)
{
	struct buffer entries = { 0 };

	for (size_t i = 0; i < yaml_length(list) && r->y.e->code == ERR_OK;
	     i++) {
		size_t before = entries.n;

		r->n_read++;
		read_entry(r, yaml_item(&r->y, list, i), &entries);
		if (skip_entry(&r->skips, r->y.e))
			entries.n = before;
	}
	r->entries = buffer_take_list(r->a, &entries, sizeof(*r->entries),
				      &r->n_entries);
	order_sort(r->entries, r->n_entries, sizeof(*r->entries),
		   osaca_by_name);
	find_named(r);
	return r->y.e->code;
}

/* ---- the whole ---------------------------------------------------------- */

static void add_notes(struct osaca_reader *r)
{
	struct model *m = r->m;

	import_note(r->a, m, "OSACA has one latency for all operands.");
	if (r->n_unmatched > 0)
		import_note(r->a, m,
			    "The file has no entry for %zu forms of %s.",
			    r->n_unmatched, r->c->isa->name);
	if (r->n_zero > 0)
		import_note(r->a, m,
			    "Throughputs of 0 are left out: %zu forms have "
			    "ports.",
			    r->n_zero);
	if (r->n_low > 0)
		import_note(r->a, m,
			    "%zu forms contradict themselves: their "
			    "throughput is below what their ports allow.",
			    r->n_low);
}

static int read_root(struct osaca_reader *r, const yaml_node_t *root)
{
	const char *isa = word_of(r, root, "isa");
	const char *cpu = word_of(r, root, "micro_architecture");
	struct model *m = r->m;

	if (!isa || strcasecmp(isa, r->c->isa->osaca_name) != 0)
		return err_set(r->y.e, ERR_INPUT,
			       "%s: expected isa %s, not '%.80s'", r->y.path,
			       r->c->isa->osaca_name, isa ? isa : "");
	m->isa = r->c->isa->name;
	if (!cpu)
		cpu = word_of(r, root, "arch_code");
	m->cpu = cpu ? cpu : "";
	m->source = arena_printf(r->a, "OSACA: %s", r->y.path);
	m->width = span_of(r, root, "dispatched_uops_per_cycle");
	if (m->width.has_value && !(m->width.low > 0))
		m->width = (struct model_span){ 0 };
	m->reorder_buffer = size_of(r, root, "ROB_size");
	m->scheduler = size_of(r, root, "scheduler_size");
	r->index_latency = span_of(r, root, "p_index_latency");
	if (osaca_ports(r, yaml_below(&r->y, root, "ports")) != ERR_OK)
		return r->y.e->code;
	read_accesses(r, root);
	if (r->y.e->code != ERR_OK)
		return r->y.e->code;
	return read_entries(r, yaml_below(&r->y, root, "instruction_forms"));
}

static int read_osaca(struct arena *a, const struct catalogue *c,
		      const struct import_text *t, struct model **ret,
		      struct err *e)
{
	struct osaca_reader *r = ARENA_NEW(a, struct osaca_reader);
	const yaml_node_t *root;

	*r = (struct osaca_reader){
		.y = { .path = t->path, .e = e },
		.a = a,
		.c = c,
		.m = ARENA_NEW(a, struct model),
	};
	if (yaml_open(&r->y, t->text, t->n) != ERR_OK)
		return e->code;
	if (yaml_next(&r->y, &root) == ERR_OK && !root)
		(void)err_set(e, ERR_INPUT, "%s: the file has no YAML document",
			      t->path);
	if (e->code == ERR_OK && read_root(r, root) == ERR_OK)
		osaca_forms(r);
	yaml_close(&r->y);
	if (e->code != ERR_OK)
		return e->code;
	add_notes(r);
	import_count(a, r->m, r->n_read, &r->skips);
	if (model_check(r->m, c, e) == ERR_OK)
		*ret = r->m;
	return e->code;
}

/* The line that starts with `key`; NULL if there is none. */
static const char *find_line(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, n) == 0)
			return at + n;
	}
	return NULL;
}

static bool is_osaca(const char *text, size_t n)
{
	(void)n;
	return find_line(text, "instruction_forms:") != NULL;
}

static int osaca_find_isa(struct arena *a, const struct import_text *t,
			  const char **ret, struct err *e)
{
	const char *at = find_line(t->text, "isa:");

	(void)a;
	(void)e;
	at = at ? at + strspn(at, " \t'\"") : "";
	for (size_t i = 0; isas[i]; i++) {
		size_t length = strlen(isas[i]->osaca_name);

		if (strncasecmp(at, isas[i]->osaca_name, length) == 0 &&
		    !isalnum((unsigned char)at[length]))
			*ret = isas[i]->name;
	}
	return ERR_OK;
}

const struct importer importer_osaca = {
	.name = "osaca",
	.describe = "OSACA's machine models, YAML",
	.is = is_osaca,
	.isa = osaca_find_isa,
	.read = read_osaca,
};
