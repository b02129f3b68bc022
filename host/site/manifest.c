#include "host/site/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_MANIFEST = 1 << 28 };

static const char first_line[] =
	"Written by anechoic site, which may replace or remove these files:\n";

void manifest_add(struct arena *a, struct manifest *m, const char *name)
{
	if (m->n == m->room) {
		const char **more;

		m->room = m->room ? 2 * m->room : 64;
		more = ARENA_ARRAY(a, const char *, m->room);
		if (m->n)
			memcpy(more, m->names, m->n * sizeof(*more));
		m->names = more;
	}
	m->names[m->n++] = arena_strdup(a, name);
}

static int manifest_by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

void manifest_sort(struct manifest *m)
{
	if (m->n)
		qsort(m->names, m->n, sizeof(*m->names), manifest_by_name);
}

bool manifest_has(const struct manifest *m, const char *name)
{
	return m->n && bsearch(&name, m->names, m->n, sizeof(*m->names),
			       manifest_by_name) != NULL;
}

void manifest_print(struct buffer *b, const struct manifest *m)
{
	buffer_printf(b, "%s", first_line);
	for (size_t i = 0; i < m->n; i++)
		buffer_printf(b, "%s\n", m->names[i]);
}

/* Does the name stay in the folder, as long as no link leads out of it? */
static bool is_inside(const char *name)
{
	for (const char *at = name;; at++) {
		size_t n = strcspn(at, "/");

		if (n == 0 || (n == 1 && at[0] == '.') ||
		    (n == 2 && at[0] == '.' && at[1] == '.'))
			return false;
		at += n;
		if (*at == '\0')
			return true;
	}
}

static int read_names(struct arena *a, const char *path, const char *mark,
		      char *text, struct manifest *ret, struct err *e)
{
	char *save = NULL;
	char *line = strtok_r(text, "\n", &save);

	for (line = line ? strtok_r(NULL, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!is_inside(line))
			return err_set(e, ERR_INPUT,
				       "%s/%s names '%s', which is no file of "
				       "the folder; give -o a new folder",
				       path, mark, line);
		manifest_add(a, ret, line);
	}
	manifest_sort(ret);
	return ERR_OK;
}

int manifest_read(struct arena *a, int folder, const char *path,
		  const char *mark, struct manifest *ret_names, struct err *e)
{
	/* A pipe of this name must not stop the program. */
	int fd = openat(folder, mark,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct buffer text = { 0 };
	struct stat st;
	int ret;

	if (fd < 0)
		return err_set(e, ERR_INPUT, "cannot read %s/%s: %s", path,
			       mark, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		ret = err_set(e, ERR_INPUT,
			      "%s/%s is not the list of a site's files; give "
			      "-o a new folder",
			      path, mark);
	else
		ret = file_read_open(fd, mark, MAX_MANIFEST, &text, e);
	(void)close(fd);
	buffer_add(&text, "", 1);
	if (ret == ERR_OK)
		ret = read_names(a, path, mark, (char *)text.bytes, ret_names,
				 e);
	buffer_free(&text);
	return ret;
}
