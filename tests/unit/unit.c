
#include "tests/unit/unit.h"

enum { LABEL = 256 }; /* bytes of a test's name and its row's */

static struct unit_test *tests;
static struct unit_fixture *each, *group;

void unit_add(struct unit_test *t)
{
	t->next = tests;
	tests = t;
}

void unit_add_each(struct unit_fixture *f)
{
	f->next = each;
	each = f;
}

void unit_add_group(struct unit_fixture *f)
{
	f->next = group;
	group = f;
}

/* Those of this file, or none. */
static struct unit_fixture fixture_of(const struct unit_fixture *f,
				      const char *file)
{
	while (f && strcmp(f->file, file) != 0)
		f = f->next;
	return f ? *f : (struct unit_fixture){ .file = file };
}

static bool is_named(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	size_t n = name ? strlen(name) : 0;

	file = slash ? slash + 1 : file;
	return !name ||
	       (strncmp(file, name, n) == 0 && strcmp(file + n, ".c") == 0);
}

static int by_line(const void *a, const void *b)
{
	const struct unit_test *const *x = a, *const *y = b;

	if ((*x)->line != (*y)->line)
		return (*x)->line < (*y)->line ? -1 : 1;
	/* Rows of one test are in one array. */
	return *x < *y ? -1 : *x > *y;
}

/* The name as cmocka prints it, which is kept until the program ends. */
static const char *label(const struct unit_test *t)
{
	char *text = t->row ? malloc(LABEL) : NULL;

	if (!text)
		return t->name;
	(void)snprintf(text, LABEL, "%s: %s", t->name,
		       *t->row ? t->row : "(empty)");
	return text;
}

/* Runs n tests of one file, in the order of their lines. */
static int run_file(const struct unit_test **sorted, size_t n)
{
	const char *file = sorted[0]->file;
	const struct unit_fixture e = fixture_of(each, file);
	const struct unit_fixture g = fixture_of(group, file);
	struct CMUnitTest *list = calloc(n, sizeof(*list));
	int failed;

	if (!list)
		return 2;
	qsort(sorted, n, sizeof(*sorted), by_line);
	for (size_t i = 0; i < n; i++) {
		const struct unit_test *t = sorted[i];
		bool own = t->setup || t->teardown || t->state;

		list[i] = (struct CMUnitTest){
			.name = label(t),
			.test_func = t->function,
			.setup_func = own ? t->setup : e.setup,
			.teardown_func = own ? t->teardown : e.teardown,
			.initial_state = (void *)(uintptr_t)t->state,
		};
	}
	failed = _cmocka_run_group_tests(file, list, n, g.setup, g.teardown);
	for (size_t i = 0; i < n; i++)
		if (sorted[i]->row && list[i].name != sorted[i]->name)
			free((void *)(uintptr_t)list[i].name);
	free(list);
	return failed;
}

int unit_run(const char *name)
{
	const struct unit_test **found;
	size_t n = 0, most = 0;
	int failed = 2;

	for (const struct unit_test *t = tests; t; t = t->next)
		most++;
	found = calloc(most + 1, sizeof(*found));
	for (const struct unit_test *t = tests; found && t; t = t->next)
		if (is_named(t->file, name))
			found[n++] = t;
	if (n > 0 && strcmp(found[0]->file, found[n - 1]->file) == 0)
		failed = run_file(found, n);
	else
		(void)fprintf(stderr,
			      "expected NAME, as of tests/unit/NAME.c\n");
	free(found);
	return failed;
}
