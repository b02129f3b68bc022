/* What commands share: the list of them, installed files, output; see cli.h. */
#include "host/cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/nearest.h"
#include "host/base/process.h"
#include "host/cli/terminal.h"

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int command_unknown(const char *name, struct err *e)
{
	struct nearest near = { .wanted = name };

	for (size_t i = 0; commands[i]; i++)
		nearest_offer(&near, commands[i]->name);
	if (near.best)
		return err_set(e, ERR_USAGE,
			       "unknown command '%s'; did you mean '%s'?", name,
			       near.best);
	return err_set(e, ERR_USAGE,
		       "unknown command '%s' (see 'anechoic help')", name);
}

char *share_folder(struct arena *a)
{
	const char *share = getenv("ANECHOIC_SHARE");
	char *program;

	if (share && *share != '\0')
		return arena_strdup(a, share);
	program = process_program(a);
	/* No such folder: messages about its files name what is missing. */
	if (!program)
		return arena_strdup(a, "/proc/self/exe/../share/anechoic");
	*strrchr(program, '/') = '\0';
	return arena_printf(a, "%s/../share/anechoic", program);
}

char *share_path(struct arena *a, const char *name)
{
	return arena_printf(a, "%s/%s", share_folder(a), name);
}

/* Set by the signal handler. */
static volatile int interrupted;

static void on_signal(int signal_number)
{
	if (interrupted)
		_exit(128 + signal_number);
	interrupted = 1;
}

const volatile int *interrupt_flag(void)
{
	process_catch(SIGINT, on_signal);
	process_catch(SIGTERM, on_signal);
	process_catch(SIGHUP, on_signal);
	return &interrupted;
}

int output_flush(struct err *e)
{
	if (fflush(stdout) == 0 && !ferror(stdout) && terminal_end())
		return ERR_OK;
	return err_set(e, ERR_SYSTEM, "cannot write to standard output: %s",
		       strerror(errno));
}

int output_write(const char *path, const struct buffer *b, struct err *e)
{
	if (path)
		(void)file_write(path, b->bytes, b->n, e);
	else if (fwrite(b->bytes, 1, b->n, stdout) != b->n)
		(void)output_flush(e);
	return e->code;
}

/* ---- programs ------------------------------------------------------------ */

bool program_is(const char *path)
{
	struct stat st;

	return access(path, X_OK) == 0 && stat(path, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

const char *program_find(struct arena *a, const char *name)
{
	const char *at = getenv("PATH");

	if (strchr(name, '/'))
		return name;
	while (at) {
		size_t n = strcspn(at, ":");
		const char *path =
			n ? arena_printf(a, "%.*s/%s", (int)n, at, name)
			  : arena_printf(a, "./%s", name);

		if (program_is(path))
			return path;
		at = at[n] == ':' ? at + n + 1 : NULL;
	}
	return NULL;
}

/* ---- shipped models ------------------------------------------------------ */

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
