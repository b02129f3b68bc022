/* Splits labels into parts and finds kernels by the names in them; see
 * closure.h. */
#include "host/store/closure.h"

#include <stdlib.h>
#include <string.h>

/* A part of a label: a form and, in a latency cycle, the two operands it goes
 * through. */
struct label_part {
	const char *text;
	size_t n_form; /* "ADD64rr" */
	size_t n;      /* "ADD64rr@1>0" */
	bool helper;
	bool has_ends; /* the operands are named */
};

/* A name in a label, and the kernel with that label. */
struct label_name {
	const char *text;
	size_t n;
	double cycles;
	size_t at;
};

struct label_names {
	struct label_name *list;
	size_t n;
};

struct closure_completion {
	const struct closure *c;
	struct label_names own; /* kernels of one form, sorted by form */
	struct label_names
		heads; /* latency cycles, sorted by their first part */
	struct label_names by_part; /* latency cycles, sorted by each part, then
				     * by sum */
	size_t *queue; /* kernels whose labels are not followed yet */
	size_t n_queue;
};

/* Skip a count ("3x" of "3xADD64rr"). */
static const char *skip_count(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n > 0 && *text != '0' && text[n] == 'x' ? text + n + 1 : text;
}

/* Read the part at *at and advance *at to the next; false after the last. */
static bool next_part(const char **at, struct label_part *ret)
{
	const char *text = *at;

	if (*text == '\0')
		return false;
	*ret = (struct label_part){ .helper = *text == '~' };
	text = skip_count(text + (*text == '~' || *text == '!'));
	ret->text = text;
	ret->n = strcspn(text, "+");
	ret->n_form = strcspn(text, "+@");
	ret->has_ends = ret->n_form < ret->n;
	*at = text + ret->n + (text[ret->n] == '+');
	return true;
}

static const char *steps_of(const char *label)
{
	const char *colon = strchr(label, ':');

	return colon ? colon + 1 : "";
}

static bool is_kind(const char *label, const char *kind)
{
	size_t n = strlen(kind);

	return strncmp(label, kind, n) == 0 && label[n] == ':';
}

static size_t n_measured(const char *label)
{
	const char *at = steps_of(label);
	struct label_part p;
	size_t n = 0;

	while (next_part(&at, &p))
		n += !p.helper;
	return n;
}

/* Is it a latency cycle (a chain through several forms with named operands), or
 * the control of one? */
static bool is_latency_cycle(const char *label)
{
	const char *at = steps_of(label);
	struct label_part p;

	while (next_part(&at, &p))
		if (!p.helper && !p.has_ends)
			return false;
	return n_measured(label) > 1 &&
	       (is_kind(label, "latency") || is_kind(label, "control"));
}

/* Keep the kernels that every subset needs: calibration, the mixes before the
 * first throughput kernel, and the kernel of the issue width. */
static void keep_common(const struct closure *c)
{
	static const char *const kinds[] = { "calibrate", "probe", "wake" };
	bool begins = true;

	for (size_t i = 0; i < c->n; i++) {
		struct closure_kernel *k = &c->list[i];
		bool common = k->calib || k->widest;

		begins = begins && !is_kind(k->label, "throughput");
		common |= begins && is_kind(k->label, "mix");
		for (size_t n = 0; n < ARRAY_LEN(kinds); n++)
			common |= is_kind(k->label, kinds[n]);
		if (common)
			k->role = CLOSURE_COMMON;
	}
}

/* The wanted form that this part measures, or NULL.  A mix of "MOV64rm/index"
 * counts issue slots of MOV64rm. */
static const char *wanted_form(const struct closure *c, const char *label,
			       const struct label_part *p, closure_wants *wants,
			       void *context)
{
	char *form = arena_printf(c->a, "%.*s", (int)p->n_form, p->text);
	char *variant = strchr(form, '/');

	if (wants(context, form))
		return form;
	if (!variant || !is_kind(label, "mix"))
		return NULL;
	*variant = '\0';
	return wants(context, form) ? form : NULL;
}

static bool measures_wanted(const struct closure *c, const char *label,
			    closure_wants *wants, closure_found *found,
			    void *context)
{
	const char *at = steps_of(label);
	bool cycle = is_latency_cycle(label), any = false;
	struct label_part p;

	while (next_part(&at, &p)) {
		const char *form =
			p.helper ? NULL
				 : wanted_form(c, label, &p, wants, context);

		if (form)
			found(context,
			      arena_printf(c->a, "%.*s",
					   (int)strcspn(label, ":"), label),
			      form);
		any |= form != NULL;
		if (cycle)
			break;
	}
	return any;
}

size_t closure_choose(const struct closure *c, closure_wants *wants,
		      closure_found *found, void *context)
{
	size_t n = 0;

	/* These kernels measure no form. */
	keep_common(c);
	for (size_t i = 0; i < c->n; i++) {
		struct closure_kernel *k = &c->list[i];

		if (k->role != CLOSURE_NONE ||
		    !measures_wanted(c, k->label, wants, found, context))
			continue;
		k->role = CLOSURE_CHOSEN;
		n++;
	}
	return n;
}

static int compare_text(const struct label_name *x, const struct label_name *y)
{
	int order = memcmp(x->text, y->text, x->n < y->n ? x->n : y->n);

	return order ? order : (x->n > y->n) - (x->n < y->n);
}

static int compare_names(const void *a, const void *b)
{
	const struct label_name *x = a, *y = b;
	int order = compare_text(x, y);

	if (order != 0)
		return order;
	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Index of the first entry that is not less than the key. */
static size_t names_find(const struct label_names *names,
			 const struct label_name *key)
{
	size_t low = 0, high = names->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_text(&names->list[mid], key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool names_match(const struct label_names *names, size_t i,
			const struct label_name *key)
{
	return i < names->n && compare_text(&names->list[i], key) == 0;
}

static void keep_kernel(struct closure_completion *w, size_t at)
{
	if (w->c->list[at].role != CLOSURE_NONE)
		return;
	w->c->list[at].role = CLOSURE_NEEDED;
	w->queue[w->n_queue++] = at;
}

static void keep_all(struct closure_completion *w,
		     const struct label_names *names, const char *text,
		     size_t n)
{
	struct label_name key = { .text = text, .n = n };

	for (size_t i = names_find(names, &key); names_match(names, i, &key);
	     i++)
		keep_kernel(w, names->list[i].at);
}

static void keep_cheapest(struct closure_completion *w,
			  const struct label_part *p)
{
	struct label_name key = { .text = p->text, .n = p->n };
	size_t i = names_find(&w->by_part, &key);

	if (names_match(&w->by_part, i, &key))
		keep_kernel(w, w->by_part.list[i].at);
}

static void follow_label(struct closure_completion *w, const char *label)
{
	const char *at = steps_of(label);
	bool cycle = is_latency_cycle(label);
	struct label_part p;

	while (next_part(&at, &p)) {
		const char *variant = memchr(p.text, '/', p.n_form);

		keep_all(w, &w->own, p.text, p.n_form);
		/* The solver compares slots of "MOV64rm/index" with those of
		 * MOV64rm. */
		if (variant && is_kind(label, "mix"))
			keep_all(w, &w->own, p.text,
				 (size_t)(variant - p.text));
		if (!cycle || p.helper)
			continue;
		keep_all(w, &w->heads, p.text, p.n);
		keep_cheapest(w, &p);
	}
}

static size_t n_parts(const struct closure *c)
{
	struct label_part p;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		for (const char *at = steps_of(c->list[i].label);
		     next_part(&at, &p);)
			n++;
	return n;
}

static void index_kernel(struct closure_completion *w, size_t i)
{
	const struct closure_kernel *k = &w->c->list[i];
	const char *at = steps_of(k->label);
	bool alone = n_measured(k->label) == 1;
	bool cycle = is_latency_cycle(k->label), first = true;
	struct label_part p;

	while ((alone || cycle) && next_part(&at, &p)) {
		struct label_name form = { p.text, p.n_form, 0, i };
		struct label_name part = { p.text, p.n, k->cycles, i };

		if (p.helper)
			continue;
		if (alone)
			w->own.list[w->own.n++] = form;
		if (cycle && first)
			w->heads.list[w->heads.n++] = part;
		if (cycle && k->cycles > 0)
			w->by_part.list[w->by_part.n++] = part;
		first = false;
	}
}

static void names_sort(struct label_names *names)
{
	if (names->n > 0)
		qsort(names->list, names->n, sizeof(*names->list),
		      compare_names);
}

static void keep_one_chain(const struct closure *c)
{
	struct closure_kernel *first = NULL;

	for (size_t i = 0; i < c->n; i++) {
		struct closure_kernel *k = &c->list[i];

		if (k->calib || !is_kind(k->label, "latency"))
			continue;
		if (k->role != CLOSURE_NONE)
			return;
		first = first ? first : k;
	}
	if (first)
		first->role = CLOSURE_NEEDED;
}

void closure_complete(const struct closure *c)
{
	size_t room = n_parts(c) + 1;
	struct closure_completion w = { .c = c };

	w.own.list = ARENA_ARRAY(c->a, struct label_name, room);
	w.heads.list = ARENA_ARRAY(c->a, struct label_name, room);
	w.by_part.list = ARENA_ARRAY(c->a, struct label_name, room);
	w.queue = ARENA_ARRAY(c->a, size_t, c->n + 1);
	for (size_t i = 0; i < c->n; i++)
		index_kernel(&w, i);
	names_sort(&w.own);
	names_sort(&w.heads);
	names_sort(&w.by_part);
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i].role == CLOSURE_CHOSEN)
			w.queue[w.n_queue++] = i;
	while (w.n_queue > 0)
		follow_label(&w, c->list[w.queue[--w.n_queue]].label);
	keep_one_chain(c);
}
