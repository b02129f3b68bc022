/* Writes OSACA's machine model, for ~/.osaca/data/<code>.yml or to pass by
 * path, with ports or with sets of ports (core.c).
 *
 * OSACA identifies instructions by mnemonic and operand types and has one
 * latency and port sets for each; docs/exports.md says what becomes of the
 * rest.  Lists that are equal are written once. */
#include <math.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/codec/osaca/write.h"

/* Texts that are written once, as anchors. */
struct pool {
	const char *letter;
	struct buffer texts; /* const char * */
};

static const char **pool_texts(const struct pool *p, size_t *ret_n)
{
	*ret_n = p->texts.n / sizeof(const char *);
	return (void *)p->texts.bytes;
}

/* Append a reference to the text, which is freed. */
static void add_reference(struct arena *a, struct buffer *body, const char *key,
			  struct pool *p, struct buffer *text)
{
	size_t n, i = 0;
	const char **texts = pool_texts(p, &n);

	while (i < n && strcmp(texts[i], buffer_text(text)) != 0)
		i++;
	if (i == n) {
		const char *copy = arena_strdup(a, buffer_text(text));

		buffer_add(&p->texts, &copy, sizeof(copy));
	}
	buffer_printf(body, ", %s: *%s%zu", key, p->letter, i);
	buffer_free(text);
}

static void add_values(struct buffer *b, const struct osaca_form *x)
{
	struct model_span s;
	double value = 0;
	bool known = osaca_latency(x->form, x->f, &s);

	buffer_printf(b, ", latency: ");
	osaca_add_number(b, known, known ? osaca_number(&s) : 0);
	if (known && span_is_wide(&s)) {
		static const double unit = 100; /* rounded outwards */

		buffer_printf(b, ", latency_bounds: [");
		osaca_add_number(b, true, floor(s.low * unit) / unit);
		buffer_printf(b, ", ");
		osaca_add_number(b, true, ceil(s.high * unit) / unit);
		buffer_printf(b, "]");
	}
	known = osaca_throughput(x->f, &value);
	buffer_printf(b, ", throughput: ");
	osaca_add_number(b, known, value);
}

/* Set the text of an entry behind its name. */
static void set_body(const struct osaca_core *core, struct osaca_item *e,
		     struct pool *operands, struct pool *pressures)
{
	const struct osaca_form *x = e->x;
	struct buffer b = { 0 }, text = { 0 };
	const char *mark;
	char room[MARK_ROOM];

	buffer_printf(&text, "[");
	for (size_t i = 0; i < x->s.n; i++) {
		buffer_printf(&text, i > 0 ? ", " : "");
		osaca_operand(&text, core->c, x->form, &x->s.operands[i],
			      e->index);
		buffer_printf(&text, "}");
	}
	buffer_printf(&text, "]");
	add_reference(core->a, &b, "operands", operands, &text);
	add_values(&b, x);
	osaca_add_pressure(core, x->f, e->index, &text);
	add_reference(core->a, &b, "port_pressure", pressures, &text);
	/* OSACA requires a list here.  The keys ports_unknown and ports_mark
	 * are extensions of this program. */
	if (x->f->n_uses == 0)
		buffer_printf(&b, ", ports_unknown: %s",
			      x->f->has_ports ? "false" : "true");
	mark = mark_text(e->mark, room);
	if (*mark != '\0')
		buffer_printf(&b, ", ports_mark: '%s'", mark);
	if (x->f->slots.has_value && !span_is_wide(&x->f->slots)) {
		buffer_printf(&b, ", uops: ");
		osaca_add_number(&b, true, osaca_number(&x->f->slots));
	}
	e->body = buffer_take(core->a, &b);
}

static int by_body(const void *a, const void *b)
{
	const struct osaca_item *x = a, *y = b;
	int order = strcmp(x->body, y->body);

	return order ? order : ORDER(x->order, y->order);
}

/* The format has no key for what the operands held. */
static void add_held(struct buffer *b, const struct osaca_item *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!e[i].x->f->values)
			continue;
		buffer_printf(b, "  # operands held: ");
		export_comment(b, e[i].x->f->values);
		return;
	}
}

/* An index of any kind also matches none, so the entry must not come before one
 * without.  (On x86-64 both cost the same, or have entries of their own.) */
static bool is_loose(const struct osaca_item *e)
{
	for (size_t i = 0; i < e->x->s.n; i++)
		if (e->x->s.operands[i].class == SIGNATURE_MEMORY &&
		    e->x->s.operands[i].index && e->index == INDEX_ANY)
			return true;
	return false;
}

/* Entries e[0..n) have the same body. */
static void add_item(struct buffer *b, const struct osaca_item *e, size_t n,
		     bool list)
{
	bool first = true;

	buffer_printf(b, list ? "- {name: [" : "- {name: ");
	for (size_t i = 0; i < n; i++) {
		buffer_printf(b, i > 0 ? ", " : "");
		export_quoted(b, e[i].name);
	}
	buffer_printf(b, list ? "]%s" : "%s", e->body);
	for (size_t i = 0; i < n; i++) {
		if (e[i].covers.n == 0)
			continue;
		buffer_printf(b, first ? ", llvm_name: '" : " ");
		buffer_add(b, e[i].covers.bytes, e[i].covers.n);
		first = false;
	}
	buffer_printf(b, first ? "}" : "'}");
	add_held(b, e, n);
	buffer_printf(b, "\n");
}

enum place { PLACE_LISTS, PLACE_SINGLES, PLACE_LAST };

/* OSACA takes lists of names apart one by one, each time from the start of all
 * forms, so they come first.  It appends their parts to the other entries: what
 * must come last is a list, too. */
static void add_items(struct osaca_entries *w, struct buffer *b)
{
	const struct osaca_item *list = w->items;

	order_sort(w->items, w->n, sizeof(*w->items), by_body);
	for (enum place place = PLACE_LISTS; place <= PLACE_LAST; place++)
		for (size_t i = 0, end; i < w->n; i = end) {
			enum place own;

			for (end = i; end < w->n && strcmp(list[end].body,
							   list[i].body) == 0;)
				end++;
			own = is_loose(&list[i]) ? PLACE_LAST
			      : end - i > 1      ? PLACE_LISTS
						 : PLACE_SINGLES;
			if (own == place)
				add_item(b, &list[i], end - i,
					 place != PLACE_SINGLES);
		}
}

static void add_pool(struct buffer *b, const char *key, const struct pool *p)
{
	size_t n;
	const char **texts = pool_texts(p, &n);

	buffer_printf(b, "%s:%s\n", key, n > 0 ? "" : " []");
	for (size_t i = 0; i < n; i++)
		buffer_printf(b, "- &%s%zu %s\n", p->letter, i, texts[i]);
}

static int write_model(const struct model *m, const struct catalogue *c,
		       bool sets, struct buffer *ret, struct err *e)
{
	struct arena a = { 0 };
	struct osaca_list forms;
	struct osaca_core core = { .a = &a, .m = m, .c = c };
	struct osaca_entries entries = { .core = &core, .forms = &forms };
	struct pool operands = { .letter = "o" }, pressures = { .letter = "p" };

	if (m->n_ports == 0)
		return err_set(e, ERR_FAILED,
			       "the model has no ports, so the file would have "
			       "none: measure ports (anechoic measure --what "
			       "ports), or name published tables (--tables)");
	if (osaca_core_begin(&core, sets, e) == ERR_OK &&
	    osaca_collect(&a, m, c, &forms, e) == ERR_OK) {
		osaca_find_entries(&entries);
		for (size_t i = 0; i < entries.n; i++)
			set_body(&core, &entries.items[i], &operands,
				 &pressures);
		export_tool_comment(ret, "#", m);
		buffer_printf(
			ret,
			"# %zu mnemonics with their operands; %zu forms "
			"look like one of them\n# and differ from it, %zu "
			"are a register form and a load, %zu have no\n# "
			"text that OSACA reads, of %zu nothing is known.\n",
			entries.n, entries.n_alike + forms.n_special,
			entries.n_composed, forms.n_unwritten,
			entries.n_unknown);
		export_completed(ret, "#", m);
		osaca_add_core(&core, ret);
		add_pool(ret, "operand_lists", &operands);
		add_pool(ret, "pressure_lists", &pressures);
		buffer_printf(ret, "instruction_forms:%s\n",
			      entries.n > 0 ? "" : " []");
		add_items(&entries, ret);
	}
	for (size_t i = 0; i < entries.n; i++)
		buffer_free(&entries.items[i].covers);
	buffer_free(&operands.texts);
	buffer_free(&pressures.texts);
	arena_free(&a);
	return e->code;
}

static int write_ports(const struct model *m, const struct catalogue *c,
		       struct buffer *ret, struct err *e)
{
	return write_model(m, c, false, ret, e);
}

static int write_sets(const struct model *m, const struct catalogue *c,
		      struct buffer *ret, struct err *e)
{
	return write_model(m, c, true, ret, e);
}

const struct exporter exporter_osaca = {
	.name = "osaca",
	.describe = "OSACA's machine model: ~/.osaca/data/<code>.yml",
	.completes = true,
	.write_model = write_ports,
};

const struct exporter exporter_osaca_sets = {
	.name = "osaca-sets",
	.describe = "OSACA's with sets of ports, whose sums are exact bounds",
	.completes = true,
	.write_model = write_sets,
};
