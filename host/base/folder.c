#include "host/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "anechoic-"

void folder_close(const char *path)
{
	DIR *d = path ? opendir(path) : NULL;

	if (!d)
		return;
	for (struct dirent *entry; (entry = readdir(d)) != NULL;)
		(void)unlinkat(dirfd(d), entry->d_name, 0);
	(void)closedir(d);
	(void)rmdir(path);
}

/* The process of "anechoic-PID-XXXXXX"; 0: another name. */
static pid_t owner_of(const char *name)
{
	char *end;
	long pid;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return 0;
	pid = strtol(name + strlen(PREFIX), &end, 10);
	return *end == '-' && strlen(end) == 7 && pid > 0 ? (pid_t)pid : 0;
}

/* A folder, not a link to one, of this user, whose process is gone. */
static bool is_left(int dir, const char *name)
{
	pid_t pid = owner_of(name);
	struct stat st;

	return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH &&
	       fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static void remove_left(const char *tmp)
{
	struct arena a = { 0 };
	DIR *d = opendir(tmp);

	if (!d)
		return;
	for (struct dirent *entry; (entry = readdir(d)) != NULL;)
		if (is_left(dirfd(d), entry->d_name))
			folder_close(
				arena_printf(&a, "%s/%s", tmp, entry->d_name));
	(void)closedir(d);
	arena_free(&a);
}

const char *folder_open(struct arena *a, struct err *e)
{
	const char *set = getenv("TMPDIR");
	const char *tmp = set && *set ? set : "/tmp";
	char *path =
		arena_printf(a, "%s/" PREFIX "%ld-XXXXXX", tmp, (long)getpid());

	remove_left(tmp);
	if (mkdtemp(path))
		return path;
	(void)err_set(e, ERR_SYSTEM,
		      "cannot create a folder in %s: %s (set TMPDIR to another "
		      "folder)",
		      tmp, strerror(errno));
	return NULL;
}
