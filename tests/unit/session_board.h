/* A runtime that misbehaves as described by a row of `scenarios`, for
 * session.c. */
#ifndef TESTS_UNIT_SESSION_BOARD_H
#define TESTS_UNIT_SESSION_BOARD_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/pack.h"
#include "common/wire.h"
#include "host/base/file.h"

enum { N_SCENARIO_PAIRS = 256 }; /* of a list */

struct child;

/* A board's misbehaviour.  Kernels are given by number; `times` counts
 * starts. */
struct scenario {
	const char *name;
	bool ref, shared;
	bool work; /* takes lists; runs each backwards, and `any` first */
	int drop_every, corrupt_every; /* lines of results */
	bool drop_done, drop_ready, drop_info;
	int die_at, hang_at, fault_at, reboot_at;
	int times;       /* number of starts that misbehave; 0: all */
	int rests_until; /* starts 2 to this end before they are ready */
	bool die_first, silent, babbles, wrong_isa, wrong_pack, wrong_id,
		wrong_unroll;
	bool leaves;       /* the host is late: the board ends before it gets a
			    * command */
	bool deaf;         /* takes no command: its input is closed */
	bool refuse_first; /* answers the first command with an error */
	bool chatter;      /* stderr, long lines, binary between records */
	bool echoes;       /* repeats each command */
	/* Sends the record of n bytes in its own way (session_hostile.c). */
	void (*spoil)(struct child *c, const char *text, size_t n);
};

static const struct scenario scenarios[] = {
	{ .name = "good" },
	{ .name = "ref", .ref = true },
	{ .name = "shared", .ref = true, .shared = true },
	{ .name = "lists", .ref = true, .shared = true, .work = true },
	{ .name = "lists-deaf-once",
	  .ref = true,
	  .shared = true,
	  .work = true,
	  .deaf = true,
	  .times = 1 },
	{ .name = "lists-die-once",
	  .ref = true,
	  .shared = true,
	  .work = true,
	  .die_at = 150,
	  .times = 1 },
	{ .name = "lists-die-always",
	  .ref = true,
	  .shared = true,
	  .work = true,
	  .die_at = 150 },
	{ .name = "drops", .drop_every = 7 },
	{ .name = "corrupts", .ref = true, .corrupt_every = 5 },
	{ .name = "no-done", .drop_done = true },
	{ .name = "no-ready", .drop_ready = true },
	{ .name = "no-info", .drop_info = true },
	{ .name = "dies-once", .die_at = 150, .times = 1 },
	{ .name = "dies-always", .die_at = 150 },
	{ .name = "dies-and-rests", .die_at = 150, .rests_until = 4 },
	{ .name = "hangs-once", .hang_at = 200, .times = 1 },
	{ .name = "hangs-always", .hang_at = 200 },
	{ .name = "reboots-once", .reboot_at = 200, .times = 1 },
	{ .name = "leaves-once", .leaves = true, .times = 1 },
	{ .name = "faults", .fault_at = 17 },
	{ .name = "dies-first", .die_first = true },
	{ .name = "silent", .silent = true },
	{ .name = "babbles", .babbles = true },
	{ .name = "wrong-isa", .wrong_isa = true },
	{ .name = "wrong-pack", .wrong_pack = true },
	{ .name = "wrong-id", .wrong_id = true },
	{ .name = "wrong-unroll", .wrong_unroll = true },
	{ .name = "refuses-first", .refuse_first = true },
	{ .name = "chatters", .chatter = true },
};

struct child {
	const struct scenario *s;
	const void *pack;
	bool wrong; /* in this start */
	uint64_t place;
	uint64_t seq;
	int n_results;
};

static void say(struct child *c, struct wire_line *w, bool lost)
{
	size_t n = wire_end(w);

	c->seq++;
	if (c->s->spoil) {
		c->s->spoil(c, w->text, n);
		return;
	}
	if (!lost && write(STDOUT_FILENO, w->text, n) != (ssize_t)n)
		_exit(9);
}

static void say_result(struct child *c, struct wire_line *w)
{
	int n = ++c->n_results;
	const struct scenario *s = c->s;

	if (s->corrupt_every && n % s->corrupt_every == 0)
		w->text[w->length / 2] ^= 1;
	say(c, w, s->drop_every && n % s->drop_every == 0);
}

static void chatter(const struct child *c, uint32_t k)
{
	static char junk[3 * WIRE_LINE_MAX];

	if (!c->s->chatter)
		return;
	if (k % 3 == 0)
		(void)fprintf(stderr, "warning: kernel %u @1 x *\n", k);
	if (k % 3 == 1)
		(void)!write(STDOUT_FILENO, "\0\x01\xff@*\x80\n", 7);
	if (k % 50 == 2) {
		memset(junk, '@', sizeof(junk) - 1);
		junk[sizeof(junk) - 1] = '\n';
		(void)!write(STDOUT_FILENO, junk, sizeof(junk));
	}
	if (k % 3 == 2)
		(void)!write(STDOUT_FILENO, "text before ", 12);
}

static void say_kernel(struct child *c, uint32_t k, uint64_t visit)
{
	const struct scenario *s = c->s;
	const struct pack_kernel *kernel = &pack_kernels(c->pack)[k];
	uint64_t row = s->ref ? 8 : 3;
	const uint64_t d[16] = { 100 + k, 200 + k, 300 + k, visit };
	uint64_t u[PACK_LENGTHS] = { 1, 2, s->wrong_unroll ? 4 : 3 };
	struct wire_line w;
	bool fault = s->fault_at == (int)k;

	chatter(c, k);
	wire_begin(&w, c->seq, fault ? "fault" : "sample");
	wire_u64(&w, "k", k);
	wire_hex(&w, "id", kernel->id + s->wrong_id);
	wire_word(&w, "x", pack_label(c->pack, kernel));
	wire_u64(&w, "visit", visit);
	if (fault) {
		wire_u64(&w, "length", 0);
		wire_word(&w, "cause", "illegal");
		wire_hex(&w, "code", 2);
		wire_hex(&w, "pc", 8);
		wire_hex(&w, "addr", 0xdead);
	} else {
		wire_u64(&w, "n", 5);
		wire_list(&w, "u", u, PACK_LENGTHS);
		wire_list(&w, "c", d, PACK_N_CALIB);
		wire_u64(&w, "o", 9);
		wire_u64(&w, "row", row);
		wire_list(&w, "d", d, 2 * row);
	}
	say_result(c, &w);
}

static void introduce(struct child *c)
{
	const struct scenario *s = c->s;
	struct wire_line w;

	wire_begin(&w, c->seq, "info");
	wire_u64(&w, "proto", WIRE_VERSION);
	wire_word(&w, "isa", s->wrong_isa ? "aarch64" : "riscv64");
	wire_word(&w, "clock", s->ref ? "ref" : "core");
	wire_u64(&w, "hz", s->ref ? 1000000 : 0);
	if (s->shared)
		wire_u64(&w, "shared", 1);
	if (s->work)
		wire_u64(&w, "work", 1);
	wire_word(&w, "colour", "green");
	say(c, &w, s->drop_info);
	wire_begin(&w, c->seq, "pack");
	wire_hex(&w, "id", pack_header(c->pack)->id + s->wrong_pack);
	say(c, &w, false);
	wire_begin(&w, c->seq, "ready");
	say(c, &w, s->drop_ready);
}

static void misbehave(struct child *c, uint32_t k)
{
	const struct scenario *s = c->s;

	if (!c->wrong)
		return;
	if (s->die_at == (int)k)
		(void)raise(SIGKILL);
	if (s->hang_at == (int)k)
		for (;;)
			(void)pause();
	if (s->reboot_at == (int)k) {
		c->seq = 0;
		c->wrong = false;
		introduce(c);
	}
}

static void serve(struct child *c, const struct wire_record *r)
{
	uint64_t from, to, visit;
	struct wire_line w;

	if (!wire_get_u64(r, "from", &from) || !wire_get_u64(r, "to", &to) ||
	    !wire_get_u64(r, "visit", &visit))
		_exit(8);
	if (c->s->refuse_first && c->wrong) {
		c->wrong = false;
		wire_begin(&w, c->seq, "error");
		wire_word(&w, "m", "damaged");
		say(c, &w, false);
		return;
	}
	for (uint32_t k = (uint32_t)from; k < to; k++) {
		if (pack_kernels(c->pack)[k].flags & PACK_KERNEL_CALIB)
			continue;
		misbehave(c, k);
		say_kernel(c, k, visit);
	}
	wire_begin(&w, c->seq, "done");
	wire_u64(&w, "from", from);
	wire_u64(&w, "to", to);
	wire_u64(&w, "visit", visit);
	say(c, &w, c->s->drop_done);
}

/* Run the kernels of a list of pairs from, to, last ones first. */
static void serve_list(struct child *c, const struct wire_record *r,
		       const char *key, uint64_t visit)
{
	uint64_t pairs[2 * N_SCENARIO_PAIRS];
	int n = wire_get_list(r, key, pairs, ARRAY_LEN(pairs));
	struct wire_line w;

	if (n < 0 || n % 2 != 0)
		_exit(8);
	for (int i = n - 2; i >= 0; i -= 2)
		for (uint64_t k = pairs[i + 1]; k-- > pairs[i];) {
			if (pack_kernels(c->pack)[k].flags & PACK_KERNEL_CALIB)
				continue;
			wire_begin(&w, c->seq, "start");
			wire_u64(&w, "k", k);
			say(c, &w, false);
			misbehave(c, (uint32_t)k);
			say_kernel(c, (uint32_t)k, visit);
		}
}

/* Count something in a file of its own; returns how often it came. */
static int count_in_file(const char *pack, const char *what)
{
	char path[256];
	FILE *f;
	long n;

	(void)snprintf(path, sizeof(path), "%s.%s", pack, what);
	f = fopen(path, "a");
	if (!f || fputc('x', f) == EOF)
		_exit(7);
	n = ftell(f);
	(void)fclose(f);
	return (int)n;
}

static void serve_work(struct child *c, const struct wire_record *r,
		       const char *path)
{
	uint64_t visit, place, pairs[2 * N_SCENARIO_PAIRS];
	uint64_t from = UINT64_MAX, to = 0;
	struct wire_line w;

	if (!wire_get_u64(r, "visit", &visit) ||
	    !wire_get_u64(r, "place", &place))
		_exit(8);
	if (place != c->place)
		(void)count_in_file(path, "places");
	c->place = place;
	serve_list(c, r, "any", visit);
	serve_list(c, r, "k", visit);
	for (int list = 0; list < 2; list++) {
		int n = wire_get_list(r, list ? "any" : "k", pairs,
				      ARRAY_LEN(pairs));

		for (int i = 0; i + 1 < n; i += 2) {
			from = pairs[i] < from ? pairs[i] : from;
			to = pairs[i + 1] > to ? pairs[i + 1] : to;
		}
	}
	wire_begin(&w, c->seq, "done");
	wire_u64(&w, "from", from);
	wire_u64(&w, "to", to);
	wire_u64(&w, "visit", visit);
	say(c, &w, false);
}

static inline int board_serve(const struct scenario *s, const char *path)
{
	struct child c = { .s = s };
	struct arena a = { 0 };
	struct err e = { 0 };
	unsigned char *pack;
	char line[WIRE_LINE_MAX + 2];
	size_t n;
	int start = count_in_file(path, "starts");

	if (!c.s || file_read(&a, path, 1 << 24, &pack, &n, &e) != ERR_OK)
		return 6;
	c.pack = pack;
	c.wrong = c.s->times == 0 || start <= c.s->times;
	(void)!write(STDOUT_FILENO, "firmware 1.0\r\n", 14);
	if (c.s->die_first || (start > 1 && start <= c.s->rests_until)) {
		(void)fprintf(stderr, "no such machine\n");
		arena_free(&a);
		return 3;
	}
	while (c.s->babbles) {
		(void)!write(STDOUT_FILENO, "menu> @1 *\r\n", 12);
		(void)usleep(20 * 1000);
	}
	while (c.s->silent)
		(void)pause();
	if (c.s->deaf && c.wrong)
		(void)close(STDIN_FILENO);
	introduce(&c);
	if (c.s->deaf && c.wrong) {
		(void)usleep(500 * 1000);
		arena_free(&a);
		return 4;
	}
	if (c.s->leaves && c.wrong) {
		struct wire_line w;

		wire_begin(&w, c.seq, "bye");
		say(&c, &w, false);
		arena_free(&a);
		return 0;
	}
	while (fgets(line, sizeof(line), stdin)) {
		struct wire_record r;

		if (wire_parse(line, strlen(line) - 1, &r) != WIRE_OK)
			return 5;
		if (wire_is(&r, "bye")) {
			struct wire_line w;

			wire_begin(&w, c.seq, "bye");
			say(&c, &w, false);
			break;
		}
		if (c.s->echoes)
			(void)!write(STDOUT_FILENO, line, strlen(line));
		if (wire_is(&r, "work"))
			serve_work(&c, &r, path);
		else
			serve(&c, &r);
	}
	arena_free(&a);
	return 0;
}

/* The scenario of this name in a table of n, or NULL. */
static inline const struct scenario *scenario_find(const struct scenario *table,
						   size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

static inline int board_main(const char *name, const char *path)
{
	return board_serve(scenario_find(scenarios, ARRAY_LEN(scenarios), name),
			   path);
}

#endif
