/* Boot one case in QEMU, the board's own command line and image, and judge
 * by the records that arrive on its console.
 *
 *	run BOARDS RUNTIMES BOARD ISA CHECK
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
	BOOTS = 2, /* every case boots twice and must say the same */
};

static char *put_image(struct arena *a, char *word, const char *image)
{
	static const char mark[] = "@IMAGE@";
	char *at = strstr(word, mark);

	if (!at)
		return word;
	return arena_printf(a, "%.*s%s%s", (int)(at - word), word, image,
			    at + strlen(mark));
}

/* Start the board's command with @IMAGE@ replaced; returns its stdout. */
static int start(struct arena *a, const struct board *b, const char *image,
		 pid_t *ret_pid, int *ret_stdin)
{
	char *words[MAX_WORDS + 1];
	size_t n = 0;
	int in[2], out[2];

	for (char *w = strtok(arena_strdup(a, b->command), " ");
	     w && n < MAX_WORDS; w = strtok(NULL, " "))
		words[n++] = put_image(a, w, image);
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

static char *read_all(struct arena *a, int fd, unsigned limit_s)
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
	}
	buffer_add(&b, "", 1);

	char *text = arena_copy(a, b.bytes, b.n);

	buffer_free(&b);
	return text;
}

static void boot(struct arena *a, const struct board *b, const char *image,
		 struct console *ret)
{
	pid_t pid;
	int in;
	int out = start(a, b, image, &pid, &in);
	char *text = read_all(a, out, b->timeout_s);

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

int main(int argc, char **argv)
{
	static struct hand_pack pack;
	static struct console consoles[BOOTS];
	struct arena a = { 0 };
	struct err e = { 0 };
	struct board *boards;
	const struct board *board;
	size_t n;

	if (argc != 6) {
		fprintf(stderr, "run BOARDS RUNTIMES BOARD ISA CHECK\n");
		return 2;
	}
	if (boards_read(&a, argv[1], &boards, &n, &e) ||
	    board_find(boards, n, argv[3], argv[4], &board, &e))
		fail("board", e.message);

	const struct hand_isa *isa = hand_isa(argv[4]);
	const struct check *check = checks;

	while (check->name && strcmp(check->name, argv[5]) != 0)
		check++;
	if (!isa || !check->name)
		fail("arguments", "a known ISA and check");
	check->pack(&pack, isa);

	char image[] = "/tmp/anechoic-qemu-XXXXXX";
	int fd = mkstemp(image);

	if (fd < 0)
		fail("image", strerror(errno));
	(void)close(fd);
	make_image(&a, board, argv[2], &pack, image);
	for (int i = 0; i < BOOTS; i++)
		boot(&a, board, image, &consoles[i]);
	(void)unlink(image);
	for (int i = 0; i < BOOTS; i++) {
		want_whole(&consoles[i]);
		check->judge(&consoles[i], isa);
	}
	want_same(&consoles[0], &consoles[1]);
	arena_free(&a);
	return 0;
}
