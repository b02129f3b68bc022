/* Names the cores and joins the forms of all of them; see inner.h. */
#include <stdlib.h>
#include <string.h>

#include "host/site/inner.h"

/* File name without folders and without the last extension. */
static char *base_name(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = arena_strdup(a, slash ? slash + 1 : path);
	char *dot = strrchr(name, '.');

	if (dot && dot != name)
		*dot = '\0';
	return name;
}

/* A name as part of a file's: other bytes than letters, digits and a few marks
 * become "~" and two digits, '/' becomes '.'. */
static char *file_part(struct arena *a, const char *name)
{
	enum { LONGEST = 180 };
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_,=";
	struct buffer b = { 0 };
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a, 64 bits */

	for (const char *at = name; *at != '\0'; at++) {
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
		if (b.n > LONGEST)
			continue;
		if (strchr(plain, *at))
			buffer_add(&b, at, 1);
		else if (*at == '/')
			buffer_add(&b, ".", 1);
		else
			buffer_printf(&b, "~%02x", (unsigned char)*at);
	}
	if (b.n > LONGEST)
		buffer_printf(&b, "~%016llx", (unsigned long long)hash);
	return buffer_take(a, &b);
}

static bool name_is_taken(const struct site *s, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(s->cores[i].name, name) == 0 ||
		    strcasecmp(s->cores[i].id, name) == 0)
			return true;
	return false;
}

/* A core's name is its CPU; if several have it, with their file's name. */
static void name_core(struct site *s, size_t i)
{
	struct site_core *c = &s->cores[i];
	const char *file = base_name(&s->a, c->path);
	bool is_only = *c->cpu != '\0';

	for (size_t k = 0; k < s->n_cores; k++)
		if (k != i && strcmp(s->cores[k].cpu, c->cpu) == 0)
			is_only = false;
	c->name = is_only   ? c->cpu
		  : *c->cpu ? arena_printf(&s->a, "%s %s", c->cpu, file)
			    : file;
	for (size_t k = 2; name_is_taken(s, i, c->name); k++)
		c->name = arena_printf(&s->a, "%s %s %zu", c->cpu, file, k);
	c->id = file_part(&s->a, c->name);
}

static int by_form(const void *a, const void *b)
{
	const struct site_form *x = a, *y = b;
	int order = (x->place > y->place) - (x->place < y->place);

	return order ? order : strcmp(x->name, y->name);
}

/* The first core of the instruction set, or n_cores. */
static size_t place_of(const struct site *s, const char *isa)
{
	size_t i = 0;

	while (i < s->n_cores && strcmp(s->cores[i].isa, isa) != 0)
		i++;
	return i;
}

const struct site_form *site_find_form(const struct site *s, const char *isa,
				       const char *name, size_t n)
{
	char text[SITE_TEXT];
	struct site_form key = { .name = text, .place = place_of(s, isa) };

	if (n >= sizeof(text))
		return NULL;
	memcpy(text, name, n);
	text[n] = '\0';
	return bsearch(&key, s->forms, s->n_forms, sizeof(key), by_form);
}

void site_join(struct site *s)
{
	struct buffer all = { 0 };
	struct site_form *list;
	size_t n = 0, n_all;

	for (size_t i = 0; i < s->n_cores; i++) {
		name_core(s, i);
		for (size_t k = 0; k < s->cores[i].n_forms; k++) {
			struct site_form f = {
				.isa = s->cores[i].isa,
				.name = s->cores[i].forms[k].name,
				.place = place_of(s, s->cores[i].isa),
			};

			buffer_add(&all, &f, sizeof(f));
		}
	}
	list = buffer_take_list(&s->a, &all, sizeof(*list), &n_all);
	qsort(list, n_all, sizeof(*list), by_form);
	for (size_t i = 0; i < n_all; i++)
		if (n == 0 || by_form(&list[n - 1], &list[i]) != 0)
			list[n++] = list[i];
	s->forms = list;
	s->n_forms = n;
}

void site_fill_forms(struct site *s)
{
	for (size_t i = 0; i < s->n_forms; i++) {
		struct site_form *f = &s->forms[i];

		f->form = catalogue_form(site_catalogue(s, f->isa), f->name);
		f->file = arena_printf(&s->a, "%s/%s", file_part(&s->a, f->isa),
				       file_part(&s->a, f->name));
		f->on = (const struct site_values **)arena_alloc(
			&s->a, s->n_cores, sizeof(struct site_values *));
		for (size_t k = 0; k < s->n_cores; k++) {
			const struct site_core *c = &s->cores[k];

			if (strcmp(c->isa, f->isa) == 0)
				f->on[k] = site_find_values(c, f->name);
		}
	}
}
