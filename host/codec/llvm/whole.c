/* Costs of writes, and what differs from them; see whole.h. */
#include "host/codec/llvm/whole.h"

#include <math.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/order.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"
#include "host/codec/pipes.h"
#include "host/isa/catalogue.h"
#include "host/model/mark.h"

/* A form with a cost. */
struct member {
	const char *opcode, *class_name;
	struct whole_name *write;
	const struct form *form;
	const struct model_form *f;
	const struct whole_cost *cost;
};

struct members {
	struct whole *w;
	struct buffer units; /* struct whole_unit */
	struct buffer costs; /* struct whole_cost *, all different */
	struct member *list;
	size_t n;
};

/* ---- one form ----------------------------------------------------------- */

/* The first register that the form writes; -1: none. */
static int first_result(const struct form *form)
{
	for (int i = 0; i < form->n_operands; i++)
		if (form->operands[i].write &&
		    form->operands[i].kind == OPERAND_REG)
			return i;
	return -1;
}

/* A latency that cannot be told from the time for which the unit is busy is that
 * time: it costs as much. */
static enum whole_reason result_latency(const struct form *form,
					const struct model_form *f, long *ret)
{
	double busy = f->throughput.has_value ? f->throughput.high : 0;
	int to = first_result(form);

	*ret = 1;
	if (to < 0)
		return WHOLE_OK;
	switch (td_longest_latency(form, f, to, busy * (1 + SAME_RATE), ret)) {
	case WRITTEN:
		return WHOLE_OK;
	case NO_LATENCY:
		return WHOLE_NO_LATENCY;
	default:
		return WHOLE_NOT_WHOLE;
	}
}

static size_t find_unit(struct members *k, const struct whole_name *x, long n)
{
	const char *name = arena_printf(k->w->a, n > 1 ? "%.*s_x%ld" : "%.*s",
					(int)(x->family - strlen("Write")),
					x->name + strlen("Write"), n);
	struct whole_unit *list = (void *)k->units.bytes;
	struct whole_unit new_unit = { name, n };
	size_t n_units = k->units.n / sizeof(*list);

	for (size_t i = 0; i < n_units; i++)
		if (strcmp(list[i].name, name) == 0)
			return i;
	buffer_add(&k->units, &new_unit, sizeof(new_unit));
	return n_units;
}

/* The unit of its family, or one of its own. */
static struct whole_use unit_use(struct members *k, const struct member *x,
				 long n, long cycles)
{
	struct whole_use u = { .cycles = cycles };

	for (size_t i = 0; i < k->w->n_families && n == 1; i++)
		if (whole_same_family(k->w->families[i].of, x->write) &&
		    k->w->families[i].port < MODEL_MAX_PORTS)
			u.ports = (model_ports)1 << k->w->families[i].port;
	if (u.ports == 0)
		u.unit = find_unit(k, x->write, n);
	return u;
}

/* A unit for a rate that ports and width do not explain. */
static enum whole_reason add_unit(struct members *k, const struct member *x,
				  struct whole_cost *ret)
{
	const struct model_span *t = &x->f->throughput;
	double slots = fmax(1, x->f->slots.has_value ? x->f->slots.low : 1);
	double known = fmax(model_port_bound(x->f->uses, x->f->n_uses, NULL),
			    slots / k->w->width);
	double rate = span_middle(t);
	long cycles = 1, n = 1;

	if (!t->has_value)
		return x->f->n_uses > 0 ? WHOLE_OK : WHOLE_NO_RATE;
	if (t->low <= known * (1 + SAME_RATE))
		return WHOLE_OK;
	if (rate < 1 - SAME_RATE ? !td_whole(1 / rate, &n)
				 : !td_whole_span(t, &cycles))
		return WHOLE_NOT_WHOLE;
	if (ret->n_uses == WHOLE_MAX_USES || cycles == 0 || n == 0)
		return WHOLE_NOT_WHOLE;
	ret->uses[ret->n_uses++] = unit_use(k, x, n, cycles);
	return WHOLE_OK;
}

static enum whole_reason cost_of(struct members *k, const struct member *x,
				 struct whole_cost *ret)
{
	const struct model_form *f = x->f;
	enum whole_reason why;
	double n = 0;

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];
		struct whole_use *its = &ret->uses[ret->n_uses];

		if (ret->n_uses == WHOLE_MAX_USES ||
		    !td_whole(u->n_uops * u->cycles, &its->cycles) ||
		    its->cycles == 0)
			return WHOLE_NOT_WHOLE;
		its->ports = u->ports;
		ret->n_uses++;
		for (size_t p = 0; p < k->w->m->n_ports; p++)
			if (u->ports >> p & 1 && !k->w->m->ports[p].pseudo) {
				n += u->n_uops;
				break;
			}
	}
	why = add_unit(k, x, ret);
	if (why != WHOLE_OK)
		return why;
	if (!td_whole_span(&f->slots, &ret->uops))
		ret->uops = lround(ceil(n));
	ret->uops = ret->uops > 0 ? ret->uops : 1;
	return result_latency(x->form, f, &ret->latency);
}

static const struct whole_cost *intern(struct members *k,
				       const struct whole_cost *x)
{
	const struct whole_cost **list = (void *)k->costs.bytes;
	struct whole_cost *copy;
	struct buffer b = { 0 };

	buffer_printf(&b, "%ld|%ld", x->latency, x->uops);
	for (size_t i = 0; i < x->n_uses; i++)
		buffer_printf(&b, "|%llx:%zu:%ld",
			      (unsigned long long)x->uses[i].ports,
			      x->uses[i].unit, x->uses[i].cycles);
	for (size_t i = 0; i < k->costs.n / sizeof(*list); i++)
		if (strcmp(list[i]->text, buffer_text(&b)) == 0) {
			buffer_free(&b);
			return list[i];
		}
	copy = ARENA_NEW(k->w->a, struct whole_cost);
	*copy = *x;
	copy->text = buffer_take(k->w->a, &b);
	buffer_add(&k->costs, &copy, sizeof(const struct whole_cost *));
	return copy;
}

static void find_members(struct members *k)
{
	struct whole *w = k->w;

	k->list = ARENA_ARRAY(w->a, struct member, w->m->n_forms + 1);
	for (size_t i = 0; i < w->m->n_forms; i++) {
		struct member x = { .f = &w->m->forms[i] };
		struct whole_cost cost = { .n_uses = 0 };
		enum whole_reason why = WHOLE_NO_CLASS;
		uint32_t opcode;

		x.form = catalogue_form(w->c, x.f->name);
		if (x.form) {
			x.class_name = w->of_form[x.form - w->c->forms];
			/* LLVM adds up the costs of several writes. */
			if (x.class_name && !strstr(x.class_name, "_Write"))
				x.write = whole_write_of(w, x.class_name);
			x.opcode = x.form->name;
			(void)tables_find(w->tables, x.form, &x.opcode,
					  &opcode);
		}
		if (x.write)
			why = cost_of(k, &x, &cost);
		w->counts[why]++;
		if (why != WHOLE_OK)
			continue;
		x.cost = intern(k, &cost);
		k->list[k->n++] = x;
		whole_add_reads(w, x.form, x.f, x.class_name,
				first_result(x.form));
	}
}

/* ---- costs of writes ---------------------------------------------------- */

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = ORDER(x->write, y->write);

	if (order == 0)
		order = ORDER(x->cost->latency, y->cost->latency);
	if (order == 0)
		order = strcmp(x->cost->text, y->cost->text);
	return order ? order : strcmp(x->opcode, y->opcode);
}

/* The cost that most members of a write have; of as many, the longest. */
static void settle_writes(struct members *k)
{
	size_t end, most = 0;

	order_sort(k->list, k->n, sizeof(*k->list), compare_members);
	for (size_t i = 0; i < k->n; i = end) {
		struct whole_name *x = k->list[i].write;

		for (end = i; end < k->n && k->list[end].write == x &&
			      k->list[end].cost == k->list[i].cost;)
			end++;
		if (x->n_members == 0) {
			x->member = k->list[i].form->name;
			most = 0;
		}
		x->n_members += end - i;
		if (end - i < most)
			continue;
		most = end - i;
		x->cost = k->list[i].cost;
		x->member = k->list[i].form->name;
		x->mark = k->list[i].f->mark;
		for (size_t m = i + 1; m < end; m++)
			x->mark = mark_weaker(x->mark, k->list[m].f->mark);
	}
	for (size_t i = 0; i < k->n; i++)
		k->list[i].write->n_unlike +=
			k->list[i].cost != k->list[i].write->cost;
}

/* The cost of an encoding without a vector type: of each part, the most that
 * any type of its family has. */
static void settle_worst(struct whole *w)
{
	for (size_t i = 0; i < w->n_names; i++) {
		struct whole_name *x = &w->names[i];
		const struct whole_cost *longest = NULL, *busiest = NULL;
		struct whole_cost *cost;
		long most = -1;

		if (!x->worst || x->read)
			continue;
		for (size_t k = 0; k < w->n_names; k++) {
			const struct whole_name *y = &w->names[k];
			long busy = 0;

			if (!y->cost || y->grouping < 0 ||
			    !whole_same_family(x, y))
				continue;
			for (size_t u = 0; u < y->cost->n_uses; u++)
				busy += y->cost->uses[u].cycles;
			if (!longest || y->cost->latency > longest->latency)
				longest = y->cost;
			if (busy > most)
				busiest = y->cost;
			most = busy > most ? busy : most;
		}
		if (!longest || !busiest)
			continue;
		cost = ARENA_NEW(w->a, struct whole_cost);
		*cost = *busiest;
		cost->latency = longest->latency;
		x->cost = cost;
	}
}

/* ---- exceptions --------------------------------------------------------- */

static int compare_opcodes(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return strcmp(x->opcode, y->opcode);
}

static int compare_exceptions(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->cost->text, y->cost->text);

	if (order == 0)
		order = strcmp(x->class_name, y->class_name);
	return order ? order : strcmp(x->opcode, y->opcode);
}

/* One entry for each opcode all of whose forms have one other cost. */
static size_t keep_exceptions(struct members *k)
{
	size_t n = 0, end;

	order_sort(k->list, k->n, sizeof(*k->list), compare_opcodes);
	for (size_t i = 0; i < k->n; i = end) {
		struct member x = k->list[i];
		size_t n_unlike = 0;
		bool same = true;

		for (end = i;
		     end < k->n && strcmp(k->list[end].opcode, x.opcode) == 0;
		     end++) {
			same = same && k->list[end].cost == x.cost;
			n_unlike += k->list[end].cost != x.write->cost;
		}
		if (same && n_unlike > 0) {
			x.write->n_excepted += n_unlike;
			k->list[n++] = x;
		} else {
			k->w->n_mixed += n_unlike;
		}
	}
	return n;
}

static void find_exceptions(struct members *k)
{
	struct buffer b = { 0 };
	size_t n = keep_exceptions(k), end;

	order_sort(k->list, n, sizeof(*k->list), compare_exceptions);
	for (size_t i = 0; i < n; i = end) {
		const struct member *x = &k->list[i];
		struct whole_exception one = {
			.cost = x->cost,
			.rest = x->class_name +
				whole_name_length(x->class_name),
		};
		const char **opcodes;

		for (end = i;
		     end < n && k->list[end].cost == x->cost &&
		     strcmp(k->list[end].class_name, x->class_name) == 0;)
			end++;
		opcodes = ARENA_ARRAY(k->w->a, const char *, end - i);
		for (size_t o = i; o < end; o++)
			opcodes[o - i] = k->list[o].opcode;
		one.opcodes = opcodes;
		one.n = end - i;
		buffer_add(&b, &one, sizeof(one));
	}
	k->w->exceptions = buffer_take_list(
		k->w->a, &b, sizeof(*k->w->exceptions), &k->w->n_exceptions);
}

/* ---- ports -------------------------------------------------------------- */

/* The family of a form's write; PIPES_NO_FAMILY: it has no write. */
static size_t family_of(struct whole *w, const struct model_form *m)
{
	const struct form *f = catalogue_form(w->c, m->name);
	const struct whole_name *x = NULL;
	size_t i = 0;

	if (f)
		x = whole_write_of(w, w->of_form[f - w->c->forms]);
	if (!x)
		return PIPES_NO_FAMILY;
	while (i < w->n_families && !whole_same_family(w->families[i].of, x))
		i++;
	if (i == w->n_families)
		w->families[w->n_families++] = (struct whole_family){ .of = x };
	return i;
}

static void join_ports(struct whole *w)
{
	size_t *family = ARENA_ARRAY(w->a, size_t, w->m->n_forms + 1), *port;

	w->families = ARENA_ARRAY(w->a, struct whole_family, w->n_names + 1);
	for (size_t i = 0; i < w->m->n_forms; i++)
		family[i] = family_of(w, &w->m->forms[i]);
	port = ARENA_ARRAY(w->a, size_t, w->n_families + 1);
	w->m = pipes_model(w->a, w->m, family, w->n_families, port);
	for (size_t i = 0; i < w->n_families; i++)
		w->families[i].port = port[i];
}

/* ---- all of it ---------------------------------------------------------- */

int whole_read(struct arena *a, const struct model *m,
	       const struct catalogue *c, struct whole *ret, struct err *e)
{
	struct whole w = { .a = a, .c = c, .m = m, .width = 1 };
	struct members k = { .w = ret };

	w.known = sched_names_of(c->isa);
	w.tables = tables_new(a, c);
	if (m->width.has_value)
		w.width = m->width.low;
	else if (m->issue_width.has_value)
		w.width = m->issue_width.low;
	w.width = fmax(1, floor(w.width + SAME_RATE));
	if (whole_read_names(&w, e) != ERR_OK)
		return e->code;
	join_ports(&w);
	*ret = w;
	find_members(&k);
	settle_writes(&k);
	settle_worst(ret);
	find_exceptions(&k);
	ret->units = buffer_take_list(a, &k.units, sizeof(*ret->units),
				      &ret->n_units);
	buffer_free(&k.costs);
	return ERR_OK;
}
