/* Numbers of this machine's core: the kernel tells them, in /proc/cpuinfo. */
#include "host/isa/facts.h"

#include <stdio.h>
#include <string.h>

#include "common/types.h"

/* Keys of /proc/cpuinfo, in the order of the words. */
static const char *const keys[][IDENTITY_WORDS] = {
	{ "CPU implementer", "CPU part" },
	{ "mvendorid", "marchid", "mimpid" },
};

/* The value of the first line of this key, or NULL. */
static const char *value_of(struct arena *a, const char *text, const char *key)
{
	size_t n = strlen(key);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, key, n) != 0 ||
		    (text[n] != '\t' && text[n] != ' ' && text[n] != ':'))
			continue;
		text += strcspn(text, ":\n");
		if (*text != ':')
			return NULL;
		text += 1 + strspn(text + 1, " ");
		return arena_printf(a, "%.*s", (int)strcspn(text, "\n"), text);
	}
	return NULL;
}

struct core_identity numbers_here(struct arena *a)
{
	enum { ROOM = 1 << 14 }; /* the first processor's lines */
	struct core_identity ret = { .words = { NULL } };
	char *text = ARENA_ARRAY(a, char, ROOM);
	FILE *f = fopen("/proc/cpuinfo", "re");

	if (!f)
		return ret;
	text[fread(text, 1, ROOM - 1, f)] = '\0';
	(void)fclose(f);
	for (size_t i = 0; i < ARRAY_LEN(keys) && !ret.words[0]; i++)
		for (size_t k = 0; k < IDENTITY_WORDS && keys[i][k]; k++)
			ret.words[k] = value_of(a, text, keys[i][k]);
	return ret;
}
