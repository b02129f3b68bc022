/* Splitting labels; see label.h and experiment.h. */
#include "host/experiment/label.h"

#include <stdlib.h>
#include <string.h>

/* More are in no label that fits. */
enum { MOST_INSTANCES = 1 << 16 };

static bool add_helper(char *step, struct label *l)
{
	unsigned long count = 1;

	if (*step >= '1' && *step <= '9') {
		count = strtoul(step, &step, 10);
		if (*step++ != 'x' || count > 1000)
			return false;
	}
	if (l->n_helpers == LABEL_MAX_HELPERS || *step == '\0')
		return false;
	step[strcspn(step, "@")] = '\0';
	l->helpers[l->n_helpers].form = step;
	l->helpers[l->n_helpers++].count = (unsigned)count;
	return true;
}

/* How often the step stands in a body ("3xFORM"); *ret_form: behind that. */
static unsigned count_of(char *step, char **ret_form)
{
	char *end = step;
	unsigned long count = 1;

	*ret_form = step;
	if (*step < '1' || *step > '9')
		return 1;
	count = strtoul(step, &end, 10);
	if (*end != 'x')
		return 1;
	*ret_form = end + 1;
	return count < MOST_INSTANCES ? (unsigned)count : MOST_INSTANCES;
}

/* "FORM@source>destination" of a single measured step, in place. */
static bool split_step(char *step, struct label *l)
{
	(void)count_of(step, &step);
	l->form = step;

	char *at = strchr(step, '@');

	if (at) {
		char *arrow = strchr(at, '>');

		if (!arrow)
			return false;
		*at = *arrow = '\0';
		l->source = at + 1;
		l->destination = arrow + 1;
	}
	return *l->form != '\0';
}

bool label_split(struct arena *a, const char *text, struct label *ret)
{
	struct label l = { .form = "", .source = "", .destination = "" };
	char *word = arena_strdup(a, text);
	char *steps = strchr(word, ':');
	size_t n_measured = 0;

	if (!steps)
		return false;
	*steps++ = '\0';
	l.kind = experiment_kind_of(word, strlen(word));

	const char *whole = "";
	char *first = NULL, *form;

	for (char *step = steps; step;) {
		char *plus = strchr(step, '+');

		if (plus)
			*plus = '\0';
		if (*step == '~') {
			if (!add_helper(step + 1, &l))
				return false;
		} else {
			l.instances += count_of(step, &form);
			whole = n_measured == 0
					? step
					: arena_printf(a, "%s+%s", whole, step);
			first = n_measured++ == 0 ? step : first;
		}
		step = plus ? plus + 1 : NULL;
	}
	if (n_measured == 0 || *whole == '\0')
		return false;
	l.form = whole;
	if (n_measured == 1 && !split_step(first, &l))
		return false;
	*ret = l;
	return true;
}

bool label_is_operand(const char *end)
{
	return *end >= '0' && *end <= '9';
}

bool label_is_cycle(const struct label *l)
{
	const char *plus = strchr(l->form, '+');
	const char *at = strchr(l->form, '@');

	return l->kind == EXPERIMENT_LATENCY && plus && at && at < plus &&
	       strchr(plus, '@');
}

char *label_first_form(struct arena *a, const struct label *l)
{
	const char *form = l->form;
	size_t digits = strspn(form, "0123456789");

	if (digits > 0 && form[digits] == 'x')
		form += digits + 1;
	return arena_printf(a, "%.*s", (int)strcspn(form, "@+"), form);
}
