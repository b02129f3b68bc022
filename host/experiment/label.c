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

/* Cut a step's text off the rest; NULL behind the last. */
static char *next_step(char *text)
{
	char *plus = strchr(text, '+');

	if (plus)
		*plus++ = '\0';
	return plus;
}

static void add_measured(const struct label_step *s, const char *text,
			 struct label_part *ret, struct label *l)
{
	unsigned count =
		s->count < MOST_INSTANCES ? (unsigned)s->count : MOST_INSTANCES;

	l->instances += count;
	*ret = (struct label_part){
		.text = text,
		.count = count,
		.form = s->form,
		.source = s->source ? s->source : "",
		.destination = s->source ? s->destination : "",
	};
}

/* Of one measured step all is said; of several the form is their text. */
static void set_form(struct arena *a, const struct label_part *parts, size_t n,
		     struct label *l)
{
	if (n == 1) {
		l->form = parts[0].form;
		l->source = parts[0].source;
		l->destination = parts[0].destination;
		return;
	}
	l->form = parts[0].text;
	for (size_t i = 1; i < n; i++)
		l->form = arena_printf(a, "%s+%s", l->form, parts[i].text);
	l->parts = parts;
	l->n_parts = n;
}

bool label_split(struct arena *a, const char *text, struct label *ret)
{
	struct label l = { .form = "", .source = "", .destination = "" };
	struct label_part first, *parts = &first;
	char *word = arena_strdup(a, text);
	char *steps = strchr(word, ':'), *next;
	size_t n = 0, most = 1;
	struct label_step s;

	if (!steps)
		return false;
	*steps++ = '\0';
	l.kind = experiment_kind_of(word, strlen(word));
	for (const char *at = steps; (at = strchr(at, '+')); at++)
		most++;
	if (most > 1)
		parts = ARENA_ARRAY(a, struct label_part, most);
	for (char *step = steps; step; step = next) {
		const char *whole;

		next = next_step(step);
		whole = arena_strdup(a, step);
		if (!label_read_step(step, &s) ||
		    (s.helper && !add_helper(&s, &l)))
			return false;
		if (!s.helper)
			add_measured(&s, whole, &parts[n++], &l);
	}
	if (n == 0)
		return false;
	set_form(a, parts, n, &l);
	*ret = l;
	return true;
}

size_t label_parts(struct arena *a, const char *steps,
		   const struct label_part **ret)
{
	char *at = arena_strdup(a, steps), *next;
	struct label_part *parts;
	struct label_step s;
	size_t n = 0, most = 1;

	for (const char *plus = steps; (plus = strchr(plus, '+')); plus++)
		most++;
	*ret = parts = ARENA_ARRAY(a, struct label_part, most);
	for (; at; at = next) {
		struct label ignored = { .instances = 0 };
		const char *whole;

		next = next_step(at);
		whole = arena_strdup(a, at);
		if (!label_read_step(at, &s))
			return 0;
		add_measured(&s, whole, &parts[n++], &ignored);
	}
	return n;
}

bool label_is_operand(const char *end)
{
	return *end >= '0' && *end <= '9';
}

bool label_is_cycle(const struct label *l)
{
	if (l->kind != EXPERIMENT_LATENCY || l->n_parts == 0)
		return false;
	for (size_t i = 0; i < l->n_parts; i++)
		if (*l->parts[i].source == '\0')
			return false;
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
