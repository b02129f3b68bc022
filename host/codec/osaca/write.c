/* Writes OSACA's machine model, for ~/.osaca/data/<code>.yml or to pass by path.
 *
 * OSACA identifies instructions by mnemonic and operand types and has one
 * latency and port sets for each; docs/exports.md says what becomes of the
 * rest.  OSACA's reader takes time for every entry, so entries of equal cost
 * share one, and lists that are equal are written once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/osaca/cost.h"
#include "host/codec/osaca/write_core.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"

/* An instruction of the file. */
struct entry {
	const char *name;
	const struct osaca_form *x;
	enum osaca_index index;
	struct buffer covers; /* names of forms, blanks between */
	const char *body;
	size_t order;
};

static const struct model_form nothing = { .name = "" };

/* Texts that are written once, as anchors. */
struct pool {
	const char *letter;
	const char **texts;
	size_t n, room;
};

struct osaca {
	struct arena a;
	struct osaca_core core;
	struct osaca_list list;
	struct entry *entries;
	size_t n;
	struct pool operands, pressures;
	size_t n_alike, n_unknown, n_composed;
};

/* ---- which forms share an entry ----------------------------------------- */

static bool has_memory(const struct osaca_form *x)
{
	for (size_t i = 0; i < x->s.n; i++)
		if (x->s.operands[i].class == SIGNATURE_MEMORY)
			return true;
	return false;
}

/* The form behind another spelling has its name at its own. */
static void add_cover(struct entry *e, const struct osaca_form *x)
{
	if (!x->spelled)
		buffer_printf(&e->covers, e->covers.n > 0 ? " %s" : "%s",
			      x->form->name);
}

static void add_entry(struct osaca *w, const struct osaca_form *x,
		      const char *name)
{
	struct entry *e = &w->entries[w->n];

	*e = (struct entry){ .name = name, .x = x, .order = w->n };
	add_cover(e, x);
	w->n++;
	if (!has_memory(x) || !osaca_minds_index(&w->core, x->f))
		return;
	e->index = INDEX_NONE;
	e[1] = (struct entry){
		.name = name, .x = x, .index = INDEX_SOME, .order = w->n
	};
	w->n++;
}

static bool has_mnemonic(const struct osaca *w, const char *name, size_t n)
{
	for (size_t i = 0; i < w->list.n_groups; i++) {
		const struct osaca_form *x =
			&w->list.forms[w->list.groups[i].first];

		if (x->s.n == n && strcmp(x->base, name) == 0)
			return true;
	}
	return false;
}

/* OSACA takes a mnemonic without an entry for the one with a v in front, before
 * it tries it without the letter of width. */
static bool is_taken_for_another(struct osaca *w, const struct osaca_form *x)
{
	return strcmp(x->s.name, x->base) != 0 && *x->s.name != 'v' &&
	       has_mnemonic(w, arena_printf(&w->a, "v%s", x->s.name), x->s.n) &&
	       !has_mnemonic(w, x->s.name, x->s.n);
}

/* One entry without the letter of width, and one for each mnemonic with such a
 * letter that costs something else. */
static void add_group(struct osaca *w, const struct osaca_group *g)
{
	const struct osaca_form *of = &w->list.forms[g->first];
	size_t first = w->n;

	add_entry(w, &of[0], of[0].base);
	if (is_taken_for_another(w, &of[0]))
		add_entry(w, &of[0], of[0].s.name);
	for (size_t i = 1; i < g->n; i++) {
		const struct osaca_form *x = &of[i];
		struct entry *its = &w->entries[first];

		if (x->score == 0 && !x->spelled) {
			w->n_unknown++;
			continue;
		}
		for (size_t k = first + 1; k < w->n; k++)
			if (strcmp(w->entries[k].name, x->s.name) == 0 &&
			    w->entries[k].index != INDEX_SOME)
				its = &w->entries[k];
		if (its == &w->entries[first] &&
		    osaca_costs_same(w->core.m, its->x, x) &&
		    is_taken_for_another(w, x))
			add_entry(w, x, x->s.name);
		else if (osaca_costs_same(w->core.m, its->x, x))
			add_cover(its, x);
		else if (its == &w->entries[first] &&
			 strcmp(of[0].s.name, x->s.name) != 0)
			add_entry(w, x, x->s.name);
		else
			w->n_alike++;
	}
}

/* ---- loads that OSACA composes ------------------------------------------ */

/* The group with registers in the place of memory that OSACA would take for
 * this one; NULL: none.  *ret_word: of the first such register. */
static const struct osaca_form *register_form(const struct osaca *w,
					      const struct osaca_group *g,
					      const char **ret_word)
{
	const struct osaca_form *x = &w->list.forms[g->first];
	const struct osaca_group *from = g,
				 *end = &w->list.groups[w->list.n_groups];

	while (from > w->list.groups &&
	       strcmp(w->list.forms[from[-1].first].base, x->base) == 0)
		from--;
	for (; from < end; from++) {
		const struct osaca_form *y = &w->list.forms[from->first];
		bool fits = y->s.n == x->s.n;

		if (strcmp(y->base, x->base) != 0)
			return NULL;
		for (size_t i = 0; fits && i < x->s.n; i++) {
			const struct signature_operand *o = &y->s.operands[i];

			if (x->s.operands[i].class != SIGNATURE_MEMORY) {
				fits = o->class == x->s.operands[i].class &&
				       o->file == x->s.operands[i].file &&
				       o->shape == x->s.operands[i].shape;
				continue;
			}
			fits = o->class == SIGNATURE_REGISTER;
			*ret_word = fits ? o->file->word : NULL;
		}
		if (fits && from != g && *ret_word)
			return y;
	}
	return NULL;
}

static bool is_complete(const struct osaca_form *x)
{
	struct model_span latency;
	double throughput;

	return osaca_latency(x->form, x->f, &latency) &&
	       osaca_throughput(x->f, &throughput);
}

/* Is the form the register form and a plain load, so that OSACA finds the same
 * without an entry, and the load apart from the operation? */
static bool is_composed(const struct osaca *w, const struct osaca_form *x,
			const struct osaca_form *y, const char *word)
{
	struct osaca_core_access load =
		osaca_plain_access(&w->core, word, ACCESS_LOAD);
	struct model_span lx, ly, loads;
	struct model_use uses[2 * MODEL_MAX_PORTS];
	struct model_form both = { .has_ports = true, .uses = uses };
	double tx;

	if (x->form == load.form || x->form->access != ACCESS_LOAD ||
	    !x->f->has_ports || !y->f->has_ports || !is_complete(y) ||
	    !load.f || !load.f->has_ports ||
	    !osaca_latency(load.form, load.f, &loads) ||
	    !osaca_latency(x->form, x->f, &lx) ||
	    !osaca_latency(y->form, y->f, &ly) ||
	    y->f->n_uses + load.f->n_uses > ARRAY_LEN(uses))
		return false;
	for (size_t i = 0; i < y->f->n_uses; i++)
		uses[both.n_uses++] = y->f->uses[i];
	for (size_t i = 0; i < load.f->n_uses; i++)
		uses[both.n_uses++] = load.f->uses[i];
	/* A form with one source has no latency but that of its address. */
	return osaca_has_same_ports(w->core.m, x->f, &both) &&
	       osaca_throughput(x->f, &tx) &&
	       osaca_near(tx, model_port_bound(uses, both.n_uses, NULL)) &&
	       (osaca_near(osaca_middle(&lx), osaca_middle(&ly)) ||
		osaca_near(osaca_middle(&lx),
			   osaca_middle(&ly) + osaca_middle(&loads)));
}

static bool has_entry(const struct osaca *w, const char *name,
		      const struct signature *s, const struct form *form)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->entries[i].name, name) == 0 &&
		    osaca_compare_operands(&w->entries[i].x->s,
					   w->entries[i].x->form, s, form) == 0)
			return true;
	return false;
}

/* OSACA stops where it composes a form of a load or store and of a register
 * form without numbers.  An entry without numbers, with memory in the place of
 * a register, keeps it from that. */
static void add_guards(struct osaca *w, const struct entry *e)
{
	for (size_t i = 0; i < e->x->s.n; i++) {
		struct osaca_form *x = ARENA_NEW(&w->a, struct osaca_form);

		if (e->x->s.operands[i].class != SIGNATURE_REGISTER)
			continue;
		*x = *e->x;
		x->f = &nothing;
		x->spelled = true;
		x->s.operands[i] =
			(struct signature_operand){ .class = SIGNATURE_MEMORY };
		if (!has_entry(w, e->name, &x->s, x->form) &&
		    !has_entry(w, x->base, &x->s, x->form))
			add_entry(w, x, e->name);
	}
}

static void add_groups(struct osaca *w)
{
	size_t n;

	w->entries =
		ARENA_ARRAY(&w->a, struct entry,
			    (1 + SIGNATURE_OPERANDS) * w->list.n_forms + 1);
	for (size_t i = 0; i < w->list.n_groups; i++) {
		const struct osaca_group *g = &w->list.groups[i];
		const struct osaca_form *x = &w->list.forms[g->first];
		const char *word = NULL;
		const struct osaca_form *y =
			has_memory(x) ? register_form(w, g, &word) : NULL;

		if (x->score == 0)
			w->n_unknown += g->n;
		else if (y && is_composed(w, x, y, word))
			w->n_composed += g->n;
		else
			add_group(w, g);
	}
	n = w->n;
	for (size_t i = 0; i < n; i++)
		if (!has_memory(w->entries[i].x) &&
		    !is_complete(w->entries[i].x))
			add_guards(w, &w->entries[i]);
}

/* ---- writing ------------------------------------------------------------ */

static size_t find_text(struct arena *a, struct pool *p, struct buffer *text)
{
	buffer_add(text, "", 1);
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->texts[i], (const char *)text->bytes) == 0)
			return i;
	if (p->n == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->texts = xrealloc(p->texts, p->room, sizeof(*p->texts));
	}
	p->texts[p->n] = arena_strdup(a, (const char *)text->bytes);
	return p->n++;
}

static void add_reference(struct osaca *w, struct buffer *body, const char *key,
			  struct pool *p, struct buffer *text)
{
	buffer_printf(body, ", %s: *%s%zu", key, p->letter,
		      find_text(&w->a, p, text));
	buffer_free(text);
}

static void add_values(struct buffer *b, const struct osaca_form *x)
{
	struct model_span s;
	double value = 0;
	bool known = osaca_latency(x->form, x->f, &s);

	buffer_printf(b, ", latency: ");
	osaca_add_number(b, known, known ? osaca_number(&s) : 0);
	if (known && osaca_is_wide(&s)) {
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

static const char *body_of(struct osaca *w, const struct osaca_form *x,
			   enum osaca_index index)
{
	struct buffer b = { 0 }, text = { 0 };
	const char *body;

	buffer_printf(&text, "[");
	for (size_t i = 0; i < x->s.n; i++) {
		buffer_printf(&text, i > 0 ? ", " : "");
		osaca_operand(&text, w->core.c, x->form, &x->s.operands[i],
			      index);
		buffer_printf(&text, "}");
	}
	buffer_printf(&text, "]");
	add_reference(w, &b, "operands", &w->operands, &text);
	add_values(&b, x);
	osaca_add_pressure(&w->core, x->f, index, &text);
	add_reference(w, &b, "port_pressure", &w->pressures, &text);
	/* OSACA requires a list here.  The key ports_unknown is an extension of
	 * this program. */
	if (x->f->n_uses == 0)
		buffer_printf(&b, ", ports_unknown: %s",
			      x->f->has_ports ? "false" : "true");
	if (x->f->slots.has_value && !osaca_is_wide(&x->f->slots)) {
		buffer_printf(&b, ", uops: ");
		osaca_add_number(&b, true, osaca_number(&x->f->slots));
	}
	buffer_add(&b, "", 1);
	body = arena_strdup(&w->a, (const char *)b.bytes);
	buffer_free(&b);
	return body;
}

static int by_body(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->body, y->body);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* The format has no key for what the operands held. */
static void add_held(struct buffer *b, const struct entry *e, size_t n)
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
static bool is_loose(const struct entry *e)
{
	for (size_t i = 0; i < e->x->s.n; i++)
		if (e->x->s.operands[i].class == SIGNATURE_MEMORY &&
		    e->x->s.operands[i].index && e->index == INDEX_ANY)
			return true;
	return false;
}

/* Entries e[0..n) have the same body. */
static void add_item(struct buffer *b, const struct entry *e, size_t n,
		     bool list)
{
	bool first = true;

	buffer_printf(b, list ? "- {name: [" : "- {name: ");
	for (size_t i = 0; i < n; i++) {
		buffer_printf(b, i > 0 ? ", " : "");
		osaca_quoted(b, e[i].name);
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
static void add_items(struct osaca *w, struct buffer *b)
{
	if (w->n > 0)
		qsort(w->entries, w->n, sizeof(*w->entries), by_body);
	for (enum place place = PLACE_LISTS; place <= PLACE_LAST; place++)
		for (size_t i = 0; i < w->n;) {
			enum place own;
			size_t end = i;

			while (end < w->n && strcmp(w->entries[end].body,
						    w->entries[i].body) == 0)
				end++;
			own = is_loose(&w->entries[i]) ? PLACE_LAST
			      : end - i > 1            ? PLACE_LISTS
						       : PLACE_SINGLES;
			if (own == place)
				add_item(b, &w->entries[i], end - i,
					 place != PLACE_SINGLES);
			i = end;
		}
}

static void add_pool(struct buffer *b, const char *key, const struct pool *p)
{
	buffer_printf(b, "%s:%s\n", key, p->n > 0 ? "" : " []");
	for (size_t i = 0; i < p->n; i++)
		buffer_printf(b, "- &%s%zu %s\n", p->letter, i, p->texts[i]);
}

int osaca_write(const struct model *m, const struct catalogue *c, bool sets,
		struct buffer *ret, struct err *e)
{
	struct osaca w = { .operands.letter = "o", .pressures.letter = "p" };
	int status = export_needs_ports(m, e);

	if (status != ERR_OK)
		return status;
	w.core = osaca_core_new(&w.a, m, c);
	status = sets ? osaca_use_sets(&w.core, e) : ERR_OK;
	if (status == ERR_OK)
		status = osaca_collect(&w.a, m, c, &w.list, e);
	if (status == ERR_OK) {
		add_groups(&w);
		for (size_t i = 0; i < w.n; i++)
			w.entries[i].body =
				body_of(&w, w.entries[i].x, w.entries[i].index);
		export_tool_comment(ret, "#", m);
		buffer_printf(
			ret,
			"# %zu mnemonics with their operands; %zu forms "
			"look like one of them\n# and differ from it, %zu "
			"are a register form and a load, %zu have no\n# "
			"text that OSACA reads, of %zu nothing is known.\n",
			w.n, w.n_alike + w.list.n_special, w.n_composed,
			w.list.n_unwritten, w.n_unknown);
		export_completed(ret, "#", m);
		osaca_add_core(&w.core, ret);
		add_pool(ret, "operand_lists", &w.operands);
		add_pool(ret, "pressure_lists", &w.pressures);
		buffer_printf(ret, "instruction_forms:%s\n",
			      w.n > 0 ? "" : " []");
		add_items(&w, ret);
	}
	for (size_t i = 0; i < w.n; i++)
		buffer_free(&w.entries[i].covers);
	free(w.operands.texts);
	free(w.pressures.texts);
	arena_free(&w.a);
	return status;
}

static int write_ports(const struct model *m, const struct catalogue *c,
		       struct buffer *ret, struct err *e)
{
	return osaca_write(m, c, false, ret, e);
}

const struct exporter exporter_osaca = {
	.name = "osaca",
	.describe = "OSACA's machine model: ~/.osaca/data/<code>.yml",
	.completes = true,
	.write_model = write_ports,
};
