/* Finds few regular expressions that match exactly a set of names.
 *
 * A name is cut into parts: ADD|64|rr.  An expression is a product of parts,
 * each of which is a set of alternatives.  Two products that differ in a single
 * part are one whose part is the union: it matches the names of both and no
 * others.  So does a product with one part more than another: the part becomes
 * optional.  Both steps are repeated until none applies. */
#include "host/codec/llvm/regex.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "host/base/order.h"

enum { MAX_PARTS = 24 };

struct part {
	const char *text; /* alternatives: "8|16|32" */
	bool optional;
};

struct product {
	size_t first; /* index of its first name */
	size_t n;
	struct part parts[MAX_PARTS];
	/* Products that agree in it, but for one part, can be joined. */
	const char *key;
};

struct cover {
	struct arena *a;
	struct product *products;
	size_t n;
	size_t n_parts; /* of the product with most */
};

/* ---- parts -------------------------------------------------------------- */

static int kind_of(char c)
{
	return isdigit((unsigned char)c)   ? 0
	       : islower((unsigned char)c) ? 1
	       : isupper((unsigned char)c) ? 2
					   : 3;
}

/* Length of the first part of a text: a run of digits, of small or of capital
 * letters; '_' begins a part.  The last part that there is room for takes the
 * rest. */
static size_t part_length(const char *text, size_t number)
{
	size_t n = strspn(text, "_");
	int kind = kind_of(text[n]);

	if (number + 1 == MAX_PARTS)
		return strlen(text);
	while (text[n] != '\0' && kind_of(text[n]) == kind)
		n++;
	return n;
}

static void cut(struct cover *c, const char *name, size_t index)
{
	struct product *p = &c->products[c->n++];

	p->first = index;
	while (*name != '\0') {
		size_t n = part_length(name, p->n);

		p->parts[p->n++] =
			(struct part){ arena_printf(c->a, "%.*s", (int)n, name),
				       false };
		name += n;
	}
	c->n_parts = c->n_parts > p->n ? c->n_parts : p->n;
}

/* ---- joining ------------------------------------------------------------ */

/* The parts as text, without the one at `without`, if there is one: its place
 * stays visible unless `closed`. */
static const char *make_key(struct arena *a, const struct product *p,
			    size_t without, bool closed)
{
	size_t room = 1, used = 0;
	char *key;

	for (size_t i = 0; i < p->n; i++)
		room += strlen(p->parts[i].text) + 2;
	key = arena_alloc(a, room, 1);
	for (size_t i = 0; i < p->n; i++) {
		const char *text = i == without ? "" : p->parts[i].text;
		size_t length = strlen(text);

		if (i == without && closed)
			continue;
		key[used++] = '/';
		/* NOLINTNEXTLINE(*not-null-terminated-result): more follows. */
		memcpy(key + used, text, length);
		used += length;
		if (i != without && p->parts[i].optional)
			key[used++] = '?';
	}
	return key;
}

static int compare_keys(const void *a, const void *b)
{
	const struct product *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : ORDER(x->first, y->first);
}

static int compare_first(const void *a, const void *b)
{
	const struct product *x = a, *y = b;

	return ORDER(x->first, y->first);
}

/* Join all products that differ in the part `at` alone. */
static bool join_at(struct cover *c, size_t at)
{
	size_t n = 0, end;

	for (size_t i = 0; i < c->n; i++)
		c->products[i].key =
			c->products[i].n > at
				? make_key(c->a, &c->products[i], at, false)
				: arena_printf(c->a, "#%zu", i);
	qsort(c->products, c->n, sizeof(*c->products), compare_keys);
	for (size_t i = 0; i < c->n; i = end) {
		struct product p = c->products[i];

		for (end = i + 1;
		     end < c->n && strcmp(c->products[end].key, p.key) == 0;
		     end++) {
			const struct part *other = &c->products[end].parts[at];

			p.parts[at].text = arena_printf(
				c->a, "%s|%s", p.parts[at].text, other->text);
			p.parts[at].optional |= other->optional;
		}
		c->products[n++] = p;
	}
	assert(n <= c->n);
	end = c->n;
	c->n = n;
	return n < end;
}

static int compare_key_to(const void *key, const void *p)
{
	return strcmp(key, ((const struct product *)p)->key);
}

/* Join a product with one that lacks its part `at`; that part becomes optional.
 */
static bool join_optional(struct cover *c, size_t at)
{
	size_t n = 0;
	bool *gone = ARENA_ARRAY(c->a, bool, c->n);

	for (size_t i = 0; i < c->n; i++)
		c->products[i].key =
			make_key(c->a, &c->products[i], MAX_PARTS, false);
	qsort(c->products, c->n, sizeof(*c->products), compare_keys);
	for (size_t i = 0; i < c->n; i++) {
		struct product *p = &c->products[i], *shorter;

		if (p->n <= at || p->n < 2 || p->parts[at].optional)
			continue;
		shorter = bsearch(make_key(c->a, p, at, true), c->products,
				  c->n, sizeof(*p), compare_key_to);
		if (!shorter || gone[shorter - c->products] || gone[i])
			continue;
		gone[shorter - c->products] = true;
		p->parts[at].optional = true;
		p->first =
			p->first < shorter->first ? p->first : shorter->first;
	}
	for (size_t i = 0; i < c->n; i++)
		if (!gone[i])
			c->products[n++] = c->products[i];
	assert(n <= c->n);
	for (size_t i = c->n; i-- > 0;)
		if (gone[i]) {
			c->n = n;
			return true;
		}
	return false;
}

/* ---- text --------------------------------------------------------------- */

static const char *expression(struct arena *a, const struct product *p)
{
	const char *text = "^";

	for (size_t i = 0; i < p->n; i++) {
		const struct part *x = &p->parts[i];
		bool group = x->optional || strchr(x->text, '|');

		text = arena_printf(a, "%s%s%s%s%s", text, group ? "(" : "",
				    x->text, group ? ")" : "",
				    x->optional ? "?" : "");
	}
	return arena_printf(a, "%s$", text);
}

size_t llvm_regex_cover(struct arena *a, const char *const *names, size_t n,
			const char *const **ret_expressions)
{
	struct arena scratch = { 0 };
	struct cover c = { .a = &scratch };
	const char **expressions = ARENA_ARRAY(a, const char *, n + 1);
	bool joined = n > 1;

	c.products = ARENA_ARRAY(&scratch, struct product, n + 1);
	for (size_t i = 0; i < n; i++)
		cut(&c, names[i], i);
	while (joined) {
		joined = false;
		for (size_t at = c.n_parts; at-- > 0;)
			joined |= join_at(&c, at);
		for (size_t at = c.n_parts; at-- > 0;)
			joined |= join_optional(&c, at);
	}
	order_sort(c.products, c.n, sizeof(*c.products), compare_first);
	for (size_t i = 0; i < c.n; i++)
		expressions[i] =
			arena_strdup(a, expression(&scratch, &c.products[i]));
	arena_free(&scratch);
	*ret_expressions = expressions;
	return c.n;
}
