/* See board_places.h. */
#include "host/base/board_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/order.h"

char *boards_of_user(struct arena *a)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	/* The XDG specification says that relative paths are ignored. */
	if (xdg && *xdg == '/')
		return arena_printf(a, "%s/anechoic/boards", xdg);
	if (home && *home == '/')
		return arena_printf(a, "%s/.config/anechoic/boards", home);
	return NULL;
}

int boards_make_user(struct arena *a, const char *folder, struct err *e)
{
	char *path = arena_strdup(a, folder);

	for (char *slash = strchr(path + 1, '/');; slash = strchr(slash, '/')) {
		if (slash)
			*slash = '\0';
		if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST)
			return err_set(e, ERR_SYSTEM, "cannot make %s: %s",
				       path, strerror(errno));
		if (!slash)
			return ERR_OK;
		*slash++ = '/';
	}
}

/* Is it a folder that this user alone, or root, can have filled? */
static bool is_own(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	       (st.st_uid == geteuid() || st.st_uid == 0) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static bool has_name(const struct board *boards, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(boards[i].name, name) == 0)
			return true;
	return false;
}

/* Those of one name are in one folder. */
static int by_name_and_file(const void *a, const void *b)
{
	const struct board *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->path, y->path);
}

int boards_list(struct arena *a, const char *share, struct board **ret_boards,
		size_t *ret_n, struct err *e)
{
	const char *folder = boards_of_user(a);
	struct board *own = NULL, *installed, *all;
	size_t n_own = 0, n_installed;

	if (boards_read(a, arena_printf(a, "%s/boards", share), &installed,
			&n_installed, e) != ERR_OK ||
	    (folder && is_own(folder) &&
	     boards_read(a, folder, &own, &n_own, e) != ERR_OK))
		return e->code;
	all = ARENA_ARRAY(a, struct board, n_own + n_installed + 1);
	for (*ret_n = 0; *ret_n < n_own; ++*ret_n)
		all[*ret_n] = own[*ret_n];
	/* An installed board gives way to the user's. */
	for (size_t i = 0; i < n_installed; i++)
		if (!has_name(own, n_own, installed[i].name))
			all[(*ret_n)++] = installed[i];
	order_sort(all, *ret_n, sizeof(*all), by_name_and_file);
	*ret_boards = all;
	return ERR_OK;
}

/* The board in the folder `path`, whose last part is its name. */
static int get_by_path(struct arena *a, const char *path, const char *isa,
		       const struct board **ret, struct err *e)
{
	char *real = realpath(path, NULL);
	char *whole = real ? arena_strdup(a, real) : NULL;
	char *slash = whole ? strrchr(whole, '/') : NULL;
	struct board *boards;
	size_t n;

	free(real);
	if (!slash || !slash[1])
		return err_set(e, ERR_USAGE, "--board %s: no such folder",
			       path);
	*slash = '\0';
	if (boards_read_one(a, whole, slash + 1, &boards, &n, e) != ERR_OK)
		return e->code;
	if (n == 0)
		return err_set(e, ERR_USAGE,
			       "--board %s: the folder has no "
			       "<isa>-<boot>.conf",
			       path);
	return board_find(boards, n, slash + 1, isa, ret, e);
}

int board_get(struct arena *a, const char *share, const char *name,
	      const char *isa, const struct board **ret, struct err *e)
{
	struct board *boards = NULL;
	size_t n = 0;

	if (strchr(name, '/'))
		return get_by_path(a, name, isa, ret, e);
	return boards_list(a, share, &boards, &n, e) == ERR_OK
		       ? board_find(boards, n, name, isa, ret, e)
		       : e->code;
}
