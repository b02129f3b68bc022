/* Writes changes of a text as a unified diff; see tdfile.h. */
#include <string.h>

#include "host/base/order.h"
#include "host/codec/llvm/tdfile.h"

enum { CONTEXT = 3 };

/* Lines of the old text that are replaced: from `first`, n of them. */
struct hunk_part {
	size_t first, n;
	struct buffer text; /* the new lines */
};

static int compare_edits(const void *a, const void *b)
{
	const struct tdfile_edit *x = a, *y = b;
	int order = ORDER(x->at, y->at);

	if (order == 0)
		order = ORDER(x->n, y->n);
	return order ? order : strcmp(x->text, y->text);
}

static size_t line_begin(const struct tdfile *s, size_t i)
{
	while (i > 0 && s->text[i - 1] != '\n')
		i--;
	return i;
}

static size_t line_end(const struct tdfile *s, size_t i)
{
	while (i < s->n && s->text[i] != '\n')
		i++;
	return i < s->n ? i + 1 : i;
}

/* Append lines, each behind a mark; returns how many. */
static size_t add_lines(struct buffer *b, char mark, const char *text, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; lines++) {
		const char *end = memchr(text + i, '\n', n - i);
		size_t size = end ? (size_t)(end - text) - i + 1 : n - i;

		buffer_add(b, &mark, 1);
		buffer_add(b, text + i, size);
		if (!end)
			buffer_printf(b, "\n\\ No newline at end of file\n");
		i += size;
	}
	return lines;
}

struct differ {
	const struct tdfile *s;
	struct tdfile_edit *edits;
	size_t n;
	struct buffer *out;
	long shift; /* lines added before the hunk, less those removed */
};

/* The edits from i on whose lines, with their context, touch: append a hunk;
 * returns the first edit behind it. */
static size_t add_hunk(struct differ *d, size_t i)
{
	const struct tdfile *s = d->s;
	size_t begin = line_begin(s, d->edits[i].at), from = begin, end, to;
	size_t old_lines, new_lines, both, first = 1;
	struct buffer body = { 0 };

	for (int k = 0; k < CONTEXT && from > 0; k++)
		from = line_begin(s, from - 1);
	for (size_t k = 0; k < from; k++)
		first += s->text[k] == '\n';
	old_lines = new_lines =
		add_lines(&body, ' ', s->text + from, begin - from);
	for (;;) {
		struct buffer text = { 0 };
		size_t at = begin;

		/* All edits of these lines. */
		end = begin;
		for (; i < d->n && (d->edits[i].at < end || end == begin);
		     i++) {
			const struct tdfile_edit *x = &d->edits[i];

			buffer_add(&text, s->text + at, x->at - at);
			buffer_add(&text, x->text, strlen(x->text));
			at = x->at + x->n;
			end = line_end(s, at > x->at ? at - 1 : at);
		}
		buffer_add(&text, s->text + at, end - at);
		old_lines +=
			add_lines(&body, '-', s->text + begin, end - begin);
		new_lines +=
			add_lines(&body, '+', (const char *)text.bytes, text.n);
		buffer_free(&text);
		to = end;
		for (int k = 0; k < 2 * CONTEXT && to < s->n; k++)
			to = line_end(s, to);
		if (i == d->n || d->edits[i].at >= to)
			break;
		begin = line_begin(s, d->edits[i].at);
		both = add_lines(&body, ' ', s->text + end, begin - end);
		old_lines += both;
		new_lines += both;
	}
	to = end;
	for (int k = 0; k < CONTEXT && to < s->n; k++)
		to = line_end(s, to);
	both = add_lines(&body, ' ', s->text + end, to - end);
	old_lines += both;
	new_lines += both;
	buffer_printf(d->out, "@@ -%zu,%zu +%ld,%zu @@\n", first, old_lines,
		      (long)first + d->shift, new_lines);
	buffer_add(d->out, body.bytes, body.n);
	buffer_free(&body);
	d->shift += (long)new_lines - (long)old_lines;
	return i;
}

void tdfile_diff(const struct tdfile *s, struct tdfile_edit *edits, size_t n,
		 struct buffer *ret)
{
	const char *name = strrchr(s->path, '/');
	struct differ d = { .s = s, .edits = edits, .n = n, .out = ret };

	if (n == 0)
		return;
	name = name ? name + 1 : s->path;
	order_sort(edits, n, sizeof(*edits), compare_edits);
	buffer_printf(ret, "--- a/%s\n+++ b/%s\n", name, name);
	for (size_t i = 0; i < n;)
		i = add_hunk(&d, i);
}
