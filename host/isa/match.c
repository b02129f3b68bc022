/* Patterns over opcode names. */
#include "host/isa/match.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does the character match others than itself? */
static bool is_wild(char c)
{
	return c == '*' || c == '#';
}

/* Match the part of a pattern after a '*'.  A literal is searched for; one that
 * ends the pattern must end the name. */
static bool ends_with(const char *pattern, const char *name)
{
	size_t literal = strcspn(pattern, "*#"), n = strlen(name);

	if (pattern[literal] == '\0')
		return literal <= n &&
		       memcmp(name + n - literal, pattern, literal) == 0;
	for (; *name; name++) {
		if (!is_wild(*pattern)) {
			name = strchr(name, *pattern);
			if (!name)
				return false;
		}
		if (name_matches(pattern, name))
			return true;
	}
	return name_matches(pattern, name);
}

bool name_matches_all(const char *pattern, const char *name)
{
	for (; *pattern; pattern++, name++) {
		if (*pattern == '*')
			return ends_with(pattern + 1, name);
		if (*pattern == '#') {
			if (!is_digit(*name))
				return false;
			while (is_digit(name[1]))
				name++;
		} else if (*pattern != *name) {
			return false;
		}
	}
	return *name == '\0';
}

bool name_matches_any(const char *const *patterns, const char *name)
{
	for (; patterns && *patterns; patterns++)
		if (name_matches(*patterns, name))
			return true;
	return false;
}

bool name_is_any(const char *const *words, const char *name, size_t n)
{
	for (; *words; words++)
		if (strncmp(*words, name, n) == 0 && (*words)[n] == '\0')
			return true;
	return false;
}

const void *name_row(const void *rows, size_t n, size_t size, const char *name)
{
	for (const char *at = rows; n > 0; n--, at += size)
		if (name_matches_any(
			    *(const char *const *const *)(const void *)at,
			    name))
			return at;
	return NULL;
}

int name_rule(const struct name_rule *rules, size_t n, const char *name,
	      int otherwise)
{
	const struct name_rule *r = name_row(rules, n, sizeof(*rules), name);

	return r ? r->value : otherwise;
}

const char *name_opcode(const char *form, char room[OPCODE_ROOM])
{
	size_t n = strcspn(form, "/");

	n = n < OPCODE_ROOM ? n : 0;
	memcpy(room, form, n);
	room[n] = '\0';
	return room;
}
