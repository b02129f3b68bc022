/* Folders that appear whole; see folder.h. */
#include "host/site/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS_OPEN = 16, FOLDER_MODE = 0777, FILE_MODE = 0666 };

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

/* Is there nothing in the folder but "." and ".."? */
static bool is_empty(const char *path)
{
	DIR *d = opendir(path);
	bool empty = d != NULL;

	for (struct dirent *x = d ? readdir(d) : NULL; x; x = readdir(d))
		if (strcmp(x->d_name, ".") != 0 && strcmp(x->d_name, "..") != 0)
			empty = false;
	if (d)
		(void)closedir(d);
	return empty;
}

static int check_output(struct arena *a, const char *path, const char *mark,
			struct err *e)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? ERR_OK : failed(e, "look at", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, ERR_USAGE,
			       "%s exists and is not a folder; give -o a new "
			       "folder",
			       path);
	if (is_empty(path) ||
	    access(arena_printf(a, "%s/%s", path, mark), F_OK) == 0)
		return ERR_OK;
	return err_set(e, ERR_USAGE,
		       "%s is a folder with other files; give -o a new folder "
		       "or a site written earlier",
		       path);
}

int folder_begin(struct folder_writer *w, struct arena *a, const char *path,
		 const char *mark, struct err *e)
{
	size_t n = strlen(path);
	char *plain = arena_strdup(a, path);
	char *name;

	while (n > 1 && plain[n - 1] == '/')
		plain[--n] = '\0';
	if (check_output(a, plain, mark, e) != ERR_OK)
		return e->code;
	name = arena_printf(a, "%s.new.XXXXXX", plain);
	if (!mkdtemp(name))
		return failed(e, "create a folder next to", plain);
	*w = (struct folder_writer){ .path = plain,
				     .temporary = name,
				     .mark = mark };
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

int folder_add(struct folder_writer *w, const char *name, struct buffer *b,
	       struct err *e)
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
	if (close(fd) != 0)
		return failed_in(e, "write", w, name);
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

int folder_finish(struct folder_writer *w, struct err *e)
{
	struct buffer mark = { 0 };
	mode_t mask = umask(0);

	(void)umask(mask);
	buffer_printf(&mark, "Written by anechoic site, which may replace this "
			     "folder.\n");
	(void)folder_add(w, w->mark, &mark, e);
	buffer_free(&mark);
	if (e->code != ERR_OK)
		return e->code;
	/* Nothing waits for the disk: the folder can be made again. */
	if (fchmod(w->fd, FOLDER_MODE & ~mask) != 0)
		return failed(e, "write", w->temporary);
	if (rename(w->temporary, w->path) != 0 &&
	    ((errno != ENOTEMPTY && errno != EEXIST) ||
	     renameat2(AT_FDCWD, w->temporary, AT_FDCWD, w->path,
		       RENAME_EXCHANGE) != 0))
		return failed(e, "replace", w->path);
	if (access(w->temporary, F_OK) == 0)
		remove_folder(w->temporary);
	(void)close(w->fd);
	w->temporary = NULL;
	return ERR_OK;
}

void folder_drop(struct folder_writer *w)
{
	if (!w->temporary)
		return;
	(void)close(w->fd);
	remove_folder(w->temporary);
	w->temporary = NULL;
}
