/* Finds shipped models by name; see shipped.h. */
#include "host/cli/shipped.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/arena.h"
#include "host/base/nearest.h"
#include "host/cli/cli.h"

static const char folder[] = "models", ending[] = ".json.xz";

/* For as long as the program runs. */
static struct arena shipped;

/* The name of the model in a file of the folder; NULL: it holds none. */
static char *model_name(const char *file)
{
	size_t n = strlen(file), k = strlen(ending);

	return n > k && strcmp(file + n - k, ending) == 0
		       ? arena_printf(&shipped, "%.*s", (int)(n - k), file)
		       : NULL;
}

static int no_model(const char *word, struct err *e)
{
	DIR *d = opendir(share_path(&shipped, folder));
	struct nearest near = { .wanted = word };
	const char *all = "";

	for (struct dirent *x; d && (x = readdir(d));) {
		char *name = model_name(x->d_name);

		if (!name)
			continue;
		nearest_offer(&near, name);
		all = arena_printf(&shipped, "%s %s", all, name);
	}
	if (d)
		(void)closedir(d);
	if (near.best)
		return err_set(
			e, ERR_INPUT,
			"no file and no shipped model '%s'; did you mean "
			"'%s'?",
			word, near.best);
	return err_set(e, ERR_INPUT,
		       "no file and no shipped model '%s'; shipped:%s", word,
		       *all ? all : " none");
}

int shipped_model(const char *word, const char **ret, struct err *e)
{
	const char *path;

	*ret = word;
	if (access(word, F_OK) == 0 || strpbrk(word, "/.") || *word == '\0')
		return ERR_OK;
	path = share_path(&shipped, arena_printf(&shipped, "%s/%s%s", folder,
						 word, ending));
	if (access(path, F_OK) != 0)
		return no_model(word, e);
	*ret = path;
	return ERR_OK;
}
