/* From a model to reservations; see gcc.h. */
#include <math.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/gcc/gcc.h"
#include "host/codec/number.h"
#include "host/codec/pipes.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"

static size_t type_number(const struct gcc *w, const char *type)
{
	size_t i = 0;

	while (strcmp(w->type_words[i], type) != 0)
		i++;
	return i;
}

static void list_types(struct gcc *w)
{
	size_t n = 0;

	w->type_words = ARENA_ARRAY(w->a, const char *, w->types->n + 1);
	for (size_t i = 0; i < w->types->n; i++) {
		const char *type = w->types->rows[i].type;
		size_t k = 0;

		while (k < n && strcmp(w->type_words[k], type) != 0)
			k++;
		w->type_words[k] = type;
		n = k == n ? n + 1 : n;
	}
	w->n_type_words = n;
}

/* The row of a form; NULL: GCC has no instruction for it alone, or the variant is
 * about something that GCC's instructions do not show. */
static const struct gcc_row *row_of(const struct gcc *w, const struct form *f)
{
	char room[OPCODE_ROOM];

	switch (form_family(f)) {
	case FAMILY_PLAIN:
	case FAMILY_VECTOR:
	case FAMILY_BRANCH:
	case FAMILY_FAST:
	case FAMILY_SLOW:
		return name_row(w->types->rows, w->types->n,
				sizeof(*w->types->rows),
				name_opcode(f->name, room));
	default:
		return NULL;
	}
}

static int compare_members(const void *a, const void *b)
{
	const struct gcc_member *x = a, *y = b;
	int order = ORDER(x->type_number, y->type_number);

	if (order == 0)
		order = ORDER(x->mode != NULL, y->mode != NULL);
	if (order == 0 && x->mode)
		order = strcmp(x->mode, y->mode);
	return order ? order : strcmp(x->f->name, y->f->name);
}

static void list_members(struct gcc *w, const struct model *m)
{
	size_t *family = ARENA_ARRAY(w->a, size_t, m->n_forms + 1);

	w->type_port = ARENA_ARRAY(w->a, size_t, w->n_type_words + 1);
	w->members = ARENA_ARRAY(w->a, struct gcc_member, m->n_forms + 1);
	for (size_t i = 0; i < m->n_forms; i++) {
		const struct form *f = catalogue_form(w->c, m->forms[i].name);
		const struct gcc_row *row = f ? row_of(w, f) : NULL;
		struct gcc_member *x = &w->members[w->n_members];

		family[i] = row ? type_number(w, row->type) : PIPES_NO_FAMILY;
		if (!row) {
			w->counts[GCC_NO_TYPE]++;
			continue;
		}
		*x = (struct gcc_member){
			.type = row->type,
			.mode = w->types->mode(w->a, f, row),
			.form = f,
			.f = &m->forms[i],
			.type_number = family[i],
		};
		w->n_members++;
	}
	w->m = pipes_model(w->a, m, family, w->n_type_words, w->type_port);
	for (size_t i = 0; i < w->n_members; i++)
		w->members[i].f = &w->m->forms[w->members[i].f - m->forms];
	order_sort(w->members, w->n_members, sizeof(*w->members),
		   compare_members);
}

void gcc_read(struct gcc *w, const struct model *m)
{
	size_t n = 0;

	list_types(w);
	list_members(w, m);
	w->width = m->width.has_value         ? m->width.low
		   : m->issue_width.has_value ? m->issue_width.low
					      : INFINITY;
	w->width = fmax(1, floor(w->width + SAME_RATE));
	gcc_name_ports(w);
	for (size_t i = 0; i < w->n_members; i++) {
		struct gcc_member x = w->members[i];
		enum gcc_reason why = gcc_cost(w, &x);

		w->counts[why]++;
		if (why == GCC_OK)
			w->members[n++] = x;
	}
	w->n_members = n;
	gcc_reserve(w);
	gcc_mark_units(w);
}
