/* Boot one case in QEMU, the board's own command line and image, and judge
 * by the records that arrive on its console.
 *
 *	run BOARDS RUNTIMES FIRMWARE BOARD ISA CHECK [KEYS [INFO]]
 *
 * FIRMWARE and KEYS are those of boot.h; KEYS is - for none.  INFO is a list of
 * fields, key=value,key=value, that the info record must have.
 *
 * The pack is made by hand (tests/native/pack.h), so that nothing but the
 * runtime and the image maker is under test. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/board.h"
#include "host/image/image.h"
#include "tests/qemu/boot.h"
#include "tests/qemu/checks.h"

enum {
	MAX_RUNTIME = 16 << 20,
	BOOTS = 2, /* every case boots twice, with equal records */
};

static void boot(struct arena *a, const struct board *b,
		 const struct boot_files *files, const char *keys,
		 struct console *ret)
{
	char *text = boot_console(a, b, files, keys);

	fputs(text, stdout);
	ret->n = 0;
	for (char *l = strtok(text, "\r\n"); l && ret->n < MAX_LINES;
	     l = strtok(NULL, "\r\n"))
		ret->lines[ret->n++] = l;
}

/* The file that boot `n` left on the FAT disk, read back by mtools. */
static void judge_log(struct arena *a, const char *image, int n,
		      const struct console *c)
{
	struct buffer text = { 0 };
	char part[4096];
	size_t took;
	FILE *p = popen(arena_printf(a, "mcopy -i %s ::anechoic/run-%03d.log -",
				     image, n),
			"r");

	if (!p)
		fail("mcopy", strerror(errno));
	while ((took = fread(part, 1, sizeof(part), p)) > 0)
		buffer_add(&text, part, took);
	buffer_add(&text, "", 1);
	if (pclose(p) != 0)
		fail("mcopy", "a file");
	want_records(c, (const char *)text.bytes);
	buffer_free(&text);
}

static void make_image(struct arena *a, const struct board *b,
		       const char *runtimes, const struct hand_pack *p,
		       const char *path)
{
	struct image_request q = {
		.board = b,
		.pack = p->bytes,
		.n_pack = p->n,
	};
	const struct image_kind *kind = image_kind_find(b->image);
	char *name = arena_printf(a, "%s/%s", runtimes, b->runtime);
	struct buffer image = { 0 };
	struct err e = { 0 };
	unsigned char *bytes;

	if (!kind)
		fail("image kind", b->image);
	if (file_read(a, name, MAX_RUNTIME, &bytes, &q.n_runtime, &e))
		fail("runtime", e.message);
	q.runtime = bytes;
	if (kind->build(&q, &image, &e) ||
	    file_write(path, image.bytes, image.n, &e))
		fail("image", e.message);
	buffer_free(&image);
}

/* Fields of the info record: "key=value,key=value". */
static void want_info(struct arena *a, const struct console *c,
		      const char *wanted)
{
	struct wire_record r;

	if (!find(c, "info", 0, &r))
		fail("info", "none");
	for (char *w = strtok(arena_strdup(a, wanted), ","); w;
	     w = strtok(NULL, ",")) {
		char *value = strchr(w, '=');

		if (!value)
			fail("a wanted field key=value", w);
		*value = '\0';
		want_word(&r, w, value + 1);
	}
}

/* Arguments of the command line, by position. */
enum {
	ARG_BOARDS = 1,
	ARG_RUNTIMES,
	ARG_FIRMWARE,
	ARG_BOARD,
	ARG_ISA,
	ARG_CHECK,
	ARG_KEYS,
	ARG_INFO,
	MAX_ARGS,
};

int main(int argc, char **argv)
{
	static struct hand_pack pack;
	static struct console consoles[BOOTS];
	struct arena a = { 0 };
	struct err e = { 0 };
	struct board *boards;
	const struct board *board;
	size_t n;

	if (argc < ARG_KEYS || argc > MAX_ARGS) {
		fprintf(stderr, "run BOARDS RUNTIMES FIRMWARE BOARD ISA CHECK "
				"[KEYS [INFO]]\n");
		return 2;
	}
	if (boards_read(&a, argv[ARG_BOARDS], &boards, &n, &e) ||
	    board_find(boards, n, argv[ARG_BOARD], argv[ARG_ISA], &board, &e))
		fail("board", e.message);

	const struct hand_isa *isa = hand_isa(argv[ARG_ISA]);
	const struct check *check = checks;
	const char *keys = argc > ARG_KEYS && strcmp(argv[ARG_KEYS], "-") != 0
				   ? argv[ARG_KEYS]
				   : NULL;

	while (check->name && strcmp(check->name, argv[ARG_CHECK]) != 0)
		check++;
	if (!isa || !check->name)
		fail("arguments", "a known ISA and check");
	check->pack(&pack, isa);

	char image[] = "/tmp/anechoic-qemu-XXXXXX";
	int fd = mkstemp(image);

	if (fd < 0)
		fail("image", strerror(errno));
	(void)close(fd);
	make_image(&a, board, argv[ARG_RUNTIMES], &pack, image);

	const struct boot_files files = { image, argv[ARG_FIRMWARE] };

	for (int i = 0; i < BOOTS; i++)
		boot(&a, board, &files, keys, &consoles[i]);
	for (int i = 0; i < BOOTS && check->log; i++)
		judge_log(&a, image, i + 1, &consoles[i]);
	(void)unlink(image);
	for (int i = 0; i < BOOTS; i++) {
		want_whole(&consoles[i]);
		check->judge(&consoles[i], isa);
		if (argc > ARG_INFO)
			want_info(&a, &consoles[i], argv[ARG_INFO]);
	}
	if (!check->coarse)
		want_same(&consoles[0], &consoles[1]);
	arena_free(&a);
	return 0;
}
