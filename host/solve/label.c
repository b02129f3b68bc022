/* Splitting labels; see label.h and host/store/experiment.h. */
#include "host/solve/label.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	enum label_kind kind;
} kinds[] = {
	{ "latency", LABEL_LATENCY },
	{ "control", LABEL_CONTROL },
	{ "throughput", LABEL_THROUGHPUT },
	{ "calibrate", LABEL_CALIBRATE },
	{ "probe", LABEL_PROBE },
	{ "dependent", LABEL_DEPENDENT },
	{ "loop", LABEL_LOOP },
	{ "joint", LABEL_JOINT },
	{ "short", LABEL_SHORT },
	{ "forward", LABEL_FORWARD },
	{ "queue", LABEL_QUEUE },
	{ "merge", LABEL_MERGE },
};

static enum label_kind find_kind(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].word, word) == 0)
			return kinds[i].kind;
	return LABEL_OTHER;
}

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

/* "FORM@source>destination" of a single measured step, in place.  A count
 * ("3xFORM") is in ops_per_body already. */
static bool split_step(char *step, struct label *l)
{
	char *end = step;

	if (*step >= '1' && *step <= '9') {
		(void)strtoul(step, &end, 10);
		if (*end == 'x')
			step = end + 1;
	}
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
	l.kind = find_kind(word);

	const char *whole = "";
	char *first = NULL;

	for (char *step = steps; step;) {
		char *plus = strchr(step, '+');

		if (plus)
			*plus = '\0';
		if (*step == '~') {
			if (!add_helper(step + 1, &l))
				return false;
		} else if (n_measured++ == 0) {
			whole = first = step;
		} else {
			whole = arena_printf(a, "%s+%s", whole, step);
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
