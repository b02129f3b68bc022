/* Classes of forms; see complete_read.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/model/complete_read.h"

/* Members of a class that are looked at; no structure has more. */
enum { MEMBERS = 64 };

/* ---- keys -------------------------------------------------------------- */

/* FNV-1a of Fowler, Noll and Vo, for texts byte by byte and for numbers in one
 * step; the shift brings high bits down. */
static const uint64_t key_prime = 0x100000001b3u;

static uint64_t key_text(uint64_t key, const char *text)
{
	for (; *text != '\0'; text++)
		key = (key ^ (unsigned char)*text) * key_prime;
	return key * key_prime;
}

static uint64_t key_number(uint64_t key, uint64_t n)
{
	key = (key ^ n) * key_prime;
	return key ^ key >> 32;
}

/* The variant with its slash, "/jcc,taken", or "". */
static const char *variant_of(const struct form *f)
{
	return f->name + strcspn(f->name, "/");
}

static unsigned register_bits(const struct catalogue *c,
			      const struct operand *o)
{
	return o->reg_class == CLASS_NONE ? 0 : c->classes[o->reg_class].bits;
}

static uint64_t key_operand(const struct catalogue *c, uint64_t key,
			    const struct operand *o)
{
	unsigned bank = o->reg_class == CLASS_NONE
				? BANK_NONE
				: c->classes[o->reg_class].bank;

	key = key_number(key, o->kind | (unsigned)o->role << 8);
	key = key_number(key, (unsigned)o->read | (unsigned)o->write << 1 |
				      (unsigned)(o->tied_to >= 0) << 2);
	return key_number(key, register_bits(c, o) | bank << 16);
}

unsigned class_bits(const struct catalogue *c, const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_REG &&
		    f->operands[i].reg_class != CLASS_NONE)
			return register_bits(c, &f->operands[i]);
	return 8 * f->access_bytes;
}

unsigned complete_kind(const struct catalogue *c, const struct form *f)
{
	enum { NARROW = 128 };
	unsigned kind = 1;

	if (!f->vector_state)
		return 0;
	for (unsigned bits = class_bits(c, f); bits > NARROW; bits /= 2)
		kind++;
	return kind;
}

/* Numbers of operands and of constants.  An address is one operand; memory that
 * is read and written is two. */
static unsigned count_operands(const struct form *f)
{
	unsigned n = form_loads(f) && form_stores(f), n_constants = 0;
	bool address = false;

	for (int i = 0; i < f->n_explicit; i++) {
		bool part = f->operands[i].kind == OPERAND_MEM;

		n += !part || !address;
		address |= part;
		n_constants += f->operands[i].kind == OPERAND_IMM;
	}
	return n | n_constants << 8;
}

unsigned class_schedule(const struct completion *k, const struct form *f)
{
	struct mc_opcode x;

	mc_get_opcode(k->c->mc, f->opcode, &x);
	return x.sched_class;
}

bool class_is_locked(const struct catalogue *c, const struct form *f)
{
	return form_loads(f) && form_stores(f) &&
	       name_matches_any(c->isa->loop->locked, f->name);
}

uint64_t class_key(const struct completion *k, const struct form *f,
		   enum class_kind kind)
{
	uint64_t key = key_text(0xcbf29ce484222325u, variant_of(f));

	if (kind != CLASS_REGISTERS && class_is_locked(k->c, f))
		key = key_text(key, "locked");
	if (kind == CLASS_SCHEDULE) {
		key = key_number(key, class_schedule(k, f));
		key = key_number(key, f->access | f->access_bytes << 8);
		return key_number(key, class_bits(k->c, f));
	}
	key = key_text(key, f->mnemonic);
	if (kind == CLASS_REGISTERS) {
		key = key_number(key, class_bits(k->c, f));
		return key_number(key, count_operands(f));
	}
	key = key_number(key, f->access | f->access_bytes << 8);
	for (int i = 0; i < f->n_explicit; i++)
		key = key_operand(k->c, key, &f->operands[i]);
	return key;
}

/* ---- the indices ------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct class_entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static bool is_usual(const struct completion *k, const struct form *form)
{
	const struct isa_memory *memory = k->c->isa->memory;

	for (const struct isa_forward *f = memory ? memory->forwards : NULL;
	     f && f->store; f++)
		if (strcmp(f->store, form->name) == 0 ||
		    strcmp(f->load, form->name) == 0)
			return true;
	return false;
}

static void add_plain(struct completion *k, const struct known_form *x)
{
	const struct form *f = x->form;

	if ((!form_loads(f) && !form_stores(f)) || form_computes(f) ||
	    f->variant)
		return;
	k->plain[k->n_plain++] = (struct plain_access){
		.form = f,
		.known = x->own,
		.bytes = f->access_bytes,
		.bank = model_access_bank(k->c, f),
		.store = form_stores(f),
		.usual = is_usual(k, f),
	};
}

void complete_index(struct completion *k, const struct known_form *given)
{
	size_t n = k->given->n_forms;

	k->plain = ARENA_ARRAY(k->a, struct plain_access, n + 1);
	for (const struct known_form *x = given; x->form; x++)
		add_plain(k, x);
	for (int kind = 0; kind < CLASS_KINDS; kind++) {
		struct class_index *index = &k->index[kind];

		index->list = ARENA_ARRAY(k->a, struct class_entry, n + 1);
		for (const struct known_form *x = given; x->form; x++)
			if (kind != CLASS_REGISTERS ||
			    (!form_loads(x->form) && !form_stores(x->form)))
				index->list[index->n++] = (struct class_entry){
					class_key(k, x->form,
						  (enum class_kind)kind),
					(uint32_t)(x->own - k->given->forms),
				};
		qsort(index->list, index->n, sizeof(*index->list), by_key);
	}
}

size_t class_members(const struct completion *k, enum class_kind kind,
		     uint64_t key, const struct class_entry **ret)
{
	const struct class_index *x = &k->index[kind];
	size_t low = 0, high = x->n, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (x->list[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < x->n && x->list[end].key == key;)
		end++;
	*ret = x->list + low;
	return end - low;
}

/* ---- agreement --------------------------------------------------------- */

bool rates_agree(struct model_span x, struct model_span y)
{
	return !x.has_value || !y.has_value ||
	       (x.low <= slower * y.high && y.low <= slower * x.high);
}

static bool latencies_agree(double x, double y)
{
	static const double share = 0.1;

	return x < 0 || y < 0 ||
	       fabs(x - y) <= fmax(latency_error, share * fmax(x, y));
}

static bool class_has(const struct model_form *f, enum model_cost cost)
{
	switch (cost) {
	case COST_LATENCY:
		return f->n_latencies > 0;
	case COST_THROUGHPUT:
		return f->throughput.has_value;
	default:
		return f->has_ports && f->mark.kind != MARK_OPEN;
	}
}

bool class_same_ports(const struct model_form *x, const struct model_form *y)
{
	if (x->n_uses != y->n_uses)
		return false;
	for (size_t i = 0; i < x->n_uses; i++)
		if (x->uses[i].ports != y->uses[i].ports ||
		    x->uses[i].n_uops != y->uses[i].n_uops ||
		    x->uses[i].cycles != y->uses[i].cycles)
			return false;
	return true;
}

static bool values_agree(const struct model_form *x, const struct model_form *y,
			 enum model_cost cost)
{
	switch (cost) {
	case COST_LATENCY:
		return latencies_agree(longest_latency(x), longest_latency(y));
	case COST_THROUGHPUT:
		return rates_agree(x->throughput, y->throughput);
	default:
		return class_same_ports(x, y);
	}
}

/* Of the list, the first with which most agree; NULL when that is less than
 * three quarters. */
static const struct model_form *most_agree(const struct model_form *const *list,
					   size_t n, enum model_cost cost)
{
	const struct model_form *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t agree = 0;

		for (size_t j = 0; j < n; j++)
			agree += values_agree(list[i], list[j], cost);
		if (agree > most) {
			most = agree;
			best = list[i];
		}
	}
	return 4 * most >= 3 * n ? best : NULL;
}

static const struct model_form *stand_in_of_kind(const struct completion *k,
						 const struct form *f,
						 const struct model_form *own,
						 enum model_cost cost,
						 enum class_kind kind)
{
	const struct model_form *list[MEMBERS];
	const struct class_entry *member;
	size_t n = class_members(k, kind, class_key(k, f, kind), &member);
	bool exact = cost == COST_LATENCY && !form_loads(f) && !form_stores(f);
	size_t n_list = 0;

	for (size_t i = 0; i < n && n_list < MEMBERS; i++) {
		const struct model_form *x = &k->given->forms[member[i].form];

		if (exact && latencies_between(NULL, x, 0).n_exact == 0)
			continue;
		if (x == own || !class_has(x, cost) ||
		    (kind == CLASS_SCHEDULE && x->eliminated))
			continue;
		if (own && (!rates_agree(own->throughput, x->throughput) ||
			    !latencies_agree(longest_latency(own),
					     longest_latency(x))))
			continue;
		list[n_list++] = x;
	}
	return most_agree(list, n_list, cost);
}

const struct model_form *class_stand_in(const struct completion *k,
					const struct form *f,
					const struct model_form *own,
					enum model_cost cost)
{
	const struct model_form *x =
		stand_in_of_kind(k, f, own, cost, CLASS_STRUCTURE);

	if (!x && class_schedule(k, f) != 0)
		x = stand_in_of_kind(k, f, own, cost, CLASS_SCHEDULE);
	return x;
}

const struct form *class_in_registers(const struct completion *k,
				      const struct form *f,
				      enum model_cost cost)
{
	const struct class_entry *member;
	size_t n = class_members(k, CLASS_REGISTERS,
				 class_key(k, f, CLASS_REGISTERS), &member);

	for (size_t i = 0; i < n; i++) {
		const struct model_form *x = &k->given->forms[member[i].form];

		if (class_has(x, cost))
			return catalogue_form(k->c, x->name);
	}
	return NULL;
}

/* ---- plain accesses ---------------------------------------------------- */

uint8_t model_access_bank(const struct catalogue *c, const struct form *f)
{
	for (int k = 0; k < f->n_explicit; k++) {
		const struct operand *x = &f->operands[k];

		if (x->kind == OPERAND_REG && x->role == ROLE_NONE &&
		    x->reg_class != CLASS_NONE)
			return c->classes[x->reg_class].bank;
	}
	return BANK_NONE;
}

/* Does x stand better for an access of `bits` than the best one so far?  The
 * bytes of accesses are bounds: 16 bits and 64 bits may have the same one. */
static bool is_better(const struct completion *k, unsigned bits,
		      const struct plain_access *x,
		      const struct plain_access *best)
{
	bool fits = class_bits(k->c, x->form) == bits;
	bool best_fits = class_bits(k->c, best->form) == bits;

	if (x->usual != best->usual)
		return x->usual;
	if (fits != best_fits)
		return fits;
	return x->known->throughput.low < best->known->throughput.low;
}

/* A shuffle or a conversion of memory, or a store of an upper half, has no operand that
 * a plain access lacks, either.  So ports are only those of an access that programs
 * use as such, or of one of whole registers in its scheduling class. */
static bool is_sure(const struct completion *k, const struct plain_access *x,
		    const struct plain_access *usual)
{
	return x->usual || (8u * x->bytes == class_bits(k->c, x->form) &&
			    (!usual || class_schedule(k, x->form) ==
					       class_schedule(k, usual->form)));
}

const struct plain_access *complete_plain(const struct completion *k,
					  const struct form *f, bool store,
					  enum model_cost cost)
{
	uint8_t bank = model_access_bank(k->c, f);
	unsigned bits = class_bits(k->c, f);
	const struct plain_access *best = NULL, *usual = NULL;

	if (cost == COST_PORTS)
		usual = complete_plain(k, f, store, COST_THROUGHPUT);
	for (size_t i = 0; i < k->n_plain; i++) {
		const struct plain_access *x = &k->plain[i];

		if (x->bytes != f->access_bytes || x->store != store ||
		    (bank != BANK_NONE && x->bank != bank) ||
		    !class_has(x->known, cost) ||
		    (cost == COST_PORTS && !is_sure(k, x, usual)))
			continue;
		if (!best || is_better(k, bits, x, best))
			best = x;
	}
	return best;
}
