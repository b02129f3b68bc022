/* See board_files.h. */
#include "host/cli/board_files.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/file.h"

/* The value of a key of n characters. */
static const char *value_of(const struct board_value *values, const char *key,
			    size_t n)
{
	while (values->key &&
	       (strlen(values->key) != n || memcmp(values->key, key, n) != 0))
		values++;
	assert(values->key);
	return values->value;
}

/* Append a line with the values of its keys. */
static void add_line(struct buffer *b, const char *line, size_t n,
		     const struct board_value *values)
{
	const char *end = line + n;

	while (line < end) {
		size_t plain = (size_t)(end - line), k;
		const char *at = memchr(line, '@', plain);

		plain = at ? (size_t)(at - line) : plain;
		buffer_add(b, line, plain);
		if (!at)
			break;
		k = strcspn(at + 1, "@");
		buffer_printf(b, "%s", value_of(values, at + 1, k));
		line = at + k + 2;
	}
	buffer_add(b, "\n", 1);
}

/* Append a text (board_files.h). */
static void add_text(struct buffer *b, const char *text,
		     const struct board_value *values)
{
	while (*text != '\0') {
		size_t n = strcspn(text, "\n");
		size_t key = *text == '@' ? strcspn(text + 1, "@?!\n") : 0;
		char mark = key ? text[key + 1] : '\0';
		bool is_set = false;

		if (mark == '?' || mark == '!')
			is_set = *value_of(values, text + 1, key) != '\0';
		if (mark != '?' && mark != '!')
			add_line(b, text, n, values);
		else if (is_set == (mark == '?'))
			add_line(b, text + key + 2, n - key - 2, values);
		text += n + 1;
	}
}

/* Make a folder; *ret_made: it was not there. */
static int make_folder(const char *path, bool *ret_made, struct err *e)
{
	*ret_made = mkdir(path, 0777) == 0;
	if (!*ret_made && errno != EEXIST)
		return err_set(e, ERR_INPUT,
			       "cannot make the folder %s: %s; choose another "
			       "one by -o",
			       path, strerror(errno));
	return ERR_OK;
}

/* Write both files, the .conf last: a board without one does not exist. */
static int write_both(const char *conf, const struct buffer *conf_bytes,
		      const char *readme, const struct buffer *readme_bytes,
		      struct err *e)
{
	bool had_readme = access(readme, F_OK) == 0;

	if (!had_readme &&
	    file_write(readme, readme_bytes->bytes, readme_bytes->n, e))
		return e->code;
	if (file_write(conf, conf_bytes->bytes, conf_bytes->n, e) &&
	    !had_readme)
		(void)unlink(readme);
	return e->code;
}

int board_files_write(struct arena *a, const struct board_value *values,
		      const char *folder, const char **ret_conf, struct err *e)
{
	const char *path =
		arena_printf(a, "%s/%s", folder, value_of(values, "name", 4));
	const char *conf = arena_printf(a, "%s/%s-%s.conf", path,
					value_of(values, "isa", 3),
					value_of(values, "boot", 4));
	struct buffer text = { 0 }, readme = { 0 };
	bool made;

	if (access(conf, F_OK) == 0)
		return err_set(e, ERR_USAGE,
			       "%s exists; edit it, or choose another name",
			       conf);
	if (make_folder(path, &made, e) != ERR_OK)
		return e->code;
	add_text(&text, board_conf_text, values);
	add_text(&readme, board_readme_text, values);
	if (write_both(conf, &text, arena_printf(a, "%s/README.md", path),
		       &readme, e) != ERR_OK &&
	    made)
		(void)rmdir(path);
	buffer_free(&text);
	buffer_free(&readme);
	*ret_conf = conf;
	return e->code;
}
