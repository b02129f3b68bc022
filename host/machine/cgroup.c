/* CPU quotas of control groups, of both versions: this process's group and all
 * its parents that are visible here. */
#include <stdio.h>
#include <string.h>

#include "host/base/list.h"
#include "host/machine/machine.h"

/* Where a hierarchy is mounted: the folder, and the group that it shows. */
struct cgroup_mount {
	const char *folder, *group;
};

/* A line of mountinfo: "36 35 98:0 GROUP FOLDER options fields - TYPE source
 * OPTIONS".  proc(5). */
static bool parse_mount(char *line, bool v2, struct cgroup_mount *ret)
{
	enum { GROUP = 3, FOLDER = 4, N = 5 };
	char *words[N], *rest = strstr(line, " - "), *type, *options;

	if (!rest)
		return false;
	*rest = '\0';
	rest += strlen(" - ");
	for (size_t i = 0; i < N; i++)
		words[i] = strsep(&line, " ");
	type = strsep(&rest, " ");
	(void)strsep(&rest, " ");
	options = strsep(&rest, " ");
	if (!words[FOLDER])
		return false;
	if (v2 ? strcmp(type, "cgroup2") != 0
	       : strcmp(type, "cgroup") != 0 || !options ||
			    !list_has(options, ',', "cpu"))
		return false;
	*ret = (struct cgroup_mount){ words[FOLDER], words[GROUP] };
	return true;
}

static bool find_mount(struct arena *a, const char *root, bool v2,
		       struct cgroup_mount *ret)
{
	char *text = machine_text(a, root, "/proc/self/mountinfo"), *line;

	while ((line = strsep(&text, "\n")) != NULL)
		if (parse_mount(line, v2, ret))
			return true;
	return false;
}

/* The CPUs' worth of time of one group; 0: no limit. */
static double quota_of(struct arena *a, const char *root, const char *folder,
		       bool v2, const char **ret_file)
{
	const char *file = arena_printf(a, "%s/cpu.%s", folder,
					v2 ? "max" : "cfs_quota_us");
	const char *text = machine_text(a, root, file), *rest = "";
	double quota, period;

	*ret_file = file;
	if (!v2)
		rest = machine_text(
			a, root,
			arena_printf(a, "%s/cpu.cfs_period_us", folder));
	/* Without a limit the first word is "max", or -1. */
	if (!text || !rest ||
	    sscanf(arena_printf(a, "%s %s", text, rest), "%lf %lf", &quota,
		   &period) != 2 ||
	    !(quota > 0) || !(period > 0))
		return 0;
	return quota / period;
}

/* The group relative to what is mounted: a container sees only a part of the
 * hierarchy. */
static const char *inside_mount(const char *group,
				const struct cgroup_mount *mount)
{
	size_t n = strlen(mount->group);

	if (strcmp(mount->group, "/") == 0)
		return strstr(group, "..") ? "" : group;
	if (strncmp(group, mount->group, n) == 0 &&
	    (group[n] == '/' || group[n] == '\0'))
		return group + n;
	return "";
}

static void walk_up(struct arena *a, const char *root, const char *group,
		    bool v2, struct machine *m)
{
	struct cgroup_mount mount;
	char *folder;
	size_t least;

	if (!find_mount(a, root, v2, &mount))
		return;
	least = strlen(mount.folder);
	folder = arena_printf(a, "%s%s", mount.folder,
			      inside_mount(group, &mount));
	for (;;) {
		const char *file;
		double quota = quota_of(a, root, folder, v2, &file);
		char *slash;

		if (quota > 0 && (m->quota <= 0 || quota < m->quota)) {
			m->quota = quota;
			m->quota_file = file;
		}
		slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < least)
			return;
		*slash = '\0';
	}
}

void machine_find_quota(struct arena *a, const char *root, struct machine *m)
{
	char *text = machine_text(a, root, "/proc/self/cgroup"), *line;

	/* "0::GROUP" of version 2, "4:cpu,cpuacct:GROUP" of version 1. */
	while ((line = strsep(&text, "\n")) != NULL) {
		char *list = strchr(line, ':');
		char *group = list ? strchr(list + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		list++;
		if (!*list)
			walk_up(a, root, group, true, m);
		else if (list_has(list, ',', "cpu"))
			walk_up(a, root, group, false, m);
	}
}
