/* Finds OSACA's entry for each form, as OSACA does for the assembly text of the
 * form's example. */
#include <ctype.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/osaca/read.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

/* Does a shape or predicate letter match? */
static bool letter_fits(const char *asked, char letter)
{
	return osaca_is_any(asked) ||
	       (asked && asked[0] == letter && !asked[1]);
}

static bool register_fits(const struct osaca_operand *o,
			  const struct signature_operand *s)
{
	if (o->class != SIGNATURE_REGISTER || !o->word)
		return false;
	if (!osaca_is_any(o->word) && strcmp(o->word, s->file->word) != 0)
		return false;
	if (s->shape && !letter_fits(o->shape, s->shape))
		return false;
	if (s->predicate && o->predicate &&
	    !letter_fits(o->predicate, s->predicate))
		return false;
	return o->mask == s->mask && o->zero == s->zero;
}

static bool memory_fits(const struct osaca_operand *o,
			const struct signature_operand *s)
{
	return o->class == SIGNATURE_MEMORY &&
	       (osaca_is_any(o->index) || (o->index != NULL) == s->index) &&
	       (o->any_before || o->before == s->before) &&
	       (o->any_after || o->after == s->after);
}

static bool entry_fits(const struct osaca_entry *e, const struct signature *s,
		       bool registers)
{
	if (e->n_operands != s->n)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		const struct osaca_operand *o = &e->operands[i];
		const struct signature_operand *x = &s->operands[i];
		bool ok = o->class == x->class;

		if (x->class == SIGNATURE_REGISTER)
			ok = register_fits(o, x);
		else if (x->class == SIGNATURE_MEMORY)
			ok = registers ? o->class == SIGNATURE_REGISTER
				       : memory_fits(o, x);
		if (!ok)
			return false;
	}
	return true;
}

static const struct osaca_entry *find_name(const struct osaca_reader *r,
					   const char *name,
					   const struct signature *s,
					   bool registers)
{
	size_t i = order_find_name(name, r->entries, r->n_entries,
				   sizeof(*r->entries));

	for (; i < r->n_entries && strcmp(r->entries[i].name, name) == 0; i++)
		if (entry_fits(&r->entries[i], s, registers))
			return &r->entries[i];
	return NULL;
}

/* The entry that OSACA would use for this text; NULL if none.
 * `registers`: match memory operands to register operands. */
static const struct osaca_entry *osaca_find(const struct osaca_reader *r,
					    const struct signature *s,
					    bool registers)
{
	char name[SIGNATURE_WORD];
	size_t n = strlen(s->name);
	const struct osaca_entry *e;

	for (size_t i = 0; i <= n; i++)
		name[i] = (char)tolower((unsigned char)s->name[i]);
	e = find_name(r, name, s, registers);
	if (e || n < 2 || !strchr(r->c->isa->width_suffixes, name[n - 1]))
		return e;
	name[n - 1] = '\0';
	return find_name(r, name, s, registers);
}

/* ---- forms -------------------------------------------------------------- */

static bool writes_register(const struct form *f)
{
	for (int i = 0; i < f->n_operands; i++)
		if (f->operands[i].write)
			return true;
	return false;
}

static void add_latency(struct model_latency *list, size_t *n, int source,
			int destination, struct model_span cycles)
{
	if (cycles.has_value)
		list[(*n)++] = (struct model_latency){
			.source = (int8_t)source,
			.destination = (int8_t)destination,
			.cycles = cycles,
		};
}

/* Set one latency for all pairs.  Address operands get `loaded` more; a base
 * register that is written back has its own latency. */
static void add_latencies(struct osaca_reader *r, const struct form *form,
			  struct model_span cycles, double loaded,
			  struct model_form *f)
{
	struct model_latency list[2 * FORM_MAX_OPERANDS + 1];
	struct model_span address = cycles;

	if (!writes_register(form))
		return;
	address.low += loaded;
	address.high += loaded;
	add_latency(list, &f->n_latencies, MODEL_ANY, MODEL_ANY, cycles);
	for (int i = 0; i < form->n_explicit; i++) {
		const struct operand *o = &form->operands[i];

		if (o->kind != OPERAND_MEM)
			continue;
		if (o->read && loaded > 0)
			add_latency(list, &f->n_latencies, i, MODEL_ANY,
				    address);
		if (o->tied_to >= 0 && r->index_latency.has_value)
			add_latency(list, &f->n_latencies, i, o->tied_to,
				    r->index_latency);
	}
	f->latencies = arena_copy(r->a, list, f->n_latencies * sizeof(*list));
}

static void set_throughput(struct osaca_reader *r, const struct osaca_entry *e,
			   struct model_form *f)
{
	static const double doubt = 0.95; /* OSACA's files round */
	double bound =
		f->has_ports ? model_port_bound(f->uses, f->n_uses, NULL) : 0;

	f->slots = e->slots;
	if (f->has_ports)
		f->mark = e->mark;
	/* A throughput of 0 means unknown. */
	if (f->throughput.has_value && !(f->throughput.high > 0)) {
		r->n_zero += bound > 0;
		f->throughput = (struct model_span){ 0 };
	}
	if (f->throughput.has_value && f->throughput.high < doubt * bound)
		r->n_low++;
	f->evidence = arena_printf(r->a, "line %zu", e->line);
}

static const struct osaca_access *access_of(const struct osaca_access *list,
					    size_t n, const char *word)
{
	const struct osaca_access *any = NULL;

	for (size_t i = 0; i < n; i++) {
		if (word && strcmp(list[i].word, word) == 0)
			return &list[i];
		if (osaca_is_any(list[i].word))
			any = &list[i];
	}
	return any;
}

static void add_uses_of(struct osaca_reader *r, struct model_form *f,
			const struct osaca_cost *more)
{
	size_t n = f->n_uses + more->n_uses;
	struct model_use *all = ARENA_ARRAY(r->a, struct model_use, n + 1);

	f->has_ports = f->has_ports && more->has_ports;
	for (size_t i = 0; i < n; i++)
		all[i] = i < f->n_uses ? f->uses[i] : more->uses[i - f->n_uses];
	f->uses = all;
	f->n_uses = f->has_ports ? n : 0;
}

/* Add the ports of a load or store of this register file, as far as the form
 * has such an access.  False if the file has none. */
static bool add_access(struct osaca_reader *r, const struct form *form,
		       int access, const struct osaca_access *row,
		       struct model_form *f)
{
	if ((form->access & access) == 0)
		return true;
	if (!row || (access == ACCESS_LOAD && !row->latency.has_value))
		return false;
	add_uses_of(r, f, &row->cost);
	return true;
}

static void mark_used(struct osaca_reader *r, const struct osaca_entry *e)
{
	r->entries[e - r->entries].used = true;
}

/* The mark of the entry's ports is of another form. */
static void set_derived(struct model_form *f)
{
	const struct model_mark derived = { .kind = MARK_DERIVED };

	if (f->has_ports)
		f->mark = mark_weaker(f->mark, derived);
}

/* Combine the entry of the register form with those of a load and a store. */
static bool add_with_access(struct osaca_reader *r, const struct form *form,
			    const struct signature *s, struct model_form *f)
{
	const char *word = signature_word(s);
	const struct osaca_entry *e = osaca_find(r, s, true);
	const struct osaca_access *load = access_of(r->loads, r->n_loads, word);

	if (!e || form->access == 0)
		return false;
	mark_used(r, e);
	f->has_ports = e->cost.has_ports;
	f->n_uses = e->cost.n_uses;
	f->uses = e->cost.uses;
	if (!add_access(r, form, ACCESS_LOAD, load, f) ||
	    !add_access(r, form, ACCESS_STORE,
			access_of(r->stores, r->n_stores, word), f))
		return false;
	add_latencies(r, form, e->latency,
		      form->access & ACCESS_LOAD ? load->latency.low : 0, f);
	set_throughput(r, e, f);
	set_derived(f);
	f->slots = (struct model_span){ .has_value = false };
	return true;
}

static const struct osaca_entry *by_llvm_name(const struct osaca_reader *r,
					      const char *name)
{
	size_t i =
		order_find_name(name, r->named, r->n_named, sizeof(*r->named));

	return i < r->n_named && strcmp(r->named[i].name, name) == 0
		       ? r->named[i].entry
		       : NULL;
}

static bool add_form(struct osaca_reader *r, const struct form *form,
		     struct model_form *f)
{
	struct signature s;
	/* A branch is measured as its variants alone; of these the plain
	 * ones. */
	bool branch = form->variant && form->variant->family == FAMILY_BRANCH &&
		      !strchr(form->name, ',');
	bool written = (form_is_plain(r->c, form) || branch) &&
		       form_signature(r->c, form, &s);
	const struct osaca_entry *e = by_llvm_name(r, form->name);
	bool named;

	*f = (struct model_form){ .name = form->name };
	if (!e && !written)
		return false;
	named = e != NULL;
	if (!e)
		e = osaca_find(r, &s, false);
	if (!e)
		return signature_has(&s, SIGNATURE_MEMORY) &&
		       add_with_access(r, form, &s, f);
	mark_used(r, e);
	f->throughput = e->throughput;
	f->has_ports = e->cost.has_ports;
	f->n_uses = e->cost.n_uses;
	f->uses = e->cost.uses;
	add_latencies(r, form, e->latency, 0, f);
	set_throughput(r, e, f);
	if (!named)
		set_derived(f);
	return true;
}

void osaca_forms(struct osaca_reader *r)
{
	struct model_form *forms =
		ARENA_ARRAY(r->a, struct model_form, r->c->n_forms + 1);

	for (size_t i = 0; i < r->c->n_forms; i++)
		if (add_form(r, &r->c->forms[i], &forms[r->m->n_forms]))
			r->m->n_forms++;
		else
			r->n_unmatched++;
	r->m->forms = forms;
	r->m->n_named = r->n_entries;
	for (size_t i = 0; i < r->n_entries; i++)
		r->m->n_unused += !r->entries[i].used;
}
