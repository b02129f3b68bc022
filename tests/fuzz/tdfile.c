/* Fuzzes the finder of costs in LLVM's scheduling models: numbers lie in the
 * text, expressions match or are refused, and a diff of all numbers is made. */
#include <stdlib.h>
#include <string.h>

#include "host/codec/llvm/tdfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void change_all(struct arena *a, const struct tdfile *f)
{
	struct tdfile_edit *edits =
		ARENA_ARRAY(a, struct tdfile_edit, 2 * f->n_writes + 1);
	struct buffer b = { 0 };
	size_t n = 0, end = 0;

	for (size_t i = 0; i < f->n_writes; i++) {
		const struct tdfile_number *x =
			&f->writes[i].numbers[TDFILE_LATENCY];

		for (int k = 0; k < TDFILE_N_KINDS; k++)
			if (f->writes[i].numbers[k].at +
				    f->writes[i].numbers[k].n >
			    f->n)
				abort();
		if (x->n == 0)
			continue;
		/* Statements are in the order of the text. */
		if (x->at < end)
			continue;
		end = x->at + x->n;
		edits[n++] = (struct tdfile_edit){ x->at, x->n, "12\n3" };
	}
	tdfile_diff(f, edits, n, &b);
	buffer_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const names[] = { "ADD64rr", "A" };
	struct arena a = { 0 };
	struct err e = { 0 };
	struct tdfile f;
	bool found[2] = { false, false };
	char *text = malloc(n + 1);

	if (!text)
		return 0;
	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	if (tdfile_read(&a, "x.td", text, n, &f, &e) == ERR_OK) {
		for (size_t i = 0; i < f.n_instrws && e.code == ERR_OK; i++)
			(void)tdfile_match(&f, &f.instrws[i], names, 2, found,
					   &e);
		change_all(&a, &f);
	} else if (e.message[0] == '\0') {
		abort();
	}
	arena_free(&a);
	free(text);
	return 0;
}
