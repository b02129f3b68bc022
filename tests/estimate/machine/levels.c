/* The caches that the kernel tells of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/estimate/machine/machine.h"

static bool read_file(unsigned index, const char *name, char *ret, int room)
{
	char path[128];
	FILE *f;
	bool good;

	(void)snprintf(path, sizeof(path),
		       "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index,
		       name);
	f = fopen(path, "re");
	good = f && fgets(ret, room, f);
	if (f)
		(void)fclose(f);
	return good;
}

size_t machine_levels(struct level *levels)
{
	size_t n = 0;

	for (unsigned i = 0; n < MAX_LEVELS; i++) {
		char type[32], size[32], ways[32], cpus[64];
		struct level l;

		if (!read_file(i, "type", type, sizeof(type)) ||
		    !read_file(i, "size", size, sizeof(size)) ||
		    !read_file(i, "ways_of_associativity", ways,
			       sizeof(ways)) ||
		    !read_file(i, "shared_cpu_list", cpus, sizeof(cpus)))
			break;
		if (strncmp(type, "Instruction", 11) == 0)
			continue;
		l.bytes = strtoul(size, NULL, 10) * 1024;
		l.ways = strtoul(ways, NULL, 10);
		l.shared = n > 0 && strpbrk(cpus, ",-") != NULL;
		levels[n++] = l;
	}
	return n;
}
