/* What an instruction keeps busy, in GCC's language: "a" is a unit in a cycle,
 * "a*3" in three, "a|b" any of them, "a+b" both in one cycle, "a,b" one after the
 * other.
 *
 * "(a|b)+(a|b)" would also be `a` once, so uops of sets that overlap start one
 * after the other.  Each has its cycles, which makes the rate right. */
#include <math.h>
#include <string.h>

#include "host/codec/gcc/gcc.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"

/* ---- names --------------------------------------------------------------- */

static const char *free_name(const struct gcc *w, const char *name)
{
	for (size_t i = 0; i < w->n_units;) {
		bool same = strcmp(w->units[i].name, name) == 0;

		if (same)
			name = arena_printf(w->a, "%s_", name);
		i = same ? 0 : i + 1;
	}
	return name;
}

static size_t add_unit(struct gcc *w, const char *name)
{
	struct gcc_unit *u = &w->units[w->n_units];

	u->name = name;
	u->parent = w->n_units;
	return w->n_units++;
}

void gcc_name_ports(struct gcc *w)
{
	w->units =
		ARENA_ARRAY(w->a, struct gcc_unit,
			    w->m->n_ports + w->n_type_words * MODEL_MAX_PORTS);
	for (size_t i = 0; i < w->m->n_ports; i++)
		(void)add_unit(
			w,
			free_name(w,
				  arena_printf(
					  w->a, "%s_%s", w->prefix,
					  td_identifier(w->a,
							w->m->ports[i].name))));
}

static size_t root(const struct gcc *w, size_t unit)
{
	while (w->units[unit].parent != unit)
		unit = w->units[unit].parent;
	return unit;
}

size_t gcc_automaton(const struct gcc *w, size_t unit)
{
	return root(w, unit);
}

static void join(struct gcc *w, size_t x, size_t y)
{
	w->units[root(w, x)].parent = root(w, y);
}

/* ---- one use -------------------------------------------------------------- */

static void add_cycles(struct buffer *b, const char *unit, long n)
{
	buffer_printf(b, n > 1 ? "%s*%ld" : "%s", unit, n);
}

/* Units with `between` between them, "(a|b)", each for n cycles. */
static void add_set(struct gcc *w, struct buffer *b, model_ports ports,
		    const char *between, long n)
{
	bool several = (ports & (ports - 1)) != 0, first = true;
	size_t one = 0;

	buffer_printf(b, "%s", several ? "(" : "");
	for (size_t i = 0; i < w->m->n_ports; i++) {
		if ((ports >> i & 1) == 0)
			continue;
		if (first)
			one = i;
		join(w, i, one);
		buffer_printf(b, "%s", first ? "" : between);
		add_cycles(b, w->units[i].name, n);
		first = false;
	}
	buffer_printf(b, "%s", several ? ")" : "");
}

/* The uops of a use as elements of a sequence; false: too long. */
static bool add_use(struct gcc *w, struct buffer *b, const struct model_use *u)
{
	long k = (long)model_ports_count(u->ports);
	double all = ceil(u->n_uops * u->cycles - CYCLE_DOUBT);
	long n = 1, cycles = 1;

	if (!(all <= GCC_MOST_CYCLES && u->cycles <= GCC_MOST_CYCLES &&
	      u->n_uops <= GCC_MOST_CYCLES))
		return false;
	n = (long)fmax(1, ceil(u->n_uops - CYCLE_DOUBT));
	cycles = (long)fmax(1, ceil(u->cycles - CYCLE_DOUBT));
	if (k == 1) {
		add_set(w, b, u->ports, "|", (long)fmax(1, all));
		return true;
	}
	/* All of them in each of these cycles, then one in each. */
	if (n >= k) {
		add_set(w, b, u->ports, "+", cycles);
		if (n / k > 1)
			buffer_printf(b, "*%ld", n / k);
		if (n % k > 0)
			buffer_printf(b, ",");
	}
	if (n % k > 0)
		add_set(w, b, u->ports, "|", cycles);
	if (n % k > 1)
		buffer_printf(b, "*%ld", n % k);
	return true;
}

static bool put_uses(struct gcc *w, struct buffer *b, const struct model_use *u,
		     size_t n)
{
	model_ports before = 0;

	for (size_t i = 0; i < n; i++) {
		struct buffer one = { 0 };
		bool ok = add_use(w, &one, &u[i]);
		bool sequence = ok && strchr(buffer_text(&one), ',');

		if (i > 0)
			buffer_printf(b, before & u[i].ports ? "," : "+");
		buffer_printf(b, sequence ? "(%s)" : "%s", buffer_text(&one));
		buffer_free(&one);
		if (!ok)
			return false;
		before |= u[i].ports;
	}
	return true;
}

/* ---- rates that no port explains ------------------------------------------ */

/* The first of n units of the type's own. */
static size_t own_units(struct gcc *w, const char *type, size_t n)
{
	const char *stem = arena_printf(w->a, "%s_%s_unit", w->prefix, type);
	size_t first = w->m->n_ports;

	while (first < w->n_units &&
	       strncmp(w->units[first].name, stem, strlen(stem)) != 0)
		first++;
	/* Units of a type follow each other: its members do. */
	for (size_t i = 0; i < n; i++)
		if (first + i == w->n_units)
			join(w,
			     add_unit(w,
				      free_name(w, arena_printf(w->a, "%s%zu",
								stem, i))),
			     first);
	return first;
}

static bool add_own(struct gcc *w, struct buffer *b, const struct gcc_member *x,
		    double rate)
{
	size_t port = w->type_port[x->type_number], n = 1, first;
	long cycles = 1;

	if (rate > GCC_MOST_CYCLES)
		return false;
	if (rate > 1)
		cycles = (long)ceil(rate - CYCLE_DOUBT);
	else
		n = (size_t)fmin(floor(1 / rate + CYCLE_DOUBT),
				 MODEL_MAX_PORTS);
	if (b->n > 0)
		buffer_printf(b, "+");
	if (n == 1 && port < MODEL_MAX_PORTS) {
		add_cycles(b, w->units[port].name, cycles);
		return true;
	}
	first = own_units(w, x->type, n);
	buffer_printf(b, "%s", n > 1 ? "(" : "");
	for (size_t i = 0; i < n; i++) {
		buffer_printf(b, "%s", i > 0 ? "|" : "");
		add_cycles(b, w->units[first + i].name, cycles);
	}
	buffer_printf(b, "%s", n > 1 ? ")" : "");
	return true;
}

/* ---- a form ---------------------------------------------------------------- */

long gcc_cycles(const struct model_span *s)
{
	double value = span_is_wide(s) ? s->high : model_cycles(*s);

	return (long)ceil(fmin(value, MODEL_MOST) - CYCLE_DOUBT);
}

static enum gcc_reason find_latency(struct gcc_member *x)
{
	int to = form_register(x->form, true);

	if (to < 0)
		return GCC_OK;
	for (int i = -1; i < x->form->n_operands; i++) {
		struct model_span s =
			model_latency(x->f, i < 0 ? MODEL_ANY : i, to);

		if (!s.has_value || (i >= 0 && !x->form->operands[i].read))
			continue;
		x->latency.low = fmax(x->latency.low, s.low);
		x->latency.high = fmax(x->latency.high, s.high);
		x->latency.has_value = true;
	}
	if (!x->latency.has_value)
		return GCC_NO_LATENCY;
	return x->latency.high > GCC_MOST_CYCLES ? GCC_TOO_LONG : GCC_OK;
}

enum gcc_reason gcc_cost(struct gcc *w, struct gcc_member *x)
{
	const struct model_form *f = x->f;
	const struct model_span *t = &f->throughput;
	double slots = fmax(1, f->slots.has_value ? f->slots.low : 1);
	double known = fmax(model_port_bound(f->uses, f->n_uses, NULL),
			    slots / w->width);
	struct buffer b = { 0 };
	bool ok;

	if (!t->has_value && !f->has_ports)
		return GCC_NO_RATE;
	x->busy = known;
	ok = put_uses(w, &b, f->uses, f->n_uses);
	if (ok && t->has_value && t->low > known * (1 + SAME_RATE)) {
		double rate = span_is_wide(t) ? t->high : span_middle(t);

		ok = add_own(w, &b, x, rate);
		x->busy = fmax(known, rate);
	}
	if (b.n == 0)
		buffer_printf(&b, "nothing");
	x->units = buffer_take(w->a, &b);
	return ok ? find_latency(x) : GCC_TOO_LONG;
}

/* ---- units that are used ---------------------------------------------------- */

void gcc_mark_units(struct gcc *w)
{
	static const char signs[] = "()|+,*";

	for (size_t i = 0; i < w->n_reservations; i++) {
		const char *at = w->reservations[i].units;

		for (; *at != '\0'; at += strspn(at, signs)) {
			size_t n = strcspn(at, signs);

			for (size_t u = 0; u < w->n_units; u++)
				if (strlen(w->units[u].name) == n &&
				    memcmp(w->units[u].name, at, n) == 0)
					w->units[u].used = true;
			at += n;
		}
	}
}
