/* Boot an image on an invented core: prints what the console would show.
 *
 *	boot IMAGE FILE.core */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"
#include "common/wire.h"
#include "host/base/file.h"
#include "host/fake/core.h"
#include "host/isa/isa.h"
#include "host/link/link.h"

enum { MAX_IMAGE = 1 << 30, WAIT_MS = 1 };

/* The pack in an image; NULL: there is none. */
static const unsigned char *find_pack(const unsigned char *image, size_t n)
{
	const size_t size = sizeof(struct pack_header);

	for (size_t i = 0; i + size < n; i += 8) {
		if (memcmp(image + i, PACK_MAGIC, sizeof(PACK_MAGIC) - 1) != 0)
			continue;
		if (pack_check(image + i, n - i) == PACK_OK)
			return image + i;
	}
	return NULL;
}

/* Print what the board says, until it has said the word or ends. */
static void print_until(struct stream *s, const char *word)
{
	struct buffer all = { 0 };
	char bytes[1 << 12];
	bool found = false;
	int n = 0;

	while (n >= 0 && !found) {
		n = s->read(s->state, bytes, sizeof(bytes), WAIT_MS);
		if (n <= 0)
			continue;
		(void)fwrite(bytes, 1, (size_t)n, stdout);
		buffer_add(&all, bytes, (size_t)n);
		found = strstr(buffer_text(&all), word) != NULL;
		/* The word may lie across two parts. */
		if (all.n > sizeof(bytes)) {
			all.n = 0;
			buffer_add(&all, bytes, (size_t)n);
		}
	}
	buffer_free(&all);
}

static void say(struct stream *s, struct wire_line *w)
{
	size_t n = wire_end(w);

	(void)s->write(s->state, w->text, n);
}

/* All kernels, as the runtime of an image runs them without a host. */
static void run_all(struct stream *s, const void *pack)
{
	struct wire_line w;

	wire_begin(&w, 0, "run");
	wire_u64(&w, "from", 0);
	wire_u64(&w, "to", pack_header(pack)->n_kernels);
	wire_u64(&w, "visit", 0);
	say(s, &w);
	print_until(s, " done ");
	wire_begin(&w, 1, "bye");
	say(s, &w);
	print_until(s, " bye ");
}

static int boot(struct arena *a, const char *path, const char *core,
		struct err *e)
{
	const struct transport *t = transport_find("fake");
	const struct board board = { .name = "fake" };
	struct link_request q = { .board = &board, .core = core };
	struct catalogue *c;
	struct stream s;
	struct core described;
	const unsigned char *pack;
	unsigned char *image;
	size_t n;

	if (file_read(a, path, MAX_IMAGE, &image, &n, e) != ERR_OK ||
	    core_read(a, core, &described, e) != ERR_OK)
		return e->code;
	pack = find_pack(image, n);
	if (!pack)
		return err_set(e, ERR_INPUT, "%s: no pack", path);
	q.pack = arena_printf(a, "%s.pack", path);
	if (file_write(q.pack, pack, pack_header(pack)->total_bytes, e) !=
		    ERR_OK ||
	    catalogue_load(a, isa_find(described.isa), NULL, &c, e) != ERR_OK)
		return e->code;
	q.catalogue = c;
	if (t->open(a, &q, &s, e) == ERR_OK) {
		run_all(&s, pack);
		s.close(s.state);
	}
	core_free(&described);
	return e->code;
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };

	if (argc != 3)
		return 2;
	if (boot(&a, argv[1], argv[2], &e) != ERR_OK)
		(void)fprintf(stderr, "%s\n", e.message);
	arena_free(&a);
	return e.code != ERR_OK;
}
