/* Finds forms of a database by an instruction as people type it; see show.h. */
#include "host/cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/nearest.h"
#include "host/isa/isa.h"
#include "host/isa/typed.h"

enum {
	MOST = 20,  /* lines of a table, */
	ALSO = 4,   /* and names in a sentence */
	NAME = 26,  /* columns of a name, */
	CODE = 33,  /* of assembly, */
	CYCLES = 9, /* and of cycles */
};

struct found {
	const char *isa, *name;
	const struct form *form; /* NULL: the catalogue lacks it */
	struct view_row row;
	int score;
	unsigned place;
};

struct finder {
	struct arena *a;
	const char *text;
	struct nearest near;
};

/* Offer the words by which a form is found. */
static void offer(struct finder *w, const struct typed_form *f)
{
	for (const char *at = f->mnemonics; *at != '\0'; at += *at == ',') {
		size_t n = strcspn(at, ",");

		nearest_offer(&w->near, arena_printf(w->a, "%.*s", (int)n, at));
		at += n;
	}
	nearest_offer(&w->near, f->name);
}

/* Score n forms of one instruction set. */
static int score_isa(struct finder *w, struct found *list, size_t n,
		     struct err *e)
{
	const struct isa *isa = isa_find(list->isa);
	struct catalogue *c;
	struct typed_index index;
	struct typed_text t;

	if (!isa)
		return ERR_OK;
	if (catalogue_load(w->a, isa, NULL, &c, e) != ERR_OK)
		return e->code;
	if (typed_index_load(w->a, c, &index, e) != ERR_OK)
		goto out;
	typed_read(isa, w->text, &t);
	/* Such a text would fit every form. */
	if (t.n_words == 0 && t.n_operands == 0)
		goto out;
	if (t.n_words > 0)
		w->near.wanted = arena_strdup(w->a, t.words[0]);
	for (size_t i = 0; i < n; i++) {
		struct typed_form f;

		list[i].form = catalogue_form(c, list[i].name);
		if (!list[i].form) {
			nearest_offer(&w->near, list[i].name);
			continue;
		}
		typed_form(w->a, c, &index, list[i].form, &f);
		list[i].score = typed_score(&t, w->text, &f);
		list[i].place = typed_used_place(&index, list[i].name);
		offer(w, &f);
	}
out:
	catalogue_free(c);
	return e->code;
}

/* Those that fit first, of these those that programs use most. */
static int by_score(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if ((x->score < 0) != (y->score < 0))
		return x->score < 0 ? 1 : -1;
	if (x->score != y->score)
		return x->score < y->score ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void print_form(const struct found *f)
{
	const struct model_span *l = &f->row.latency;
	char latency[24] = ".", throughput[24] = ".";

	if (l->has_value && l->low == l->high)
		(void)snprintf(latency, sizeof(latency), "%.4g", l->low);
	else if (l->has_value)
		(void)snprintf(latency, sizeof(latency), "%.3g..%.3g", l->low,
			       l->high);
	if (f->row.throughput.has_value)
		(void)snprintf(throughput, sizeof(throughput), "%.4g",
			       f->row.throughput.high);
	printf("%-*s %-*.*s %*s %*s\n", NAME, f->name, CODE, CODE,
	       f->form->example, CYCLES, latency, CYCLES, throughput);
}

static void print_table(const struct finder *w, const struct found *list,
			size_t n)
{
	printf("'%s': %zu forms, those that programs use most first\n\n"
	       "%-*s %-*s %*s %*s\n",
	       w->text, n, NAME, "form", CODE, "assembly", CYCLES, "latency",
	       CYCLES, "cycles");
	for (size_t i = 0; i < n && i < MOST; i++)
		print_form(&list[i]);
	if (n > MOST)
		printf("and %zu more\n", n - MOST);
	printf("\nall values of one: anechoic show --db FILE %s\n",
	       list[0].name);
}

static int none(const struct finder *w, struct err *e)
{
	if (w->near.best)
		return err_set(e, ERR_INPUT,
			       "the database has no values of form '%s'; did "
			       "you mean '%s'?",
			       w->text, w->near.best);
	return err_set(e, ERR_INPUT,
		       "the database has no values of form '%s' ('anechoic "
		       "export --format csv' lists all)",
		       w->text);
}

/* Print what else fits. */
static void print_others(const struct finder *w, const struct found *list,
			 size_t n)
{
	printf("'%s': %s", w->text, list[0].name);
	for (size_t i = 1; i < n && i <= ALSO; i++)
		printf("%s%s", i == 1 ? "; also " : ", ", list[i].name);
	printf("%s\n\n", n > ALSO + 1 ? ", ..." : "");
}

/* Is it the same instruction, of another encoding? */
static bool is_same(const struct found *a, const struct found *b)
{
	return strcmp(a->form->example, b->form->example) == 0;
}

static void choose(const struct finder *w, const struct found *list, size_t n,
		   const char **ret)
{
	size_t same = 1, all;

	while (same < n && list[same].score == list[0].score &&
	       is_same(&list[same], &list[0]))
		same++;
	for (all = same; all < n && list[all].score >= 0;)
		all++;
	*ret = same == n || list[same].score != list[0].score ? list[0].name
							      : NULL;
	if (*ret)
		print_others(w, list, all);
	else
		print_table(w, list, all);
}

int show_typed(struct store *s, struct arena *a, const char *text,
	       const char **ret, struct err *e)
{
	struct finder w = { .a = a,
			    .text = text,
			    .near = { .wanted = text, .any_case = true } };
	struct view_claims rest, part;
	struct found *list;
	size_t n = 0;

	if (view_read_claims(s, a, 0, NULL, &rest, e) != ERR_OK)
		return e->code;
	list = ARENA_ARRAY(a, struct found, rest.n + 1);
	while ((part = view_next(&rest, view_same_form)).n > 0)
		list[n++] = (struct found){ .isa = part.list->isa,
					    .name = part.list->form,
					    .row = view_row_of(a, &part),
					    .score = -1 };
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && strcmp(list[end].isa, list[i].isa) == 0;)
			end++;
		if (score_isa(&w, list + i, end - i, e) != ERR_OK)
			return e->code;
	}
	qsort(list, n, sizeof(*list), by_score);
	if (n == 0 || list[0].score < 0)
		return none(&w, e);
	choose(&w, list, n, ret);
	return ERR_OK;
}
