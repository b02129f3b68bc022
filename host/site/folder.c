/* Folders that appear whole; see folder.h. */
#include "host/site/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".anechoic-new."

enum {
	FOLDERS_OPEN = 16,
	FOLDER_MODE = 0777,
	FILE_MODE = 0666,
	MAX_MANIFEST = 1 << 28,
};

/* ---- the list of files ---------------------------------------------------- */

static const char first_line[] =
	"Written by anechoic site, which may replace or remove these files:\n";

static void manifest_add(struct arena *a, struct manifest *m, const char *name)
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

static void manifest_sort(struct manifest *m)
{
	if (m->n)
		qsort(m->names, m->n, sizeof(*m->names), manifest_by_name);
}

/* In a sorted manifest. */
static bool manifest_has(const struct manifest *m, const char *name)
{
	return m->n && bsearch(&name, m->names, m->n, sizeof(*m->names),
			       manifest_by_name) != NULL;
}

/* Append the text that manifest_read() reads. */
static void manifest_print(struct buffer *b, const struct manifest *m)
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

/* Read the file `mark` of a folder; `path` is the folder's name in messages.
 * ERR_INPUT if it is no plain file, or names a file outside of the folder.
 * *ret_names is sorted. */
static int manifest_read(struct arena *a, int folder, const char *path,
			 const char *mark, struct manifest *ret_names,
			 struct err *e)
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
	if (ret == ERR_OK)
		ret = read_names(a, path, mark, buffer_take(a, &text),
				 ret_names, e);
	buffer_free(&text);
	return ret;
}

/* ---- the folder ------------------------------------------------------------ */

static void close_keeping_errno(int fd)
{
	int error = errno;

	(void)close(fd);
	errno = error;
}

static int failed(struct err *e, const char *what, const char *path)
{
	return err_set(e, ERR_SYSTEM, "cannot %s %s: %s", what, path,
		       strerror(errno));
}

/* The same of a file in it, which the user knows by the folder's own name. */
static int failed_in(struct err *e, const char *what,
		     const struct folder_writer *w, const char *name)
{
	return err_set(e, ERR_SYSTEM, "cannot %s %s/%s: %s", what, w->path,
		       name, strerror(errno));
}

/* Is there nothing in the folder but temporary folders? */
static bool is_empty(const char *path)
{
	DIR *d = opendir(path);
	bool empty = d != NULL;

	for (struct dirent *x = d ? readdir(d) : NULL; x; x = readdir(d))
		if (strcmp(x->d_name, ".") != 0 &&
		    strcmp(x->d_name, "..") != 0 &&
		    strncmp(x->d_name, TEMPORARY, strlen(TEMPORARY)) != 0)
			empty = false;
	if (d)
		(void)closedir(d);
	return empty;
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Read what an earlier call wrote to the folder, if it is not empty. */
static int read_before(struct folder_writer *w, int folder, const char *path,
		       struct err *e)
{
	w->before = (struct manifest){ 0 };
	if (faccessat(folder, w->mark, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return manifest_read(w->a, folder, path, w->mark, &w->before,
				     e);
	if (is_empty(path))
		return ERR_OK;
	return err_set(e, ERR_USAGE,
		       "%s is a folder with other files; give -o a new "
		       "folder or a site written earlier",
		       path);
}

static int check_output(struct folder_writer *w, const char *path,
			struct err *e)
{
	struct stat st;
	int folder;

	w->exists = lstat(path, &st) == 0;
	if (!w->exists)
		return errno == ENOENT ? ERR_OK : failed(e, "look at", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, ERR_USAGE,
			       "%s exists and is not a folder; give -o a new "
			       "folder",
			       path);
	folder = open_folder(path);
	if (folder < 0)
		return failed(e, "open", path);
	(void)read_before(w, folder, path, e);
	(void)close(folder);
	return e->code;
}

int folder_begin(struct folder_writer *w, struct arena *a, const char *path,
		 const char *mark, struct err *e)
{
	size_t n = strlen(path);
	char *plain = arena_strdup(a, path);
	char *name;

	while (n > 1 && plain[n - 1] == '/')
		plain[--n] = '\0';
	*w = (struct folder_writer){ .mark = mark, .a = a };
	if (check_output(w, plain, e) != ERR_OK)
		return e->code;
	/* In the folder itself, which may be a mount point: files cannot be
	 * renamed across. */
	name = arena_printf(a,
			    w->exists ? "%s/" TEMPORARY "XXXXXX"
				      : "%s" TEMPORARY "XXXXXX",
			    plain);
	if (!mkdtemp(name))
		return failed(e,
			      w->exists ? "create a folder in"
					: "create a folder next to",
			      plain);
	w->path = plain;
	w->temporary = name;
	w->fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->fd < 0) {
		(void)failed(e, "open", name);
		(void)rmdir(name);
		w->temporary = NULL;
		return e->code;
	}
	return ERR_OK;
}

int folder_make(struct folder_writer *w, const char *name, struct err *e)
{
	if (mkdirat(w->fd, name, FOLDER_MODE) == 0 || errno == EEXIST)
		return ERR_OK;
	return failed_in(e, "create the folder", w, name);
}

static int write_file(struct folder_writer *w, const char *name,
		      const struct buffer *b, struct err *e)
{
	int fd = openat(w->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			FILE_MODE);

	if (fd < 0)
		return failed_in(e, "create", w, name);
	if (!file_put(fd, b->bytes, b->n)) {
		(void)failed_in(e, "write", w, name);
		(void)close(fd);
		return e->code;
	}
	return close(fd) == 0 ? ERR_OK : failed_in(e, "write", w, name);
}

int folder_add(struct folder_writer *w, const char *name, struct buffer *b,
	       struct err *e)
{
	if (write_file(w, name, b, e) != ERR_OK)
		return e->code;
	manifest_add(w->a, &w->after, name);
	w->n_files++;
	w->n_bytes += b->n;
	b->n = 0;
	return ERR_OK;
}

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static void remove_folder(const char *path)
{
	(void)nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* ---- an earlier folder --------------------------------------------------- */

/* Open the folder in which a file is, or is to be, without following links;
 * *ret: the file's name in it.  -1 and errno if it cannot be opened. */
static int open_parent(int folder, const char *name, bool make,
		       const char **ret)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char part[NAME_MAX + 1];
	const char *slash;

	for (; fd >= 0 && (slash = strchr(name, '/')) != NULL;
	     name = slash + 1) {
		int outer = fd;

		(void)snprintf(part, sizeof(part), "%.*s", (int)(slash - name),
			       name);
		if (make)
			(void)mkdirat(outer, part, FOLDER_MODE);
		fd = openat(outer, part,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close_keeping_errno(outer);
	}
	*ret = name;
	return fd;
}

/* May the file be written, that is, nothing is there or what an earlier call
 * wrote? */
static bool may_write(const struct folder_writer *w, int folder,
		      const char *name)
{
	const char *last;
	struct stat st;
	int parent = open_parent(folder, name, false, &last);
	bool may = parent < 0 && errno == ENOENT;

	if (parent >= 0) {
		may = fstatat(parent, last, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		      (manifest_has(&w->before, name) && !S_ISDIR(st.st_mode));
		(void)close(parent);
	}
	return may;
}

static int move_file(struct folder_writer *w, int folder, const char *name,
		     struct err *e)
{
	const char *last;
	int parent = open_parent(folder, name, true, &last);

	if (parent < 0)
		return failed_in(e, "create the folder of", w, name);
	if (renameat(w->fd, name, parent, last) != 0)
		(void)failed_in(e, "replace", w, name);
	(void)close(parent);
	return e->code;
}

/* Remove a file that is no longer written, and the folders that are empty
 * without it. */
static void remove_file(struct folder_writer *w, int folder, const char *name)
{
	char *outer = arena_strdup(w->a, name);
	int flag = 0;

	for (char *slash = outer; slash; flag = AT_REMOVEDIR) {
		const char *last;
		int parent = open_parent(folder, outer, false, &last);

		if (parent < 0)
			return;
		slash = unlinkat(parent, last, flag) == 0 ? strrchr(outer, '/')
							  : NULL;
		(void)close(parent);
		if (slash)
			*slash = '\0';
	}
}

/* The list of the old and the new files, as long as both may be there. */
static int mark_both(struct folder_writer *w, int folder, struct err *e)
{
	static const char name[] = "both";
	struct buffer b = { 0 };
	struct manifest both = { 0 };

	for (size_t i = 0; i < w->before.n; i++)
		manifest_add(w->a, &both, w->before.names[i]);
	for (size_t i = 0; i < w->after.n; i++)
		manifest_add(w->a, &both, w->after.names[i]);
	manifest_print(&b, &both);
	if (write_file(w, name, &b, e) == ERR_OK &&
	    renameat(w->fd, name, folder, w->mark) != 0)
		(void)failed_in(e, "replace", w, w->mark);
	buffer_free(&b);
	return e->code;
}

static int replace_files(struct folder_writer *w, int folder, struct err *e)
{
	const struct manifest *after = &w->after;

	for (size_t i = 0; i < after->n; i++)
		if (!may_write(w, folder, after->names[i]))
			return err_set(e, ERR_USAGE,
				       "%s/%s is in the way: it is not one of "
				       "the site's files; move it, or give -o "
				       "a new folder",
				       w->path, after->names[i]);
	if (mark_both(w, folder, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < after->n; i++)
		if (move_file(w, folder, after->names[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < w->before.n; i++)
		if (!manifest_has(after, w->before.names[i]))
			remove_file(w, folder, w->before.names[i]);
	return move_file(w, folder, w->mark, e);
}

/* Replace the files of an earlier folder: it stays, with what else is in it.
 * Two programs take turns, and the second replaces what the first one wrote. */
static int update(struct folder_writer *w, struct err *e)
{
	int folder = open_folder(w->path);

	if (folder < 0)
		return failed(e, "open", w->path);
	/* Where the file system has no locks there are no turns. */
	while (flock(folder, LOCK_EX) != 0 && errno == EINTR)
		;
	if (read_before(w, folder, w->path, e) == ERR_OK)
		(void)replace_files(w, folder, e);
	(void)close(folder);
	return e->code;
}

/* ---- the end -------------------------------------------------------------- */

static int add_mark(struct folder_writer *w, struct err *e)
{
	struct buffer b = { 0 };

	manifest_sort(&w->after);
	manifest_print(&b, &w->after);
	(void)write_file(w, w->mark, &b, e);
	w->n_files++;
	w->n_bytes += b.n;
	buffer_free(&b);
	return e->code;
}

/* A file system that cannot rename without replacing replaces empty folders. */
static bool put_new(const struct folder_writer *w)
{
	if (renameat2(AT_FDCWD, w->temporary, AT_FDCWD, w->path,
		      RENAME_NOREPLACE) == 0)
		return true;
	return (errno == EINVAL || errno == ENOSYS) &&
	       rename(w->temporary, w->path) == 0;
}

int folder_finish(struct folder_writer *w, struct err *e)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	if (add_mark(w, e) != ERR_OK)
		return e->code;
	/* Nothing waits for the disk: the folder can be made again. */
	/* Where modes cannot be set, they do not matter. */
	(void)fchmod(w->fd, FOLDER_MODE & ~mask);
	if (!w->exists && put_new(w)) {
		(void)close(w->fd);
		w->temporary = NULL;
		return ERR_OK;
	}
	/* Another program may have made it in the meantime. */
	if (!w->exists && errno != EEXIST && errno != ENOTEMPTY)
		return failed(e, "create", w->path);
	if (update(w, e) == ERR_OK)
		folder_drop(w);
	return e->code;
}

void folder_drop(struct folder_writer *w)
{
	if (!w->temporary)
		return;
	(void)close(w->fd);
	remove_folder(w->temporary);
	w->temporary = NULL;
}
