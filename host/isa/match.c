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

int name_rule(const struct name_rule *rules, size_t n, const char *name,
	      int otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (name_matches(rules[i].pattern, name))
			return rules[i].value;
	return otherwise;
}

bool name_matches_any(const char *const *patterns, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (name_matches(patterns[i], name))
			return true;
	return false;
}
