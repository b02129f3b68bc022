/* See about.h. */
#include "target/boot/bare/about.h"

#include <string.h>

/* The text at byte `at`, and *at behind its 0; NULL if it does not end. */
static const char *take_text(const char *about, size_t n, size_t *at)
{
	const char *text = about + *at;
	const char *end = *at < n ? memchr(text, '\0', n - *at) : NULL;

	if (!end)
		return NULL;
	*at = (size_t)(end - about) + 1;
	return text;
}

void about_describe(struct wire_line *w, const char *about, size_t n)
{
	for (size_t at = 0;;) {
		const char *key = take_text(about, n, &at);
		const char *value = take_text(about, n, &at);

		if (!key || !value || *key == '\0')
			return;
		wire_word_if_fits(w, key, value);
	}
}
