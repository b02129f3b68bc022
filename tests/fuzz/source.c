/* Assembly before LLVM sees it: it keeps its length and its lines.  Names are
 * rewritten only in listings and in text of disassemblers. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/loop.h"
#include "host/predict/foreign.h"
#include "host/predict/source.h"

static const unsigned char marker[] = { 0x64, 0x67, 0x90 };

static const char *const semicolon_marks[] = { "__TEXT", "; %", NULL };

static const struct isa_loop rules[] = {
	{ .comment = "#", .marker = marker, .n_marker = sizeof(marker) },
	{ .comment = "//",
	  .semicolon_marks = semicolon_marks,
	  .marker = marker,
	  .n_marker = sizeof(marker) },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct arena *a, const struct source *s)
{
	bool foreign = foreign_clean(arena_copy(a, s->text, s->n + 1), s->n);

	if (strlen(s->clean) != s->n)
		abort();
	for (size_t i = 0; i < s->n; i++)
		if ((s->clean[i] == '\n') != (s->text[i] == '\n') ||
		    (s->clean[i] != ' ' && s->clean[i] != s->text[i] &&
		     !foreign))
			abort();
	for (uint32_t i = 0; i <= s->n_lines + 1 && i < 100; i++)
		if (strchr(source_line(a, s, i), '\n'))
			abort();
	for (size_t i = 0; i < s->n_marks; i++)
		if (s->marks[i].line == 0 || s->marks[i].line > s->n_lines)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t r = 0; r < ARRAY_LEN(rules); r++) {
		struct arena a = { 0 };
		struct err e = { .code = ERR_OK };
		struct source s;
		char *text = arena_alloc(&a, size + 1, 1);

		if (size > 0)
			memcpy(text, data, size);
		if (source_read(&a, &(struct code){ "x.s", text, size },
				&rules[r], &s, &e) == ERR_OK)
			check(&a, &s);
		else if (e.message[0] == '\0')
			abort();
		arena_free(&a);
	}
	return 0;
}
