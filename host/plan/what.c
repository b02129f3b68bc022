/* Options that choose what is planned; see plan.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/base/expression.h"
#include "host/base/nearest.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"

int plan_parse_what(const char *words, unsigned *ret_what, struct err *e)
{
	static const struct {
		const char *word;
		unsigned bit;
	} known[] = {
		{ "latency", PLAN_LATENCY },
		{ "throughput", PLAN_THROUGHPUT },
	};
	unsigned what = 0;

	for (const char *at = words; *at != '\0';) {
		size_t n = strcspn(at, ",");
		size_t k = 0;

		while (k < ARRAY_LEN(known) &&
		       (strlen(known[k].word) != n ||
			strncmp(known[k].word, at, n) != 0))
			k++;
		if (k == ARRAY_LEN(known))
			return err_set(e, ERR_USAGE,
				       "--what must be latency, throughput, "
				       "latency,throughput or ports, not "
				       "'%.*s'",
				       (int)n, at);
		what |= known[k].bit;
		at += n + (at[n] == ',');
	}
	if (what == 0)
		return err_set(e, ERR_USAGE,
			       "--what must be latency, throughput, "
			       "latency,throughput or ports");
	*ret_what = what;
	return ERR_OK;
}

const char *plan_what_words(unsigned what)
{
	static const char *const words[] = {
		[0] = "",
		[PLAN_LATENCY] = "latency",
		[PLAN_THROUGHPUT] = "throughput",
		[PLAN_LATENCY | PLAN_THROUGHPUT] = "latency,throughput",
	};

	return what < ARRAY_LEN(words) && words[what] ? words[what] : "";
}

int plan_expression(const char *forms, regex_t *ret, struct err *e)
{
	char why[120];

	if (!forms)
		forms = "";
	if (expression_compile(forms, ret, why, sizeof(why)))
		return ERR_OK;
	return err_set(e, ERR_USAGE,
		       "--forms must be an extended regular expression, not "
		       "'%.80s'%s (%s)",
		       forms, strlen(forms) > 80 ? "..." : "", why);
}

/* The first form that matches, or NULL. */
static const struct form *first_match(const struct catalogue *c,
				      const char *forms)
{
	struct err none = { .code = ERR_OK };
	const struct form *found = NULL;
	regex_t expression;

	if (plan_expression(forms, &expression, &none) != ERR_OK)
		return NULL;
	for (size_t i = 0; i < c->n_forms && !found; i++)
		if (regexec(&expression, c->forms[i].name, 0, NULL, 0) == 0)
			found = &c->forms[i];
	regfree(&expression);
	return found;
}

enum { SUGGESTION = 80 };

/* Suggest an expression that matches: the start of a name in capitals, or a
 * name. */
static bool suggest(const struct catalogue *c, const char *forms,
		    char ret[SUGGESTION])
{
	char word[SUGGESTION - 4];
	struct nearest near = { .wanted = word };
	size_t n = 0;

	for (const char *at = forms; *at && n + 1 < sizeof(word); at++)
		if (isalnum((unsigned char)*at) || strchr("_/,", *at))
			word[n++] = *at;
	word[n] = '\0';
	ret[0] = '^';
	for (size_t i = 0; i <= n; i++)
		ret[i + 1] = (char)toupper((unsigned char)word[i]);
	if (n > 0 && first_match(c, ret))
		return true;
	for (size_t i = 0; i < c->n_forms; i++)
		nearest_offer(&near, c->forms[i].name);
	if (near.best)
		(void)snprintf(ret, SUGGESTION, "^%s$", near.best);
	return near.best != NULL;
}

int plan_no_match(const struct catalogue *c, const char *forms, struct err *e)
{
	const struct form *f = first_match(c, forms);
	char suggestion[SUGGESTION];

	if (f)
		return err_set(e, ERR_INPUT,
			       "no form that matches '%s' can be measured (%s: "
			       "%s; see 'anechoic forms' and --variants)",
			       forms ? forms : "", f->name,
			       form_status_word((enum form_status)f->status));
	if (!suggest(c, forms, suggestion))
		return err_set(e, ERR_INPUT,
			       "no form of %s matches '%s' (see 'anechoic "
			       "forms')",
			       c->isa->name, forms);
	return err_set(e, ERR_INPUT,
		       "no form matches '%s' (names are case-sensitive; did "
		       "you mean '%s'?)",
		       forms, suggestion);
}
