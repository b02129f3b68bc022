/* Parse signatures; see signature.h. One parser handles all three dialects: the
 * first characters of an operand determine its kind. */
#include "host/codec/signature.h"

#include <string.h>

#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/variant.h"

enum { OPERAND = 64 };

/* Is it a shift or extension of the operand before, and no operand of its
 * own? */
static bool is_modifier(const char *text)
{
	static const char *const words[] = {
		"lsl", "lsr", "asr", "ror", "msl", "uxt*", "sxt*", "mul vl",
	};
	char word[OPERAND];
	size_t n = strcspn(text, " ");

	memcpy(word, text, n);
	word[n] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (name_matches(words[i], word) ||
		    name_matches(words[i], text))
			return true;
	return false;
}

static bool signature_is_number(const char *text)
{
	text += *text == '#' || *text == '$';
	text += *text == '-';
	return *text >= '0' && *text <= '9';
}

static void add_register_details(const char *end, struct signature_operand *o)
{
	const char *dot = strchr(end, '.'), *slash = strchr(end, '/');

	if (dot)
		o->shape = dot[strcspn(dot, "/[") - 1];
	if (slash)
		o->predicate = slash[1];
	o->mask = strstr(end, "{%k") != NULL;
	o->zero = strstr(end, "{z}") != NULL;
}

static bool parse_register(const struct isa *isa, const char *text,
			   struct signature_operand *o)
{
	char name[OPERAND];
	size_t n = strcspn(text, " ./[{");

	memcpy(name, text, n);
	name[n] = '\0';
	for (o->file = isa->register_files; o->file->pattern; o->file++)
		if (name_matches(o->file->pattern, name)) {
			o->class = SIGNATURE_REGISTER;
			add_register_details(text + n, o);
			return true;
		}
	o->file = NULL;
	return false;
}

/* "8(a1)", "(%rax,%rcx,8)", "[x0, x1, lsl #3]!" */
static void parse_memory(const struct isa *isa, const char *text,
			 struct signature_operand *o)
{
	const char *comma = strchr(text, ',');
	struct signature_operand index = { 0 };

	o->class = SIGNATURE_MEMORY;
	o->before = text[strlen(text) - 1] == '!';
	o->mask = strstr(text, "{%k") != NULL;
	o->offset = *text != '(' && *text != '[';
	if (!comma)
		return;
	comma += strspn(comma, ", ");

	char word[OPERAND];
	size_t n = strcspn(comma, ",])");

	memcpy(word, comma, n);
	word[n] = '\0';
	o->index = parse_register(isa, word, &index);
	o->scale = o->index && comma[n] == ',';
}

static bool parse_operand(const struct isa *isa, const char *text,
			  struct signature *s)
{
	struct signature_operand o = { .class = SIGNATURE_OTHER };
	struct signature_operand *last =
		s->n > 0 ? &s->operands[s->n - 1] : NULL;

	if (last && last->class == SIGNATURE_MEMORY && *text == '#') {
		last->after = true;
		return true;
	}
	if (is_modifier(text))
		return true;
	if (s->n == SIGNATURE_OPERANDS || *text == '{' || *text == '\0')
		return false;
	if (*text == '[' || strchr(text, '('))
		parse_memory(isa, text, &o);
	else if (signature_is_number(text))
		o.class = SIGNATURE_IMMEDIATE;
	else
		(void)parse_register(isa, text, &o);
	s->operands[s->n++] = o;
	return true;
}

/* Length of the operand at `at`: up to a comma outside brackets. */
static size_t operand_length(const char *at)
{
	int depth = 0;
	size_t n = 0;

	for (; at[n] != '\0' && (depth > 0 || at[n] != ','); n++) {
		depth += strchr("([", at[n]) != NULL;
		depth -= strchr(")]", at[n]) != NULL;
	}
	return n;
}

bool form_is_plain(const struct catalogue *c, const struct form *f)
{
	char name[ISA_NAME_ROOM];
	size_t n = strcspn(f->name, "/");

	if (!f->variant)
		return true;
	if (f->variant->vector_type || n >= sizeof(name))
		return false;
	memcpy(name, f->name, n);
	name[n] = '\0';
	return catalogue_form(c, name) == NULL;
}

bool signature_parse(const struct isa *isa, const char *text,
		     struct signature *ret)
{
	size_t n = strcspn(text, " ");
	const char *at = text + n;

	*ret = (struct signature){ .n = 0 };
	if (n == 0 || n >= SIGNATURE_WORD || *text == '{' ||
	    strstr(text, "lock ") == text || strstr(text, "rep") == text)
		return false;
	memcpy(ret->name, text, n);
	while (*at == ' ' || *at == ',') {
		char operand[OPERAND];
		size_t before = ret->n;

		at += strspn(at, ", ");
		n = operand_length(at);
		if (n >= sizeof(operand))
			return false;
		memcpy(operand, at, n);
		while (n > 0 && operand[n - 1] == ' ')
			n--;
		operand[n] = '\0';
		if (!parse_operand(isa, operand, ret))
			return false;
		if (ret->n > before) {
			ret->operands[before].at = (uint16_t)(at - text);
			ret->operands[before].length = (uint16_t)n;
		}
		at += operand_length(at);
	}
	return true;
}

bool signature_has(const struct signature *s, enum signature_class class)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->operands[i].class == class)
			return true;
	return false;
}

const char *signature_word(const struct signature *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->operands[i].class == SIGNATURE_REGISTER)
			return s->operands[i].file->word;
	return NULL;
}

bool form_signature(const struct catalogue *c, const struct form *f,
		    struct signature *ret)
{
	struct signature_operand *last;

	if (!signature_parse(c->isa, f->example, ret))
		return false;
	last = ret->n > 0 ? &ret->operands[ret->n - 1] : NULL;
	if (last && last->class == SIGNATURE_IMMEDIATE &&
	    ((f->flags & MC_CONTROL_FLOW) != 0 ||
	     (f->variant && f->variant->family == FAMILY_BRANCH)))
		last->class = SIGNATURE_LABEL;
	return true;
}
