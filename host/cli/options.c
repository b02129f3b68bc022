/* Parses the words of a command line by the command's table; see cli.h. */
#include "host/cli/cli.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/nearest.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/store/store.h"
#include "host/store/store_core.h"

const char *choice_isa(size_t i)
{
	return isas[i] ? isas[i]->name : NULL;
}

const char *choice_text_csv(size_t i)
{
	static const char *const words[] = { "text", "csv", NULL };

	return words[i];
}

static const struct option *option_find(const struct command *c,
					const char *name, size_t n)
{
	for (const struct option *o = c->options; o && o->name; o++)
		if (strlen(o->name) == n && strncmp(o->name, name, n) == 0)
			return o;
	return NULL;
}

static int set_count(const struct option *o, const char *value, uint32_t *ret,
		     struct err *e)
{
	enum { LIMIT = 1000 * 1000 * 1000 };
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n == 0 || n > LIMIT)
		return err_set(e, ERR_USAGE,
			       "%s must be a number from 1 to %d, not '%s'",
			       o->name, LIMIT, value);
	*ret = (uint32_t)n;
	return ERR_OK;
}

void option_choices(struct buffer *b, const struct option *o)
{
	for (size_t i = 0; o->choice(i); i++)
		buffer_printf(b, "%s%s",
			      i == 0             ? ""
			      : o->choice(i + 1) ? ", "
						 : " or ",
			      o->choice(i));
}

static int check_choice(const struct option *o, const char *value,
			struct err *e)
{
	struct buffer b = { 0 };

	for (size_t i = 0; o->choice(i); i++)
		if (strcmp(o->choice(i), value) == 0)
			return ERR_OK;
	option_choices(&b, o);
	(void)err_set(e, ERR_USAGE, "%s must be %.*s, not '%s'", o->name,
		      (int)b.n, (const char *)b.bytes, value);
	buffer_free(&b);
	return e->code;
}

static int add_word(const char *name, const char *value,
		    struct option_words *ret, struct err *e)
{
	if (ret->n == OPTION_MAX_WORDS)
		return err_set(e, ERR_USAGE, "%s is given more than %d times",
			       name, OPTION_MAX_WORDS);
	ret->words[ret->n++] = value;
	return ERR_OK;
}

static int set_option(const struct option *o, const char *value,
		      struct options *ret, struct err *e)
{
	char *field = (char *)ret + o->field;

	if (o->type == OPTION_FLAG) {
		*(bool *)field = true;
		return ERR_OK;
	}
	if ((!value || *value == '\0') && o->type == OPTION_COUNT)
		return err_set(e, ERR_USAGE, "%s needs a number", o->name);
	if (!value || *value == '\0')
		return err_set(e, ERR_USAGE, "%s needs an argument: %s",
			       o->name, o->argument);
	if (o->type == OPTION_COUNT)
		return set_count(o, value, (uint32_t *)(void *)field, e);
	if (o->choice && check_choice(o, value, e) != ERR_OK)
		return e->code;
	if (o->type == OPTION_WORDS)
		return add_word(o->name, value,
				(struct option_words *)(void *)field, e);
	*(const char **)(void *)field = value;
	return ERR_OK;
}

static int unknown_option(const struct command *c, const char *word, size_t n,
			  struct err *e)
{
	char name[64];
	struct nearest near = { .wanted = name };

	(void)snprintf(name, sizeof(name), "%.*s", (int)n, word);
	if (*word != '-')
		return err_set(e, ERR_USAGE,
			       "%s: unexpected argument '%s' (see 'anechoic "
			       "help %s')",
			       c->name, word, c->name);
	for (const struct option *o = c->options; o && o->name; o++)
		nearest_offer(&near, o->name);
	if (near.best)
		return err_set(e, ERR_USAGE,
			       "%s: unknown option '%s'; did you mean '%s'?",
			       c->name, name, near.best);
	return err_set(e, ERR_USAGE,
		       "%s: unknown option '%s' (see 'anechoic help %s')",
		       c->name, name, c->name);
}

/* Parse one word of the command line; *used: how many words it took. */
static int parse_word(const struct command *c, char **argv, int left,
		      struct options *ret, int *used, struct err *e)
{
	const char *word = argv[0];
	const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *o = option_find(c, word, n);
	bool operand = word[0] != '-' || word[1] == '\0';

	*used = 1;
	if (!o && operand && c->operand && (c->operand_list || !ret->form)) {
		ret->form = word;
		return c->operand_list ? add_word("FILE", word, &ret->inputs, e)
				       : ERR_OK;
	}
	if (!o && operand && c->two_operands && !ret->other) {
		ret->other = word;
		return ERR_OK;
	}
	if (!o)
		return unknown_option(c, word, n, e);
	if (o->type == OPTION_FLAG && equals)
		return err_set(e, ERR_USAGE, "%s takes no argument", o->name);
	if (o->type == OPTION_FLAG || equals)
		return set_option(o, equals ? equals + 1 : NULL, ret, e);
	*used = 2;
	return set_option(o, left > 1 ? argv[1] : NULL, ret, e);
}

static int missing_operand(const struct command *c, struct err *e)
{
	char what[32];
	size_t i = 0;

	for (; c->operand[i] && c->operand[i] != '.' && i + 1 < sizeof(what);
	     i++)
		what[i] = (char)tolower((unsigned char)c->operand[i]);
	what[i] = '\0';
	return err_set(e, ERR_USAGE, "%s: no %s given; example: %.*s", c->name,
		       what, (int)strcspn(c->examples, "\n"), c->examples);
}

static int check_required(const struct command *c, const struct options *ret,
			  struct err *e)
{
	for (const struct option *o = c->options; o && o->name; o++) {
		const char *field = (const char *)ret + o->field;

		if (o->required && !*(const char *const *)(const void *)field)
			return err_set(e, ERR_USAGE, "%s: missing %s %s%s%s%s",
				       c->name, o->name, o->argument,
				       o->see ? " (see '" : "",
				       o->see ? o->see : "",
				       o->see ? "')" : "");
	}
	if (c->operand && !c->operand_optional && !ret->form && !ret->batch)
		return missing_operand(c, e);
	if (c->two_operands && !ret->other)
		return err_set(e, ERR_USAGE, "%s: only '%s' given of %s",
			       c->name, ret->form, c->operand);
	return ERR_OK;
}

/* ---- options without effect ------------------------------------------------ */

static bool is_given(const struct option *o, const struct options *in)
{
	const char *field = (const char *)in + o->field;

	switch (o->type) {
	case OPTION_FLAG:
		return *(const bool *)field;
	case OPTION_COUNT:
		return *(const uint32_t *)(const void *)field != 0;
	case OPTION_WORDS:
		return ((const struct option_words *)(const void *)field)->n >
		       0;
	case OPTION_WORD:
		break;
	}
	return *(const char *const *)(const void *)field != NULL;
}

/* An option of a rule, "--name" or "--name=value", of n characters. */
struct rule_word {
	const char *text;
	size_t n, n_name;
	const struct option *option; /* NULL: the command has none such */
};

/* The next word of the rule; false behind the last of its group. */
static bool next_word(const struct command *c, const char **at,
		      struct rule_word *ret)
{
	*at += strspn(*at, " ");
	*ret = (struct rule_word){ .text = *at, .n = strcspn(*at, " ,") };
	ret->n_name = strcspn(*at, "= ,");
	ret->option = option_find(c, *at, ret->n_name);
	*at += ret->n;
	return ret->n > 0;
}

static bool is_word_given(const struct rule_word *w, const struct options *in)
{
	const char *value;

	if (!w->option || !is_given(w->option, in))
		return false;
	if (w->n == w->n_name)
		return true;
	value = *(const char *const *)(const void *)((const char *)in +
						     w->option->field);
	return strlen(value) == w->n - w->n_name - 1 &&
	       strncmp(value, w->text + w->n_name + 1, strlen(value)) == 0;
}

/* "--format dot" or, without a value, "--db FILE" */
static void print_word(struct buffer *b, const struct rule_word *w,
		       bool argument)
{
	buffer_printf(b, "%.*s", (int)w->n_name, w->text);
	if (w->n > w->n_name)
		buffer_printf(b, " %.*s", (int)(w->n - w->n_name - 1),
			      w->text + w->n_name + 1);
	else if (argument && w->option->argument)
		buffer_printf(b, " %s", w->option->argument);
}

static int check_not_with(const struct command *c, const char *name,
			  const char *rule, const struct options *in,
			  struct err *e)
{
	struct buffer b = { 0 };
	struct rule_word w;

	while (next_word(c, &rule, &w)) {
		if (!is_word_given(&w, in))
			continue;
		print_word(&b, &w, false);
		(void)err_set(e, ERR_USAGE, "%s has no effect with %.*s", name,
			      (int)b.n, (const char *)b.bytes);
		buffer_free(&b);
		break;
	}
	return e->code;
}

/* One group: *at is set behind it. */
static int check_group(const struct command *c, const char *name,
		       const char **at, const struct options *in, struct err *e)
{
	struct buffer b = { 0 };
	struct rule_word w;
	bool met = false;

	while (next_word(c, at, &w)) {
		met |= is_word_given(&w, in);
		if (!w.option)
			continue;
		buffer_printf(&b, "%s", b.n ? " or " : "");
		print_word(&b, &w, true);
	}
	*at += **at == ',';
	if (!met && b.n > 0)
		(void)err_set(e, ERR_USAGE, "%s has no effect without %.*s",
			      name, (int)b.n, (const char *)b.bytes);
	buffer_free(&b);
	return e->code;
}

static int check_effects(const struct command *c, const struct options *in,
			 struct err *e)
{
	for (const struct option *o = c->options; o && o->name; o++) {
		const char *needs = o->needs ? o->needs : "";

		if (!is_given(o, in))
			continue;
		if (o->not_with &&
		    check_not_with(c, o->name, o->not_with, in, e) != ERR_OK)
			return e->code;
		while (*needs != '\0')
			if (check_group(c, o->name, &needs, in, e) != ERR_OK)
				return e->code;
	}
	if (in->form && c->operand_not_with)
		return check_not_with(c, in->form, c->operand_not_with, in, e);
	return ERR_OK;
}

int options_choose_core(const struct options *o, struct store *s, struct err *e)
{
	const struct core_query q = { .board = o->board,
				      .isa = o->isa,
				      .core_of = o->core_of };

	return store_choose_core(s, &q, e);
}

struct model_source options_model(const struct options *o)
{
	return (struct model_source){ .db = o->db,
				      .board = o->board,
				      .core_of = o->core_of,
				      .file = o->model,
				      .cpu = o->cpu,
				      .isa = o->isa,
				      .tables = o->tables,
				      .strict = o->strict };
}

void options_report_entries(const struct model *m, bool always)
{
	if (m->n_skipped > 0)
		(void)fprintf(stderr,
			      "anechoic: %zu of %zu entries are left out; the "
			      "first: %s\n",
			      m->n_skipped, m->n_entries, m->skipped);
	else if (always && m->n_entries > 0)
		(void)fprintf(stderr, "anechoic: %zu entries, none left out\n",
			      m->n_entries);
	if (always && m->n_unused > 0)
		(void)fprintf(
			stderr,
			"anechoic: entries that stand for no form of %s: %zu "
			"of %zu%s\n",
			m->isa, m->n_unused, m->n_named,
			m->n_named > m->n_entries
				? ", those with several names once for each"
				: "");
}

int options_families(const struct options *o, uint64_t *ret, struct err *e)
{
	if (families_parse(o->variants, ret, e) != ERR_OK)
		return e->code;
	*ret |= o->x87 ? UINT64_C(1) << FAMILY_X87 : 0;
	return ERR_OK;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* The word that must follow the command's name; *ret: how many it took. */
static int take_action(const struct command *c, int argc, char **argv, int *ret,
		       struct err *e)
{
	*ret = 0;
	if (!c->action || (argc > 0 && is_help(argv[0])))
		return ERR_OK;
	if (argc == 0 || strcmp(argv[0], c->action) != 0)
		return err_set(e, ERR_USAGE,
			       "%s: expected '%s' to follow; example: %.*s",
			       c->name, c->action,
			       (int)strcspn(c->examples, "\n"), c->examples);
	*ret = 1;
	return ERR_OK;
}

int options_parse(const struct command *c, int argc, char **argv,
		  struct options *ret, bool *ret_help, struct err *e)
{
	struct options o = { 0 };
	int used, first;

	*ret_help = false;
	if (take_action(c, argc, argv, &first, e) != ERR_OK)
		return e->code;
	for (int i = first; i < argc; i += used) {
		if (c->takes_program && strcmp(argv[i], "--") == 0) {
			o.program = argv + i + 1;
			break;
		}
		if (is_help(argv[i])) {
			*ret_help = true;
			return ERR_OK;
		}
		if (parse_word(c, argv + i, argc - i, &o, &used, e) != ERR_OK)
			return e->code;
	}
	if (check_required(c, &o, e) != ERR_OK ||
	    check_effects(c, &o, e) != ERR_OK)
		return e->code;
	*ret = o;
	return ERR_OK;
}
