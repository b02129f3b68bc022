/* Boot one case in QEMU, the board's own command line and image, and judge
 * by the records that arrive on its console.
 *
 *	run BOARDS RUNTIMES FIRMWARE BOARD ISA CHECK [KEYS [INFO]]
 *
 * FIRMWARE is a folder: @FIRMWARE@ in the board's command.  KEYS is a file of
 * what a person types at the firmware: lines "text|keys", the keys sent once
 * the text has been seen behind the last one; - for none.  INFO is a list of
 * fields, key=value,key=value, that the info record must have.
 *
 * The pack is made by hand (tests/native/pack.h), so that nothing but the
 * runtime and the image maker is under test. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/base/board.h"
#include "host/image/image.h"
#include "tests/qemu/checks.h"

enum {
	MAX_RUNTIME = 16 << 20,
	MAX_WORDS = 64,
	BOOTS = 2, /* every case boots twice, with equal records */
};

/* Files that marks of a command stand for. */
struct files {
	const char *image, *firmware;
};

static char *put_file(struct arena *a, char *word, const char *mark,
		      const char *file)
{
	char *at = strstr(word, mark);

	if (!at)
		return word;
	return arena_printf(a, "%.*s%s%s", (int)(at - word), word, file,
			    at + strlen(mark));
}

/* Start the board's command with its files; returns its stdout. */
static int start(struct arena *a, const struct board *b,
		 const struct files *files, pid_t *ret_pid, int *ret_stdin)
{
	char *words[MAX_WORDS + 1];
	size_t n = 0;
	int in[2], out[2];

	for (char *w = strtok(arena_strdup(a, b->command), " ");
	     w && n < MAX_WORDS; w = strtok(NULL, " "))
		words[n++] =
			put_file(a, put_file(a, w, "@IMAGE@", files->image),
				 "@FIRMWARE@", files->firmware);
	words[n] = NULL;
	if (n == 0 || pipe(in) || pipe(out))
		fail("start", "a command and pipes");
	*ret_pid = fork();
	if (*ret_pid == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		(void)close(in[1]);
		(void)close(out[0]);
		execvp(words[0], words);
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	*ret_stdin = in[1];
	return out[0];
}

/* Input to type: `next` is the line that waits for its text after byte `seen`
 * of the console. */
struct keys {
	char *next;
	size_t seen;
};

static struct keys read_keys(struct arena *a, const char *path)
{
	enum { MAX_KEYS = 1 << 16 };
	struct keys k = { .next = NULL };
	struct err e = { 0 };
	unsigned char *text;
	size_t n;

	if (!path)
		return k;
	if (file_read(a, path, MAX_KEYS, &text, &n, &e))
		fail("keys", e.message);
	k.next = (char *)text;
	return k;
}

/* Type each line whose text has appeared; the buffer has no NUL at its end. */
static void type_keys(struct keys *k, const struct buffer *b, int fd)
{
	while (k->next && *k->next) {
		char *bar = strchr(k->next, '|');
		char *end = bar ? strchr(bar, '\n') : NULL;

		if (!end)
			fail("keys", k->next);

		size_t n = (size_t)(bar - k->next);
		const char *at =
			memmem(b->bytes + k->seen, b->n - k->seen, k->next, n);

		if (!at)
			return;
		k->seen = (size_t)((const unsigned char *)at - b->bytes) + n;
		if (write(fd, bar + 1, (size_t)(end - bar)) < 0)
			fail("keys", strerror(errno));
		k->next = end + 1;
	}
}

static char *read_all(struct arena *a, int fd, int in, struct keys k,
		      unsigned limit_s)
{
	struct buffer b = { 0 };
	time_t end = time(NULL) + (time_t)limit_s;
	char part[4096];
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		if (time(NULL) > end)
			break;
		if (poll(&p, 1, 1000) <= 0)
			continue;

		ssize_t n = read(fd, part, sizeof(part));

		if (n <= 0)
			break;
		buffer_add(&b, part, (size_t)n);
		type_keys(&k, &b, in);
	}
	if (k.next && *k.next)
		fail("a firmware that asks for", k.next);
	buffer_add(&b, "", 1);

	char *text = arena_copy(a, b.bytes, b.n);

	buffer_free(&b);
	return text;
}

static void boot(struct arena *a, const struct board *b,
		 const struct files *files, const char *keys,
		 struct console *ret)
{
	pid_t pid;
	int in;
	int out = start(a, b, files, &pid, &in);
	char *text = read_all(a, out, in, read_keys(a, keys), b->timeout_s);

	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)close(in);
	(void)close(out);
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

	const struct files files = { image, argv[ARG_FIRMWARE] };

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
