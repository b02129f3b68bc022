/* Classes of a model, from the claims of the run that found its ports. */
#include "host/cli/model_classes.h"

#include <stdio.h>
#include <string.h>

#include "host/base/arena.h"
#include "host/store/store_claim.h"

enum { WIDTH = 24 };

struct classes {
	const char *board;
	int64_t run; /* the newest with ports */
	size_t n;
	const char *matrix; /* the one being printed */
	struct arena a;
};

static int newest(void *context, const struct claim *c, struct err *e)
{
	struct classes *w = context;

	(void)e;
	if (strcmp(c->kind, "width") == 0 && c->run > w->run &&
	    strcmp(c->board, w->board) == 0)
		w->run = c->run;
	return 0;
}

static int print_class(void *context, const struct claim *c, struct err *e)
{
	struct classes *w = context;

	(void)e;
	if (strcmp(c->kind, "class") != 0 || *c->source == '\0')
		return 0;
	if (w->n++ == 0)
		printf("\nclasses of one uop: which form stands for each, and "
		       "its ports\n");
	printf("  %-*s %s\n", WIDTH, c->form, c->source);
	return 0;
}

/* The claims are ordered by form: a line for each form and matrix. */
static int print_matrix(void *context, const struct claim *c, struct err *e)
{
	struct classes *w = context;

	(void)e;
	if (strcmp(c->kind, "matrix") != 0)
		return 0;
	if (w->n++ == 0)
		printf("\nmatrices that agree with all measurements, although "
		       "they differ in unions of\nports below the width; the "
		       "ports of each class in every matrix:\n");
	if (!w->matrix || strcmp(w->matrix, c->form) != 0)
		printf("%s  %-*s", w->matrix ? "\n" : "", WIDTH, c->form);
	w->matrix = arena_strdup(&w->a, c->form);
	printf(" %-12s", c->destination);
	return 0;
}

int model_classes(struct store *s, const char *board, struct err *e)
{
	struct classes w = { .board = board };

	if (store_port_claims(s, 0, NULL, newest, &w, e) == ERR_OK &&
	    w.run > 0 &&
	    store_port_claims(s, w.run, NULL, print_class, &w, e) == ERR_OK) {
		w.n = 0;
		(void)store_port_claims(s, w.run, NULL, print_matrix, &w, e);
		if (w.n > 0)
			(void)putchar('\n');
	}
	arena_free(&w.a);
	return e->code;
}
