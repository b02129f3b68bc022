/* Writes and reads of a target, from the names that LLVM gives to scheduling
 * classes: "WriteVIALUV_M1_ReadVIALUV_M1_ReadVIALUV_M1"; see whole.h. */
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/order.h"
#include "host/codec/llvm/whole.h"
#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"

const char *const whole_groupings[WHOLE_N_GROUPINGS] = { "MF8", "MF4", "MF2",
							 "M1",  "M2",  "M4",
							 "M8" };

bool whole_same_family(const struct whole_name *x, const struct whole_name *y)
{
	return x->read == y->read && x->family == y->family &&
	       strncmp(x->name, y->name, x->family) == 0;
}

static bool begins_name(const char *at)
{
	return strncmp(at, "Write", 5) == 0 || strncmp(at, "Read", 4) == 0;
}

size_t whole_name_length(const char *class_name)
{
	size_t n = 0;

	if (!begins_name(class_name))
		return 0;
	while (class_name[n] != '\0' &&
	       !(class_name[n] == '_' && begins_name(class_name + n + 1)))
		n++;
	return n;
}

/* The grouping of "NAME_M2" or "NAME_M2_E32"; sets family, grouping, width. */
static void parse_name(struct whole_name *x)
{
	const char *end = x->name + strlen(x->name),
		   *at = strrchr(x->name, '_');

	x->family = (size_t)(end - x->name);
	x->grouping = -1;
	if (at && strcmp(at, "_WorstCase") == 0) {
		x->worst = true;
		x->family = (size_t)(at - x->name);
		return;
	}
	if (at && at[1] == 'E' && at[2] >= '1' && at[2] <= '9') {
		x->sew = (int)strtol(at + 2, NULL, 10);
		end = at;
		do
			at--;
		while (at > x->name && *at != '_');
	}
	for (int i = 0; at && *at == '_' && i < WHOLE_N_GROUPINGS; i++)
		if (strlen(whole_groupings[i]) == (size_t)(end - at - 1) &&
		    strncmp(at + 1, whole_groupings[i],
			    (size_t)(end - at - 1)) == 0)
			x->grouping = i;
	if (x->grouping >= 0)
		x->family = (size_t)(at - x->name);
	else
		x->sew = 0;
}

/* Does a list of an extension have the name, or its family? */
static bool lists_name(const char *list, const struct whole_name *x)
{
	for (const char *at = list; *at != '\0';) {
		size_t n = strcspn(at, " ");
		bool star = at[n - 1] == '*';

		if (star ? strncmp(at, x->name, n - 1) == 0
			 : n == x->family && strncmp(at, x->name, n) == 0)
			return true;
		at += n + (at[n] == ' ');
	}
	return false;
}

static void add_name(struct whole *w, struct buffer *b, const char *name,
		     size_t n)
{
	struct whole_name x = {
		.name = arena_printf(w->a, "%.*s", (int)n, name),
	};

	if (n == 0)
		return;
	parse_name(&x);
	x.read = *name == 'R';
	for (const struct sched_extension *k = w->known->extensions;
	     k->multiclass && !x.extension; k++)
		if (lists_name(k->names, &x))
			x.extension = k;
	buffer_add(b, &x, sizeof(x));
}

static void add_list(struct whole *w, struct buffer *b, const char *list)
{
	for (const char *at = list; *at != '\0';) {
		size_t n = strcspn(at, " ");

		add_name(w, b, at, n);
		at += n + (at[n] == ' ');
	}
}

static void add_class(struct whole *w, struct buffer *b, const char *class_name)
{
	for (const char *at = class_name; begins_name(at);) {
		size_t n = whole_name_length(at);

		add_name(w, b, at, n);
		at += n + (at[n] == '_');
	}
}

static int compare_names(const void *a, const void *b)
{
	const struct whole_name *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct whole_name *whole_find(const struct whole *w, const char *name, size_t n)
{
	size_t low = 0, high = w->n_names;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *its = w->names[middle].name;
		int order = strncmp(its, name, n);

		if (order == 0 && its[n] == '\0')
			return &w->names[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

struct whole_name *whole_write_of(const struct whole *w, const char *class_name)
{
	size_t n = class_name ? whole_name_length(class_name) : 0;
	struct whole_name *x = n > 0 ? whole_find(w, class_name, n) : NULL;

	return x && !x->read ? x : NULL;
}

static void set_flow(struct whole *w, const char *class_name, bool flow)
{
	for (const char *at = class_name; at && *at != '\0';) {
		size_t n = whole_name_length(at);
		struct whole_name *x = whole_find(w, at, n);

		if (x && !x->read)
			x->flow = flow;
		at += n + (at[n] == '_');
	}
}

/* A write that other forms than jumps have is none of jumps. */
static void find_flow(struct whole *w)
{
	for (int jumps = 1; jumps >= 0; jumps--)
		for (size_t i = 0; i < w->c->n_forms; i++)
			if ((w->c->forms[i].status == FORM_CONTROL_FLOW) ==
			    (jumps == 1))
				set_flow(w, w->of_form[i], jumps == 1);
}

static void name_forms(struct whole *w, const struct mc_sched *s)
{
	w->of_form = ARENA_ARRAY(w->a, const char *, w->c->n_forms + 1);
	for (size_t i = 0; i < w->c->n_forms; i++) {
		const struct form *f = &w->c->forms[i];
		struct mc_sched_class k = { .name = "" };
		const char *name;
		uint32_t opcode = f->opcode;

		if (!tables_find(w->tables, f, &name, &opcode) && f->variant)
			continue;
		(void)mc_sched_get_class(s, mc_sched_defined(s, opcode), &k);
		if (whole_name_length(k.name) > 0)
			w->of_form[i] = arena_strdup(w->a, k.name);
	}
}

int whole_read_names(struct whole *w, struct err *e)
{
	struct buffer b = { 0 };
	struct mc_sched_core core;
	struct mc_sched *s;
	size_t n, kept = 0;

	if (mc_sched_open_any(w->c->isa->triple, &s, e) != ERR_OK)
		return e->code;
	mc_sched_get_core(s, &core);
	for (unsigned i = 1; i < core.n_classes; i++) {
		struct mc_sched_class k = { .name = "" };

		(void)mc_sched_get_class(s, i, &k);
		add_class(w, &b, k.name);
	}
	add_list(w, &b, w->known->writes);
	add_list(w, &b, w->known->reads);
	w->names = buffer_take_list(w->a, &b, sizeof(*w->names), &n);
	order_sort(w->names, n, sizeof(*w->names), compare_names);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 ||
		    strcmp(w->names[kept - 1].name, w->names[i].name) != 0)
			w->names[kept++] = w->names[i];
	w->n_names = kept;
	name_forms(w, s);
	find_flow(w);
	mc_sched_close(s);
	return ERR_OK;
}
