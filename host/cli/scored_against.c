/* --against: what other predictors say of the same code. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/cli/scored.h"

enum { MAX_FILE = 1 << 30 };

static int by_key(const void *a, const void *b)
{
	const struct scored_block *const *x = a, *const *y = b;

	return strcasecmp((*x)->key, (*y)->key);
}

/* The first block with this key, and how many there are. */
static size_t find_blocks(struct scored_block **sorted, size_t n,
			  const char *key, size_t *ret_n)
{
	size_t low = 0, high = n, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcasecmp(sorted[middle]->key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < n && strcasecmp(sorted[end]->key, key) == 0;)
		end++;
	*ret_n = end - low;
	return low;
}

/* The last field of a line, which is a number above 0. */
static bool last_number(const char *line, double *ret)
{
	const char *comma = strrchr(line, ',');
	char *end;

	if (!comma || comma[1] == '\0')
		return false;
	*ret = strtod(comma + 1, &end);
	return *end == '\0' && *ret > 0 && isfinite(*ret);
}

/* Does the line have no cycles, as where a predictor has none? */
static bool is_empty(const char *line)
{
	const char *comma = strrchr(line, ',');

	return *line == '\0' || (comma && comma[1] == '\0');
}

static int read_file(struct scored *w, struct scored_block **sorted,
		     size_t which, const char *path, struct err *e)
{
	char *text;
	size_t n, number = 0;

	if (file_read_text(w->a, path, MAX_FILE, &text, &n, e) != ERR_OK)
		return e->code;
	for (char *line; (line = text_take_line(&text)) != NULL;) {
		size_t first, count;
		double cycles;

		number++;
		if (is_empty(line))
			continue;
		if (!last_number(line, &cycles)) {
			/* The first line may be a heading. */
			if (number == 1)
				continue;
			return err_set(e, ERR_INPUT,
				       "%s:%zu: expected HEX,...,CYCLES, or of "
				       "files NAME,...,CYCLES",
				       path, number);
		}
		line[strcspn(line, ",")] = '\0';
		first = find_blocks(sorted, w->n, line, &count);
		for (size_t i = first; i < first + count; i++)
			sorted[i]->against[which] = cycles;
	}
	return ERR_OK;
}

/* It becomes a heading. */
static bool is_name(const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)word[i]) && word[i] != '-' &&
		    word[i] != '_' && word[i] != '.')
			return false;
	return n > 0;
}

bool scored_is_name(const char *word)
{
	return is_name(word, strlen(word));
}

int scored_against(struct scored *w, const struct option_words *words,
		   size_t more, struct err *e)
{
	const char **names = ARENA_ARRAY(w->a, const char *, words->n + 1);
	struct scored_block **sorted =
		ARENA_ARRAY(w->a, struct scored_block *, w->n + 1);

	for (size_t i = 0; i < w->n; i++) {
		sorted[i] = &w->blocks[i];
		w->blocks[i].against =
			ARENA_ARRAY(w->a, double, words->n + more + 1);
	}
	qsort(sorted, w->n, sizeof(struct scored_block *), by_key);
	w->against = names;
	w->n_against = words->n;
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->words[i];
		const char *equals = strchr(word, '=');

		if (!equals || !is_name(word, (size_t)(equals - word)))
			return err_set(
				e, ERR_USAGE,
				"--against must be NAME=FILE with a name "
				"of letters and digits, not '%s'",
				word);
		names[i] =
			arena_printf(w->a, "%.*s", (int)(equals - word), word);
		if (read_file(w, sorted, i, equals + 1, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}
