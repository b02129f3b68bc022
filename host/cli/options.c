/* Parses the words of a command line by the command's table; see cli.h. */
#include "host/cli/cli.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/nearest.h"
#include "host/isa/isa.h"

/* The field of an option, or of an operand, in a struct of arguments. */
union field {
	void *at;
	const char **word;
	struct option_words *words;
	bool *flag;
	uint32_t *count;
	unsigned *choice;
	char *const **program;
};

static union field field_at(const void *args, size_t offset)
{
	/* Callers whose arguments are const only read the field. */
	return (union field){ .at = (char *)(uintptr_t)args + offset };
}

const char *choice_isa(size_t i)
{
	return isas[i] ? isas[i]->name : NULL;
}

const char *option_choice(const struct option *o, size_t i)
{
	return o->words ? o->words[i] : o->choice ? o->choice(i) : NULL;
}

static const struct option *option_find(const struct command *c,
					const char *name, size_t n)
{
	for (const struct option *o = c->options; o && o->name; o++)
		if (strlen(o->name) == n && strncmp(o->name, name, n) == 0)
			return o;
	return NULL;
}

/* ---- values -------------------------------------------------------------- */

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

/* Append the words that an option accepts: "a, b or c". */
static void add_choices(struct buffer *b, const struct option *o)
{
	for (size_t i = 0; option_choice(o, i); i++)
		buffer_printf(b, "%s%s",
			      i == 0                    ? ""
			      : option_choice(o, i + 1) ? ", "
							: " or ",
			      option_choice(o, i));
}

void option_describe(struct buffer *b, const struct option *o)
{
	buffer_printf(b, "%s", o->meaning);
	if (option_choice(o, 0)) {
		buffer_printf(b, ": ");
		add_choices(b, o);
	}
	if (o->by_default)
		buffer_printf(b, " (default: %s)", o->by_default);
}

/* *ret: which of the accepted words it is, from 1; 0: any word is accepted. */
static int find_choice(const struct option *o, const char *value, unsigned *ret,
		       struct err *e)
{
	struct buffer b = { 0 };

	*ret = 0;
	for (unsigned i = 0; option_choice(o, i); i++)
		if (strcmp(option_choice(o, i), value) == 0)
			*ret = i + 1;
	if (*ret > 0 || !option_choice(o, 0))
		return ERR_OK;
	add_choices(&b, o);
	(void)err_set(e, ERR_USAGE, "%s must be %s, not '%s'", o->name,
		      buffer_text(&b), value);
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

static int set_option(const struct option *o, const char *value, void *args,
		      struct err *e)
{
	union field f = field_at(args, o->field);
	unsigned choice;

	if (o->type == OPTION_FLAG) {
		*f.flag = true;
		return ERR_OK;
	}
	if ((!value || *value == '\0') && o->type == OPTION_COUNT)
		return err_set(e, ERR_USAGE, "%s needs a number", o->name);
	if (!value || *value == '\0')
		return err_set(e, ERR_USAGE, "%s needs an argument: %s",
			       o->name, o->argument);
	if (o->type == OPTION_COUNT)
		return set_count(o, value, f.count, e);
	if (find_choice(o, value, &choice, e) != ERR_OK)
		return e->code;
	if (o->type == OPTION_WORDS)
		return add_word(o->name, value, f.words, e);
	if (o->type == OPTION_CHOICE)
		*f.choice = choice;
	else
		*f.word = value;
	return ERR_OK;
}

static bool is_given(const struct option *o, const void *args)
{
	union field f = field_at(args, o->field);

	switch (o->type) {
	case OPTION_FLAG:
		return *f.flag;
	case OPTION_COUNT:
		return *f.count != 0;
	case OPTION_CHOICE:
		return *f.choice != 0;
	case OPTION_WORDS:
		return f.words->n > 0;
	case OPTION_WORD:
		break;
	}
	return *f.word != NULL;
}

/* The word of an OPTION_WORD or OPTION_CHOICE that is given. */
static const char *word_of(const struct option *o, const void *args)
{
	union field f = field_at(args, o->field);

	return o->type == OPTION_CHOICE ? option_choice(o, *f.choice - 1)
					: *f.word;
}

const char *option_given(const struct command *c, const void *args,
			 const char *name)
{
	const struct option *o = option_find(c, name, strlen(name));

	return o && is_given(o, args) ? word_of(o, args) : NULL;
}

/* ---- words --------------------------------------------------------------- */

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

/* The first word of the operand; NULL: none is given. */
static const char *operand_of(const struct command *c, const void *args)
{
	union field f = field_at(args, c->operand_field);

	if (!c->operand)
		return NULL;
	return c->operand_list ? f.words->words[0] : *f.word;
}

/* Take a word as an operand; *ret_taken: there is room for it. */
static int take_operand(const struct command *c, const char *word, void *args,
			bool *ret_taken, struct err *e)
{
	size_t place = operand_of(c, args) ? c->other_field : c->operand_field;
	union field f = field_at(args, place);

	*ret_taken = c->operand && (c->operand_list || !operand_of(c, args) ||
				    (c->other_field && !*f.word));
	if (!*ret_taken)
		return ERR_OK;
	if (c->operand_list)
		return add_word("FILE", word,
				field_at(args, c->operand_field).words, e);
	*f.word = word;
	return ERR_OK;
}

/* Parse one word of the command line; *used: how many words it took. */
static int parse_word(const struct command *c, char **argv, int left,
		      void *args, int *used, struct err *e)
{
	const char *word = argv[0];
	const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *o = option_find(c, word, n);
	bool taken = false;

	*used = 1;
	if (!o && (word[0] != '-' || word[1] == '\0') &&
	    take_operand(c, word, args, &taken, e) != ERR_OK)
		return e->code;
	if (taken)
		return ERR_OK;
	if (!o)
		return unknown_option(c, word, n, e);
	if (o->type == OPTION_FLAG && equals)
		return err_set(e, ERR_USAGE, "%s takes no argument", o->name);
	if (o->type == OPTION_FLAG || equals)
		return set_option(o, equals ? equals + 1 : NULL, args, e);
	*used = 2;
	return set_option(o, left > 1 ? argv[1] : NULL, args, e);
}

/* ---- options without effect
 * ------------------------------------------------ */

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

static bool is_word_given(const struct rule_word *w, const void *args)
{
	const char *value;

	if (!w->option || !is_given(w->option, args))
		return false;
	if (w->n == w->n_name)
		return true;
	value = word_of(w->option, args);
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

/* Find the first word of the rule that is given; false: none, or no rule. */
static bool find_given(const struct command *c, const char *rule,
		       const void *args, struct rule_word *ret)
{
	while (rule && next_word(c, &rule, ret))
		if (is_word_given(ret, args))
			return true;
	return false;
}

static int check_not_with(const struct command *c, const char *name,
			  const char *rule, const void *args, struct err *e)
{
	struct buffer b = { 0 };
	struct rule_word w;

	if (!find_given(c, rule, args, &w))
		return ERR_OK;
	print_word(&b, &w, false);
	(void)err_set(e, ERR_USAGE, "%s has no effect with %s", name,
		      buffer_text(&b));
	buffer_free(&b);
	return e->code;
}

/* One group: *at is set behind it. */
static int check_group(const struct command *c, const char *name,
		       const char **at, const void *args, struct err *e)
{
	struct buffer b = { 0 };
	struct rule_word w;
	bool met = false;

	while (next_word(c, at, &w)) {
		met |= is_word_given(&w, args);
		if (!w.option)
			continue;
		buffer_printf(&b, "%s", b.n ? " or " : "");
		print_word(&b, &w, true);
	}
	*at += **at == ',';
	if (!met && b.n > 0)
		(void)err_set(e, ERR_USAGE, "%s has no effect without %s", name,
			      buffer_text(&b));
	buffer_free(&b);
	return e->code;
}

static int check_effects(const struct command *c, const void *args,
			 struct err *e)
{
	const char *operand = operand_of(c, args);

	for (const struct option *o = c->options; o && o->name; o++) {
		const char *needs = o->needs ? o->needs : "";

		if (!is_given(o, args))
			continue;
		if (check_not_with(c, o->name, o->not_with, args, e) != ERR_OK)
			return e->code;
		while (*needs != '\0')
			if (check_group(c, o->name, &needs, args, e) != ERR_OK)
				return e->code;
	}
	return operand ? check_not_with(c, operand, c->operand_not_with, args,
					e)
		       : ERR_OK;
}

/* ---- what must be given
 * ---------------------------------------------------- */

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

static int check_required(const struct command *c, const void *args,
			  struct err *e)
{
	const char *operand = operand_of(c, args);
	struct rule_word w;

	for (const struct option *o = c->options; o && o->name; o++)
		if (o->required && !is_given(o, args))
			return err_set(e, ERR_USAGE, "%s: missing %s %s%s%s%s",
				       c->name, o->name, o->argument,
				       o->see ? " (see '" : "",
				       o->see ? o->see : "",
				       o->see ? "')" : "");
	if (!operand && c->operand && !c->operand_optional &&
	    !find_given(c, c->operand_not_with, args, &w))
		return missing_operand(c, e);
	if (c->other_field && !*field_at(args, c->other_field).word)
		return err_set(e, ERR_USAGE, "%s: only '%s' given of %s",
			       c->name, operand, c->operand);
	return ERR_OK;
}

/* Put for each word what it stands for. */
static int resolve_words(const struct command *c, void *args, struct err *e)
{
	for (const struct option *o = c->options; o && o->name; o++) {
		const char **word = field_at(args, o->field).word;

		if (o->resolve && is_given(o, args) &&
		    o->resolve(*word, word, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* ---- the command line
 * ------------------------------------------------------ */

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

int options_parse(const struct command *c, int argc, char **argv, void *args,
		  bool *ret_help, struct err *e)
{
	int used, first;

	*ret_help = false;
	if (take_action(c, argc, argv, &first, e) != ERR_OK)
		return e->code;
	for (int i = first; i < argc; i += used) {
		if (c->program_field && strcmp(argv[i], "--") == 0) {
			*field_at(args, c->program_field).program =
				argv + i + 1;
			break;
		}
		if (is_help(argv[i])) {
			*ret_help = true;
			return ERR_OK;
		}
		if (parse_word(c, argv + i, argc - i, args, &used, e) != ERR_OK)
			return e->code;
	}
	if (check_required(c, args, e) != ERR_OK ||
	    check_effects(c, args, e) != ERR_OK)
		return e->code;
	return resolve_words(c, args, e);
}
