/* Patterns over opcode names.  A catalogue asks millions of times, so a
 * mismatch in the first characters must cost nothing. */
#include "host/isa/match.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool name_matches(const char *pattern, const char *name)
{
	for (; *pattern; pattern++, name++) {
		if (*pattern == '*') {
			while (!name_matches(pattern + 1, name))
				if (!*name++)
					return false;
			return true;
		}
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
