/* Reads the steps of dialogues; see step.h. */
#include "host/base/step.h"

#include <string.h>

#include "host/base/hex.h"

static const char digits[] = "0123456789";

/* Take a leading "SECONDS|"; false if the number is out of range. */
static bool take_limit(const char **at, uint32_t *ret)
{
	size_t n = strspn(*at, digits);
	uint32_t limit = 0;

	if (n == 0 || (*at)[n] != '|' || !strchr(*at + n + 1, '|'))
		return true;
	for (size_t i = 0; i < n && limit <= STEP_MAX_LIMIT_S; i++)
		limit = limit * 10 + (uint32_t)((*at)[i] - '0');
	*at += n + 1;
	*ret = limit;
	return limit > 0 && limit <= STEP_MAX_LIMIT_S;
}

/* Replace the escape at *at, behind its backslash; returns how many bytes of
 * it there are, 0 if it is none. */
static size_t unescape(const char *at, char *ret)
{
	if (*at == 'e' || *at == '\\') {
		*ret = *at == 'e' ? '\x1b' : '\\';
		return 1;
	}
	if (*at == 'x' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0) {
		*ret = (char)(hex_digit(at[1]) * 16 + hex_digit(at[2]));
		return 3;
	}
	return 0;
}

static int read_keys(struct arena *a, const char *from, struct step *s,
		     struct err *e)
{
	char keys[STEP_MAX_KEYS];
	size_t n = 0;
	bool enter = true;

	for (const char *at = from; *at && enter;) {
		size_t took = 0;

		if (n + 1 == sizeof(keys))
			return err_set(e, ERR_INPUT, "keys of at most %d bytes",
				       STEP_MAX_KEYS - 1);
		if (*at != '\\') {
			keys[n++] = *at++;
		} else if (strcmp(at, "\\c") == 0) {
			enter = false;
		} else {
			took = unescape(at + 1, &keys[n++]);
			if (took == 0)
				return err_set(e, ERR_INPUT,
					       "one of \\e \\\\ \\xHH in the "
					       "keys, or \\c at their end");
			at += 1 + took;
		}
	}
	if (enter)
		keys[n++] = '\r';
	s->keys = arena_copy(a, keys, n);
	s->n_keys = n;
	return ERR_OK;
}

int step_read(struct arena *a, const char *from, struct step *ret,
	      struct err *e)
{
	struct step s = { .limit_s = 0 };
	const char *at = from;

	if (!take_limit(&at, &s.limit_s))
		return err_set(e, ERR_INPUT,
			       "SECONDS|TEXT|KEYS, with 1 to %d seconds",
			       STEP_MAX_LIMIT_S);

	const char *bar = strchr(at, '|');
	size_t n = bar ? (size_t)(bar - at) : 0;

	if (n == 0 || n > STEP_MAX_TEXT)
		return err_set(e, ERR_INPUT,
			       "TEXT|KEYS or SECONDS|TEXT|KEYS, with a text of "
			       "1 to %d bytes",
			       STEP_MAX_TEXT);
	s.text = arena_printf(a, "%.*s", (int)n, at);
	if (read_keys(a, bar + 1, &s, e) != ERR_OK)
		return e->code;
	*ret = s;
	return ERR_OK;
}
