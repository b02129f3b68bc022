/* Reader of `key = value` files; see conf.h. */
#include "host/base/conf.h"

#include <string.h>

#include "host/base/file.h"

enum { CONF_LIMIT = 64 << 10 };

static char *trim_end(char *from)
{
	char *end = from + strlen(from);

	while (end > from &&
	       (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	*end = '\0';
	return from;
}

/* Split a NUL-terminated line; false if it is not `key = value`. */
static bool split_line(char *line, struct conf_entry *ret)
{
	char *key_end =
		line + strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_.");
	char *at = key_end + strspn(key_end, " \t");

	if (key_end == line || *at != '=')
		return false;
	*key_end = '\0';
	at++;
	at += strspn(at, " \t");
	ret->key = line;
	ret->value = trim_end(at);
	return true;
}

static int add_line(struct conf *c, char *line, int number, struct err *e)
{
	struct conf_entry entry = { .line = number };

	trim_end(line);
	if (*line == '\0' || *line == '#')
		return ERR_OK;
	if (!split_line(line, &entry))
		return err_set(e, ERR_INPUT,
			       "%s:%d: expected `key = value` or a comment",
			       c->path, number);
	if (conf_get(c, entry.key))
		return err_set(e, ERR_INPUT, "%s:%d: key '%s' is given twice",
			       c->path, number, entry.key);
	c->entries[c->n++] = entry;
	return ERR_OK;
}

/* The text becomes the values. */
static int take_text(struct arena *a, const char *path, char *text,
		     struct conf *ret_conf, struct err *e)
{
	struct conf c = { .path = arena_strdup(a, path) };
	size_t n_lines = 1;
	int ret = ERR_OK;

	for (const char *at = text; at && *at; at++)
		n_lines += *at == '\n';
	c.entries = ARENA_ARRAY(a, struct conf_entry, n_lines);

	for (int number = 1; text && ret == ERR_OK; number++) {
		char *next = strchr(text, '\n');

		if (next)
			*next++ = '\0';
		ret = add_line(&c, text, number, e);
		text = next;
	}
	if (ret == ERR_OK)
		*ret_conf = c;
	return ret;
}

int conf_parse(struct arena *a, const char *path, const char *text,
	       struct conf *ret_conf, struct err *e)
{
	return take_text(a, path, arena_strdup(a, text), ret_conf, e);
}

int conf_read(struct arena *a, const char *path, struct conf *ret_conf,
	      struct err *e)
{
	char *text;
	size_t n;

	if (file_read_text(a, path, CONF_LIMIT, &text, &n, e) != ERR_OK)
		return e->code;
	return take_text(a, path, text, ret_conf, e);
}

static const struct conf_entry *conf_find(const struct conf *c, const char *key)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->entries[i].key, key) == 0)
			return &c->entries[i];
	return NULL;
}

const char *conf_get(const struct conf *c, const char *key)
{
	const struct conf_entry *x = conf_find(c, key);

	return x ? x->value : NULL;
}

int conf_line(const struct conf *c, const char *key)
{
	const struct conf_entry *x = conf_find(c, key);

	return x ? x->line : 0;
}

static bool is_key(const char *known, const char *key)
{
	size_t n = strlen(known);

	if (n == 0 || known[n - 1] != '.')
		return strcmp(known, key) == 0;
	return strncmp(known, key, n) == 0 && key[n] != '\0' &&
	       strspn(key + n, "0123456789") == strlen(key + n);
}

int conf_check_keys(const struct conf *c, const char *const *known,
		    struct err *e)
{
	for (size_t i = 0; i < c->n; i++) {
		size_t k = 0;

		while (known[k] && !is_key(known[k], c->entries[i].key))
			k++;
		if (!known[k])
			return err_set(e, ERR_INPUT,
				       "%s:%d: unknown key '%s' (see "
				       "docs/porting-board.md)",
				       c->path, c->entries[i].line,
				       c->entries[i].key);
	}
	return ERR_OK;
}
