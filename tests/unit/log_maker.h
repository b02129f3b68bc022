/* Logs that a test writes record by record. */
#ifndef UNIT_LOG_MAKER_H
#define UNIT_LOG_MAKER_H

#include <unistd.h>

#include "common/wire.h"
#include "host/base/file.h"
#include "host/link/link.h"
#include "host/store/store_run.h"
#include "tests/unit/unit.h"

/* A log under construction, and the results read from it. */
struct fixture {
	struct arena arena;
	struct err err;
	struct buffer text;
	uint64_t seq;
	struct link_log log;
	struct link_log_counts counts;
	char path[64];
	struct store *store;
	struct run run;
};

static void fixture_end(struct fixture *f)
{
	if (f->store) {
		store_close(f->store);
		(void)unlink(f->path);
	}
	buffer_free(&f->text);
	arena_free(&f->arena);
}

/* ---- writing ---------------------------------------------------------- */

static void line(struct fixture *f, struct wire_line *w)
{
	size_t n = wire_end(w);

	f->seq++;
	buffer_add(&f->text, w->text, n);
}

static void info(struct fixture *f, const char *isa, const char *clock)
{
	struct wire_line w;

	f->seq = 0;
	wire_begin(&w, f->seq, "info");
	wire_u64(&w, "proto", WIRE_VERSION);
	wire_word(&w, "isa", isa);
	wire_word(&w, "clock", clock);
	wire_u64(&w, "hz", 24000000);
	wire_word(&w, "firmware", "opensbi");
	line(f, &w);
}

static void pack(struct fixture *f, uint64_t id)
{
	const uint64_t a[] = { 8, 16, 24 };
	const uint64_t p[] = { 10, 20, 30 };
	struct wire_line w;

	wire_begin(&w, f->seq, "pack");
	wire_hex(&w, "id", id);
	wire_u64(&w, "kernels", 9);
	wire_u64(&w, "visits", 3);
	wire_u64(&w, "budget", 2000);
	wire_list(&w, "au", a, 3);
	wire_list(&w, "bu", NULL, 0);
	wire_list(&w, "pu", p, 3);
	wire_u64(&w, "cycles", 0);
	line(f, &w);
}

static void result(struct fixture *f, const char *kind, uint64_t k, uint64_t id,
		   const char *label, uint64_t visit, uint64_t value)
{
	const uint64_t u[] = { 4, 8, 12 };
	const uint64_t d[] = { value, 200, 300, 100, 200, 300 };
	struct wire_line w;

	wire_begin(&w, f->seq, kind);
	wire_u64(&w, "k", k);
	wire_hex(&w, "id", id);
	wire_word(&w, "x", label);
	wire_u64(&w, "visit", visit);
	if (strcmp(kind, "fault") == 0) {
		wire_u64(&w, "length", 1);
		wire_word(&w, "cause", "access");
		wire_hex(&w, "code", 5);
		wire_hex(&w, "pc", 8);
		wire_hex(&w, "addr", 0xdead);
	} else {
		wire_u64(&w, "n", 7);
		wire_list(&w, "u", u, 3);
		wire_list(&w, "c", d, 3);
		wire_u64(&w, "o", 0);
		wire_u64(&w, "row", 3);
		wire_list(&w, "d", d, 6);
	}
	line(f, &w);
}

/* ---- reading ---------------------------------------------------------- */

static int scan(struct fixture *f)
{
	return link_log_scan(&f->arena, "x.log", f->text.bytes, f->text.n,
			     &f->log, &f->err);
}

static void check(struct fixture *f, int ret)
{
	assert_ok(ret, &f->err);
}

#endif
