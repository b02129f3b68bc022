/* See expression.h. */
#include "host/base/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Sixteen hundred names of ten letters. */
	MOST_BYTES = 16 << 10,
	MOST_DEPTH = 50,
	/* What is left of it when all repetitions are written out. */
	MOST_ATOMS = 16 << 10,
	/* '|', '?', '*' and so on among these: the library keeps for each the
	 * set of those that can follow it, memory of the square. */
	MOST_CHOICES = 2000,
};

struct extent {
	uint64_t atoms, choices;
};

struct measurer {
	const char *at;
	struct extent open[MOST_DEPTH + 1]; /* of the groups that are open */
	struct extent last;                 /* what a repetition repeats */
	int depth;
};

static struct extent sum(struct extent a, struct extent b)
{
	return (struct extent){ a.atoms + b.atoms, a.choices + b.choices };
}

/* What was last becomes part of its group. */
static void settle(struct measurer *m)
{
	m->open[m->depth] = sum(m->open[m->depth], m->last);
	m->last = (struct extent){ 0 };
}

static void add_atom(struct measurer *m)
{
	settle(m);
	m->last.atoms = 1;
}

/* "[...]": a ']' at its beginning, and those of [:class:], [.x.] and [=x=], do
 * not end it. */
static void pass_brackets(struct measurer *m)
{
	m->at++;
	if (*m->at == '^')
		m->at++;
	if (*m->at == ']')
		m->at++;
	for (; *m->at != '\0' && *m->at != ']'; m->at++) {
		char kind = *m->at == '[' ? m->at[1] : '\0';

		if (kind != ':' && kind != '.' && kind != '=')
			continue;
		m->at += 2;
		while (*m->at != '\0' && !(m->at[0] == kind && m->at[1] == ']'))
			m->at++;
		if (*m->at == '\0')
			break;
		m->at++;
	}
	add_atom(m);
}

/* "{3}", "{3,}", "{3,9}": what was last so many times.  Each that may be
 * missing is a choice. */
static void repeat(struct measurer *m)
{
	char *end;
	uint64_t least = strtoull(m->at + 1, &end, 10), most = least;

	if (*end == ',')
		most = strtoull(end + 1, &end, 10);
	if (*end != '}')
		return;
	if (most < least + 1)
		most = least + 1;
	/* No overflow: both counts stay below MOST_ATOMS squared. */
	if (most > MOST_ATOMS)
		most = MOST_ATOMS;
	m->last.choices = m->last.choices * most + most;
	m->last.atoms *= most;
	m->at = end;
}

static const char *measure_one(struct measurer *m)
{
	switch (*m->at) {
	case '(':
		settle(m);
		if (m->depth == MOST_DEPTH)
			return "groups are nested too deeply";
		m->open[++m->depth] = (struct extent){ .atoms = 1 };
		break;
	case ')':
		settle(m);
		if (m->depth > 0)
			m->last = m->open[m->depth--];
		break;
	case '[':
		pass_brackets(m);
		break;
	case '{':
		repeat(m);
		break;
	case '|':
		settle(m);
		m->open[m->depth].choices++;
		break;
	/* The C library compiles "a+" as "aa*": "a++++" has sixteen. */
	case '+':
		m->last.choices = 2 * m->last.choices + 1;
		m->last.atoms *= 2;
		break;
	case '*':
	case '?':
		m->last.choices++;
		break;
	case '\\':
		if (m->at[1] >= '1' && m->at[1] <= '9')
			return "it refers back to a group, which takes too "
			       "long";
		if (m->at[1] != '\0')
			m->at++;
		add_atom(m);
		break;
	default:
		add_atom(m);
	}
	return NULL;
}

/* NULL, or why the expression is not compiled. */
static const char *find_excess(const char *text)
{
	struct measurer m = { .at = text };

	if (strlen(text) > MOST_BYTES)
		return "it is longer than 16384 bytes";
	for (; *m.at != '\0'; m.at++) {
		const char *why = measure_one(&m);
		struct extent all = sum(m.open[m.depth], m.last);

		if (why)
			return why;
		if (all.atoms > MOST_ATOMS || all.choices > MOST_CHOICES)
			return "it is too large when its repetitions and "
			       "alternatives are written out";
		/* A ']' or '}' that is missing. */
		if (*m.at == '\0')
			break;
	}
	return NULL;
}

bool expression_compile(const char *text, regex_t *ret, char *why, size_t room)
{
	const char *excess = find_excess(text);
	int bad;

	if (excess) {
		(void)snprintf(why, room, "%s", excess);
		return false;
	}
	bad = regcomp(ret, text, REG_EXTENDED | REG_NOSUB);
	if (bad == 0)
		return true;
	(void)regerror(bad, ret, why, room);
	return false;
}
