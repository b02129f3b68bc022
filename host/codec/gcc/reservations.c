/* Reservations from members: cells by type and mode, which are joined where they
 * cost the same.  The members of a cell may differ; it has the longest latency
 * and the units of the slowest rate, and the file names those that differ. */
#include <ctype.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/gcc/gcc.h"

struct gcc_cell {
	const char *type, *mode;
	size_t first, end; /* of its members */
	long latency;
	const char *units;
	double busy;
};

/* Cells of one type with one cost. */
struct gcc_group {
	const struct gcc_cell *cell; /* the first */
	const char *modes;     /* separated by commas; "": none is known */
	struct buffer members; /* const struct gcc_member * */
};

static int compare_modes(const char *x, const char *y)
{
	return x && y ? strcmp(x, y) : (x != NULL) - (y != NULL);
}

static bool same_modes(const char *x, const char *y)
{
	return compare_modes(x, y) == 0;
}

static const char *join_words(struct arena *a, const char *x, const char *y)
{
	return x && *x != '\0' ? arena_printf(a, "%s,%s", x, y) : y;
}

/* ---- cells ---------------------------------------------------------------- */

static void extend_cell(struct gcc_cell *c, const struct gcc_member *x)
{
	/* Without a result nothing waits for it; 1 is GCC's default. */
	long latency = x->latency.has_value ? gcc_cycles(&x->latency) : 1;

	c->latency = latency > c->latency ? latency : c->latency;
	if (c->units && x->busy <= c->busy)
		return;
	c->units = x->units;
	c->busy = x->busy;
}

static struct gcc_cell read_cell(const struct gcc *w, size_t first)
{
	const struct gcc_member *x = &w->members[first];
	struct gcc_cell c = { .type = x->type,
			      .mode = x->mode,
			      .first = first };

	for (c.end = first; c.end < w->n_members; c.end++) {
		const struct gcc_member *y = &w->members[c.end];

		if (strcmp(y->type, x->type) != 0 ||
		    !same_modes(y->mode, x->mode))
			break;
		extend_cell(&c, y);
	}
	return c;
}

/* ---- groups of a type ------------------------------------------------------- */

static bool same_cost(const struct gcc_cell *x, const struct gcc_cell *y)
{
	return x->latency == y->latency && strcmp(x->units, y->units) == 0;
}

static void add_cell(struct gcc *w, struct gcc_group *g,
		     const struct gcc_cell *c)
{
	g->modes = join_words(w->a, g->modes, c->mode ? c->mode : "");
	for (size_t i = c->first; i < c->end; i++) {
		const struct gcc_member *x = &w->members[i];

		buffer_add(&g->members, &x, sizeof(const struct gcc_member *));
	}
}

/* The longest latency and the units of the slowest, for modes that were not
 * measured.  No cell may have both. */
static struct gcc_cell worst_of(const struct gcc_cell *cells, size_t n)
{
	struct gcc_cell worst = cells[0];

	for (size_t i = 1; i < n; i++) {
		if (cells[i].latency > worst.latency)
			worst.latency = cells[i].latency;
		if (cells[i].busy > worst.busy) {
			worst.units = cells[i].units;
			worst.busy = cells[i].busy;
		}
	}
	worst.mode = NULL;
	return worst;
}

static struct gcc_reservation reservation(struct gcc *w,
					  const struct gcc_cell *c)
{
	return (struct gcc_reservation){
		.name = arena_printf(w->a, "%s_%s", w->prefix, c->type),
		.types = c->type,
		.latency = c->latency,
		.units = c->units,
	};
}

/* What is read may be of the form's class, or of one of the operand's own. */
static void find_classes(struct gcc_reservation *r,
			 const struct buffer *members)
{
	const struct gcc_member *const *list = (const void *)members->bytes;

	for (size_t i = 0; i < members->n / sizeof(*list); i++) {
		const struct model_form *f = list[i]->f;
		const struct form *form = list[i]->form;

		if (list[i]->latency.has_value)
			r->makes[f->bypass] = true;
		for (int k = 0; k < form->n_operands; k++)
			if (form->operands[k].read &&
			    form->operands[k].kind == OPERAND_REG)
				r->takes[(size_t)k < f->n_takes && f->takes[k]
						 ? f->takes[k]
						 : f->bypass] = true;
	}
}

static bool same_conditions(const struct gcc_reservation *x,
			    const struct gcc_reservation *y)
{
	return x->latency == y->latency && strcmp(x->units, y->units) == 0 &&
	       same_modes(x->modes, y->modes) &&
	       same_modes(x->others, y->others) &&
	       memcmp(x->makes, y->makes, sizeof(x->makes)) == 0 &&
	       memcmp(x->takes, y->takes, sizeof(x->takes)) == 0;
}

/* Add it, or its types and members to one of the same cost and modes. */
static void add_reservation(struct gcc *w, struct gcc_reservation *x,
			    struct buffer *members)
{
	const struct gcc_member **list;
	struct gcc_reservation *same = NULL;
	struct buffer all = { 0 };

	if (w->m->n_bypass > 0)
		find_classes(x, members);
	for (size_t i = 0; i < w->n_reservations && !same; i++)
		if (same_conditions(x, &w->reservations[i]))
			same = &w->reservations[i];
	if (same) {
		same->types = join_words(w->a, same->types, x->types);
	} else {
		same = &w->reservations[w->n_reservations++];
		*same = *x;
	}
	buffer_add(&all, same->members, same->n * sizeof(*list));
	buffer_add(&all, members->bytes, members->n);
	buffer_free(members);
	list = buffer_take_list(w->a, &all, sizeof(*list), &same->n);
	same->members = list;
}

static const char *lower_case(struct arena *a, const char *text, size_t n)
{
	char *ret = arena_printf(a, "%.*s", (int)n, text);

	for (char *c = ret; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return ret;
}

/* One reservation for each group; that of the worst cost, which may have no
 * group, is also for all modes that were not measured. */
static void reserve_groups(struct gcc *w, struct gcc_group *groups, size_t n,
			   const struct gcc_cell *worst)
{
	struct gcc_reservation last = reservation(w, worst);
	struct buffer rest = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct gcc_reservation r = reservation(w, groups[i].cell);

		if (same_cost(groups[i].cell, worst) ||
		    *groups[i].modes == '\0') {
			buffer_add(&rest, groups[i].members.bytes,
				   groups[i].members.n);
			buffer_free(&groups[i].members);
			continue;
		}
		r.modes = groups[i].modes;
		r.name = arena_printf(
			w->a, "%s_%s", r.name,
			lower_case(w->a, r.modes, strcspn(r.modes, ",")));
		last.others = join_words(w->a, last.others, r.modes);
		add_reservation(w, &r, &groups[i].members);
	}
	add_reservation(w, &last, &rest);
}

static void reserve_type(struct gcc *w, const struct gcc_cell *cells, size_t n)
{
	struct gcc_group *groups = ARENA_ARRAY(w->a, struct gcc_group, n);
	struct gcc_cell worst = worst_of(cells, n);
	size_t n_groups = 0;

	for (size_t i = 0; i < n; i++) {
		size_t g = 0;

		while (g < n_groups &&
		       !(same_cost(groups[g].cell, &cells[i]) &&
			 (*groups[g].modes == '\0') == (cells[i].mode == NULL)))
			g++;
		if (g == n_groups)
			groups[n_groups++] = (struct gcc_group){
				.cell = &cells[i],
				.modes = "",
			};
		add_cell(w, &groups[g], &cells[i]);
	}
	reserve_groups(w, groups, n_groups, &worst);
}

void gcc_reserve(struct gcc *w)
{
	struct gcc_cell *cells =
		ARENA_ARRAY(w->a, struct gcc_cell, w->n_members + 1);
	size_t n = 0, end;

	for (size_t i = 0; i < w->n_members; i = cells[n - 1].end)
		cells[n++] = read_cell(w, i);
	/* A type has at most one reservation more than cells. */
	w->reservations = ARENA_ARRAY(w->a, struct gcc_reservation, 2 * n + 1);
	for (size_t i = 0; i < n; i = end) {
		for (end = i;
		     end < n && strcmp(cells[end].type, cells[i].type) == 0;)
			end++;
		reserve_type(w, &cells[i], end - i);
	}
}
