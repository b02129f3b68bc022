/* Fuzzes the reader of .core files. */
#include <stdlib.h>
#include <string.h>

#include "host/fake/core.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const names[] = { "ADD", "ADD64rr", "", "MUL.*" };
	struct arena a = { 0 };
	struct err e = { 0 };
	struct core c;
	char *text = malloc(n + 1);

	if (!text)
		return 0;
	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	if (core_parse(&a, "x.core", text, n, &c, &e) == ERR_OK) {
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			(void)core_find(&c, names[i]);
		if (c.n_ports > CORE_MAX_PORTS || c.width == 0 ||
		    c.window == 0 || c.window > CORE_MAX_WINDOW ||
		    (c.has_pairs && (!c.in_order || c.width != 2)))
			abort();
		core_free(&c);
	} else if (e.code == ERR_OK || e.message[0] == '\0') {
		abort();
	}
	free(text);
	arena_free(&a);
	return 0;
}
