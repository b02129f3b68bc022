/* Splitting labels; see label.h and experiment.h. */
#include "host/experiment/label.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* More are in no label that fits. */
	MOST_INSTANCES = 1 << 16,
	MOST_OF_HELPER = 1000,
};

bool label_read_step(char *text, struct label_step *ret)
{
	struct label_step s = { .count = 1 };
	size_t digits;

	s.helper = *text == '~';
	s.broken = *text == '!';
	text += s.helper || s.broken;
	digits = strspn(text, "0123456789");
	/* A form may start with a digit. */
	if (digits > 0 && *text != '0' && text[digits] == 'x') {
		s.count = strtoul(text, NULL, 10);
		text += digits + 1;
	}
	s.form = text;
	s.source = strchr(text, '@');
	if (s.source) {
		*s.source++ = '\0';
		s.destination = strchr(s.source, '>');
		if (!s.destination)
			return false;
		*s.destination++ = '\0';
	}
	*ret = s;
	return *s.form != '\0';
}

static bool add_helper(const struct label_step *s, struct label *l)
{
	if (l->n_helpers == LABEL_MAX_HELPERS || s->count > MOST_OF_HELPER)
		return false;
	l->helpers[l->n_helpers].form = s->form;
	l->helpers[l->n_helpers++].count = (unsigned)s->count;
	return true;
}

/* Of several measured steps the form is their text. */
static void add_measured(struct arena *a, const struct label_step *s,
			 const char *text, bool first, struct label *l)
{
	l->instances +=
		s->count < MOST_INSTANCES ? (unsigned)s->count : MOST_INSTANCES;
	l->form = first ? text : arena_printf(a, "%s+%s", l->form, text);
	l->source = first && s->source ? s->source : "";
	l->destination = first && s->source ? s->destination : "";
}

bool label_split(struct arena *a, const char *text, struct label *ret)
{
	struct label l = { .form = "", .source = "", .destination = "" };
	char *word = arena_strdup(a, text);
	char *steps = strchr(word, ':');
	size_t n_measured = 0;
	struct label_step s, only = { .form = NULL };

	if (!steps)
		return false;
	*steps++ = '\0';
	l.kind = experiment_kind_of(word, strlen(word));
	for (char *step = steps; step;) {
		char *plus = strchr(step, '+');
		const char *whole;

		if (plus)
			*plus = '\0';
		whole = arena_strdup(a, step);
		if (!label_read_step(step, &s) ||
		    (s.helper && !add_helper(&s, &l)))
			return false;
		if (!s.helper) {
			add_measured(a, &s, whole, n_measured == 0, &l);
			only = s;
			n_measured++;
		}
		step = plus ? plus + 1 : NULL;
	}
	if (n_measured == 0)
		return false;
	if (n_measured == 1)
		l.form = only.form;
	*ret = l;
	return true;
}

bool label_is_operand(const char *end)
{
	return *end >= '0' && *end <= '9';
}

bool label_is_cycle(const struct label *l)
{
	const char *part = l->form, *plus;

	if (l->kind != EXPERIMENT_LATENCY || !strchr(part, '+'))
		return false;
	do {
		plus = strchr(part, '+');
		if (!memchr(part, '@', strcspn(part, "+")))
			return false;
		part = plus ? plus + 1 : part;
	} while (plus);
	return true;
}

char *label_first_form(struct arena *a, const struct label *l)
{
	const char *form = l->form;
	size_t digits = strspn(form, "0123456789");

	if (digits > 0 && form[digits] == 'x')
		form += digits + 1;
	return arena_printf(a, "%.*s", (int)strcspn(form, "@+"), form);
}
