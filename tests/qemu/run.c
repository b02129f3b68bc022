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

#include "common/wire.h"
#include "host/base/board.h"
#include "host/image/image.h"
#include "tests/native/pack.h"

enum {
	MAX_RUNTIME = 16 << 20,
	MAX_LINES = 4096,
	MAX_WORDS = 64,
	N_CALIB = 3, /* kernels hand_build() puts in front */
	BOOTS = 2,   /* every case boots twice and must say the same */
};

/* Unmapped on every machine here: physical beyond any bus, and no canonical
 * virtual address either. */
#define NOWHERE UINT64_C(0x00dead0000000000)

struct console {
	size_t n;
	char *lines[MAX_LINES];
};

struct check {
	const char *name;
	void (*pack)(struct hand_pack *p, const struct hand_isa *isa);
	void (*judge)(const struct console *c, const struct hand_isa *isa);
};

static void fail(const char *what, const char *detail)
{
	fprintf(stderr, "FAILED: %s: %s\n", what, detail);
	exit(1);
}

/* ---- records ----------------------------------------------------------- */

/* The n-th record of a kind, starting with 0; false when there are fewer. */
static bool find(const struct console *c, const char *kind, size_t n,
		 struct wire_record *ret)
{
	for (size_t i = 0; i < c->n; i++) {
		struct wire_record r;

		if (wire_parse(c->lines[i], strlen(c->lines[i]), &r) != WIRE_OK)
			continue;
		if (wire_is(&r, kind) && n-- == 0) {
			*ret = r;
			return true;
		}
	}
	return false;
}

/* The first record of a kind about kernel k. */
static struct wire_record about(const struct console *c, const char *kind,
				uint64_t k)
{
	struct wire_record r;
	char text[32];
	uint64_t is;

	for (size_t i = 0; find(c, kind, i, &r); i++)
		if (wire_get_u64(&r, "k", &is) && is == k)
			return r;
	snprintf(text, sizeof(text), "none for kernel %u", (unsigned)k);
	fail(kind, text);
	return r;
}

static uint64_t number(const struct wire_record *r, const char *key)
{
	uint64_t v = 0;

	if (!wire_get_u64(r, key, &v))
		fail(key, "a number in the record");
	return v;
}

static void want_word(const struct wire_record *r, const char *key,
		      const char *want)
{
	char word[64] = "(absent)";

	if (wire_get_word(r, key, word, sizeof(word)) &&
	    strcmp(word, want) == 0)
		return;
	fprintf(stderr, "%s: expected %s, found %s\n", key, want, word);
	fail(r->kind, key);
}

/* Every record arrived, in order: no gap up to bye. */
static void want_whole(const struct console *c)
{
	struct wire_record r;
	uint64_t seq = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (wire_parse(c->lines[i], strlen(c->lines[i]), &r) != WIRE_OK)
			continue;
		if (r.seq != seq++)
			fail("sequence", c->lines[i]);
	}
	if (!find(c, "bye", 0, &r))
		fail("bye", "the run did not end");
}

/* Cycles of one instruction: the slope between any two lengths, exact. */
static void want_slope(const struct wire_record *r, uint64_t cycles)
{
	uint64_t unroll[PACK_LENGTHS], d[3 * 64];
	uint64_t n = number(r, "n");
	int n_d = wire_get_list(r, "d", d, ARRAY_LEN(d));

	if (wire_get_list(r, "u", unroll, PACK_LENGTHS) != PACK_LENGTHS ||
	    n_d < 2 * PACK_LENGTHS || n_d % PACK_LENGTHS)
		fail("sample", "two rows of three lengths at least");
	for (int row = 0; row < n_d; row += PACK_LENGTHS)
		for (int i = 1; i < PACK_LENGTHS; i++) {
			uint64_t bodies = (unroll[i] - unroll[i - 1]) * n;

			if (d[row + i] - d[row + i - 1] == bodies * cycles)
				continue;
			fprintf(stderr, "%llu ticks for %llu bodies\n",
				(unsigned long long)(d[row + i] -
						     d[row + i - 1]),
				(unsigned long long)bodies);
			fail("slope", "not exact");
		}
}

/* ---- checks ------------------------------------------------------------ */

static void pack_slope(struct hand_pack *p, const struct hand_isa *isa)
{
	const struct hand_kernel kernels[] = {
		{ .label = "add", HAND_BODY(isa->add) },
		{ .label = "xor", HAND_BODY(isa->xor) },
		{ .label = "nop", HAND_BODY(isa->nop) },
		{ .label = "vector",
		  HAND_BODY(isa->add),
		  .flags = PACK_KERNEL_VECTOR },
	};

	hand_build(p, isa, kernels, ARRAY_LEN(kernels));
	((struct pack_header *)p->bytes)->kernel_cycles = 2000;
	((struct pack_header *)p->bytes)->ready_ms = 1;
	hand_checksum(p);
}

static void judge_slope(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;

	if (!find(c, "info", 0, &r))
		fail("info", "none");
	want_word(&r, "clock", "core");
	want_word(&r, "isa", isa->name);
	for (uint64_t k = N_CALIB; k < N_CALIB + 4; k++) {
		r = about(c, "sample", k);
		want_slope(&r, 1);
	}
}

static void pack_faults(struct hand_pack *p, const struct hand_isa *isa)
{
	struct pack_image bad = { .reserved = 0 };

	bad.gpr[isa->address] = NOWHERE;

	const struct hand_kernel kernels[] = {
		{ .label = "add", HAND_BODY(isa->add) },
		{ .label = "illegal", HAND_BODY(isa->illegal) },
		{ .label = "access", HAND_BODY(isa->load), .image = bad },
		{ .label = "hang", HAND_BODY(isa->hang) },
		{ .label = "add", HAND_BODY(isa->add) },
	};

	hand_build(p, isa, kernels, ARRAY_LEN(kernels));
	((struct pack_header *)p->bytes)->ready_ms = 1;
	hand_checksum(p);
}

static void judge_faults(const struct console *c, const struct hand_isa *isa)
{
	static const char *const causes[] = { "illegal", "access", "hang" };
	struct wire_record r = about(c, "sample", N_CALIB);

	(void)isa;
	want_slope(&r, 1);
	for (size_t i = 0; i < ARRAY_LEN(causes); i++) {
		r = about(c, "fault", N_CALIB + 1 + i);
		want_word(&r, "cause", causes[i]);
		/* The first instruction of each is the one that faults. */
		if (number(&r, "pc") != 0)
			fail(causes[i], "the pc within the kernel");
	}
	r = about(c, "fault", N_CALIB + 2);
	if (number(&r, "addr") != NOWHERE)
		fail("access", "the address");
	r = about(c, "sample", N_CALIB + 4);
	want_slope(&r, 1);
}

static const struct check checks[] = {
	{ "slope", pack_slope, judge_slope },
	{ "faults", pack_faults, judge_faults },
};

/* ---- boot -------------------------------------------------------------- */

/* Start the board's command with @IMAGE@ replaced; returns its stdout. */
static int start(struct arena *a, const struct board *b, const char *image,
		 pid_t *ret_pid, int *ret_stdin)
{
	char *words[MAX_WORDS + 1];
	size_t n = 0;
	int in[2], out[2];

	for (char *w = strtok(arena_strdup(a, b->command), " ");
	     w && n < MAX_WORDS; w = strtok(NULL, " "))
		words[n++] = strcmp(w, "@IMAGE@") ? w : arena_strdup(a, image);
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

/* Samples of both boots must be the same line: exact, run after run. */
static void want_same(const struct console *one, const struct console *two)
{
	struct wire_record x, y;

	for (size_t i = 0; find(one, "sample", i, &x); i++) {
		size_t n = (size_t)(x.fields[x.n_fields - 1].value.at +
				    x.fields[x.n_fields - 1].value.length -
				    x.fields[0].key.at);

		if (!find(two, "sample", i, &y) ||
		    strncmp(x.fields[0].key.at, y.fields[0].key.at, n) != 0)
			fail("second boot", x.fields[0].key.at);
	}
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
	const struct check *check = NULL;

	for (size_t i = 0; i < ARRAY_LEN(checks); i++)
		if (strcmp(checks[i].name, argv[5]) == 0)
			check = &checks[i];
	if (!isa || !check)
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
