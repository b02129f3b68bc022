/* Which file the guest's code comes from: /proc/PID/maps of the emulator. */
#include <stdio.h>
#include <string.h>

#include "host/guest/run.h"

static uint32_t mappings_find(const struct run_table *t, uint64_t address)
{
	/* The newest first: memory may be mapped again. */
	for (size_t i = t->n_mappings; i-- > 0;)
		if (address >= t->mappings[i].start &&
		    address < t->mappings[i].end)
			return (uint32_t)i;
	return EXCHANGE_NONE;
}

static void mappings_add(struct run_table *t, const struct run_mapping *m)
{
	if (t->n_mappings == t->mappings_room) {
		t->mappings_room = t->mappings_room ? 2 * t->mappings_room : 64;
		t->mappings = xrealloc(t->mappings, t->mappings_room,
				       sizeof(*t->mappings));
	}
	t->mappings[t->n_mappings++] = *m;
}

uint32_t table_mapping(struct run_table *t, uint32_t pid, uint64_t address,
		       uint64_t guest_base)
{
	char name[64], line[4200];
	uint32_t known = mappings_find(t, address);
	FILE *f;

	if (known != EXCHANGE_NONE)
		return known;
	(void)snprintf(name, sizeof(name), "/proc/%u/maps", (unsigned)pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long start, end, offset;
		int at = 0;
		struct run_mapping m;

		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &start, &end,
			   &offset, &at) != 3)
			continue;
		line[strcspn(line, "\n")] = '\0';
		m = (struct run_mapping){
			.start = start - guest_base,
			.end = end - guest_base,
			.offset = offset,
			.path = line[at] == '/'
					? arena_strdup(&t->arena, &line[at])
					: NULL,
		};
		if (address >= m.start && address < m.end)
			mappings_add(t, &m);
	}
	if (f)
		(void)fclose(f);
	return mappings_find(t, address);
}
