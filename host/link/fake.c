/* A board that does not exist: the core of a .core file speaks the wire like
 * any runtime, drops and damages its lines like any console, and computes
 * each record when the host reads it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crc32.h"
#include "common/say.h"
#include "host/base/file.h"
#include "host/fake/measure.h"
#include "host/isa/isa.h"
#include "host/link/fake_cores.h"
#include "host/link/lines.h"
#include "host/link/link.h"

enum { IDLE_MS = 1000 }; /* command_wait() of the runtime */

struct job {
	bool active;
	uint32_t next, from, to, visit;
};

struct fake {
	struct arena arena;
	const struct catalogue *catalogue;
	/* A machine of several cores, and the one that runs; core 0 boots. */
	struct core cores[FAKE_MAX_CORES], core;
	size_t n_cores, now;
	const void *pack;
	struct fake_board *board;
	struct lines input;
	struct buffer out;
	size_t sent; /* of out */
	struct job job;
	uint64_t seq;
	uint32_t idle_ms; /* since the last record or command */
	bool ended;
	const char *reason;
	struct fake_sample sample;
};

/* ---- records out ------------------------------------------------------ */

static void emit_line(struct fake *f, const char *text, size_t n)
{
	buffer_add(&f->out, text, n);
}

static void begin(struct fake *f, struct wire_line *w, const char *kind)
{
	wire_begin(w, f->seq, kind);
}

/* Returns false when the record does not fit a line. */
static bool emit(struct fake *f, struct wire_line *w)
{
	size_t n = wire_end(w);

	if (n == 0)
		return false;
	f->seq++;
	emit_line(f, w->text, n);
	return true;
}

static bool happens(struct fake *f, double percent)
{
	return percent > 0 && fake_board_random(f->board) < percent / 100;
}

/* The same over a bad line: it may vanish, or arrive with a byte changed. */
static bool emit_badly(struct fake *f, struct wire_line *w)
{
	size_t n = wire_end(w);

	if (n == 0)
		return false;
	f->seq++;
	if (happens(f, f->core.drop))
		return true;
	if (happens(f, f->core.corrupt)) {
		size_t at =
			(size_t)(fake_board_random(f->board) * (double)(n - 1));

		int bits = 1 + (int)(fake_board_random(f->board) * 15);

		w->text[at] = (char)(w->text[at] ^ bits);
	}
	emit_line(f, w->text, n);
	return true;
}

static void message(struct fake *f, const char *kind, const char *m)
{
	struct wire_line w;

	begin(f, &w, kind);
	wire_word(&w, "m", m);
	(void)emit(f, &w);
}

static void say_info(struct fake *f)
{
	struct wire_line w;

	begin(f, &w, "info");
	wire_u64(&w, "proto", WIRE_VERSION);
	wire_word(&w, "isa", f->core.isa);
	wire_word(&w, "clock", clock_word(f->core.clock));
	wire_u64(&w, "hz",
		 f->core.clock == CLOCK_REF ? (uint64_t)f->core.hz : 0);
	wire_word(&w, "boot", "none");
	wire_word(&w, "cpu", f->core.cpu);
	if (f->n_cores > 1) {
		char cores[] = { '0', '-', (char)('0' + f->n_cores - 1), 0 };

		wire_u64(&w, "core", f->now);
		wire_word(&w, "cores", cores);
		wire_hex(&w, "kind",
			 crc32_update(0, f->core.cpu, strlen(f->core.cpu)));
	}
	if (f->now > 0)
		wire_u64(&w, "first_core", 0);
	(void)emit(f, &w);
}

static void send_pack(struct fake *f)
{
	bool ref = f->core.clock == CLOCK_REF;
	struct wire_line w;

	begin(f, &w, "pack");
	say_pack(&w, f->pack, ref ? pack_header(f->pack)->n_visits : 1, !ref);
	(void)emit(f, &w);
}

static void say_ready(struct fake *f)
{
	struct wire_line w;

	begin(f, &w, "ready");
	(void)emit(f, &w);
}

/* The runtime begins on a core. */
static void begin_core(struct fake *f, size_t number)
{
	const char *problem;

	f->now = number;
	f->core = f->cores[number];
	fake_board_free(f->board);
	f->board = fake_board_new(f->catalogue, &f->core, f->pack);
	say_info(f);
	send_pack(f);
	problem = fake_board_calibrate(f->board);
	if (problem) {
		message(f, "error", problem);
		f->ended = true;
		f->reason = "the invented board refused the pack";
		return;
	}
	say_ready(f);
}

/* Text before the first record, as firmware prints it; then the board. */
static void boot(struct fake *f)
{
	static const char banner[] = "invented firmware\r\n\r\nbooting ";

	emit_line(f, banner, sizeof(banner) - 1);
	begin_core(f, 0);
}

/* ---- kernels ---------------------------------------------------------- */

static void begin_result(struct fake *f, struct wire_line *w, const char *kind,
			 uint32_t k)
{
	begin(f, w, kind);
	if (f->now > 0)
		wire_u64(w, "core", f->now);
	say_kernel(w, f->pack, k);
	wire_u64(w, "visit", f->job.visit);
}

/* Rows that do not fit a line are left out. */
static void say_sample(struct fake *f, uint32_t k)
{
	const struct fake_sample *m = &f->sample;

	for (uint32_t rows = m->n_rows; rows > 0; rows--) {
		struct wire_line w;

		begin_result(f, &w, "sample", k);
		wire_u64(&w, "n", m->n);
		say_unroll(&w, "u", &pack_kernels(f->pack)[k]);
		wire_list(&w, "c", m->c, PACK_N_CALIB);
		wire_u64(&w, "o", m->empty);
		wire_u64(&w, "row", m->row);
		wire_list(&w, "d", m->values, (size_t)rows * m->row);
		if (emit_badly(f, &w))
			return;
	}
}

static void say_fault(struct fake *f, uint32_t k)
{
	struct wire_line w;

	begin_result(f, &w, "fault", k);
	wire_u64(&w, "length", 0);
	wire_word(&w, "cause", f->sample.fault);
	wire_hex(&w, "code", 0);
	wire_hex(&w, "pc", f->sample.fault_pc);
	wire_hex(&w, "addr", 0);
	(void)emit_badly(f, &w);
}

/* Go on with the job by one record. */
static void work(struct fake *f)
{
	struct job *j = &f->job;
	struct wire_line w;

	while (j->next < j->to &&
	       (pack_kernels(f->pack)[j->next].flags & PACK_KERNEL_CALIB))
		j->next++;
	if (j->next < j->to) {
		uint32_t k = j->next++;

		fake_board_measure(f->board, k, &f->sample);
		if (!f->sample.fault) {
			say_sample(f, k);
		} else if (strcmp(f->sample.fault, "die") != 0) {
			say_fault(f, k);
		} else {
			f->ended = true;
			f->reason = "a kernel took the invented board down";
		}
		return;
	}
	j->active = false;
	begin(f, &w, "done");
	wire_u64(&w, "from", j->from);
	wire_u64(&w, "to", j->to);
	wire_u64(&w, "visit", j->visit);
	(void)emit_badly(f, &w);
}

/* ---- commands in ------------------------------------------------------ */

static void take_run(struct fake *f, const struct wire_record *r)
{
	uint64_t from, to, visit;

	if (!wire_get_u64(r, "from", &from) || !wire_get_u64(r, "to", &to) ||
	    !wire_get_u64(r, "visit", &visit) || from > to ||
	    to > pack_header(f->pack)->n_kernels || visit > UINT32_MAX) {
		message(f, "error", "run: expected from <= to <= kernels");
		return;
	}
	f->job = (struct job){
		.active = true,
		.next = (uint32_t)from,
		.from = (uint32_t)from,
		.to = (uint32_t)to,
		.visit = (uint32_t)visit,
	};
}

static void take_hello(struct fake *f, const struct wire_record *r)
{
	uint64_t core = f->now;
	struct wire_line w;

	(void)!wire_get_u64(r, "core", &core);
	if (core < f->n_cores && core != f->now) {
		begin_core(f, core);
		return;
	}
	if (core != f->now) {
		begin(f, &w, "error");
		wire_word(&w, "m", "the core did not start");
		wire_u64(&w, "core", core);
		(void)emit(f, &w);
	}
	say_info(f);
	send_pack(f);
	say_ready(f);
}

static int take_line(void *context, const char *line, size_t n, struct err *e)
{
	struct fake *f = context;
	struct wire_record r;
	int ret = wire_parse(line, n, &r);

	(void)e;
	if (ret == WIRE_NOT_A_RECORD)
		return ERR_OK;
	if (ret != WIRE_OK) {
		message(f, "error", "expected an undamaged record");
	} else if (wire_is(&r, "run")) {
		take_run(f, &r);
	} else if (wire_is(&r, "hello")) {
		take_hello(f, &r);
	} else if (wire_is(&r, "bye")) {
		struct wire_line w;

		begin(f, &w, "bye");
		(void)emit(f, &w);
		f->ended = true;
		f->reason = "exit status 0";
	} else {
		message(f, "error", "expected run, hello or bye");
	}
	return ERR_OK;
}

/* ---- the stream ------------------------------------------------------- */

static int fake_read(void *state, char *bytes, size_t n, int timeout_ms)
{
	struct fake *f = state;
	size_t left;

	f->idle_ms += (uint32_t)timeout_ms;
	if (f->job.active || f->sent < f->out.n)
		f->idle_ms = 0;
	if (f->idle_ms >= IDLE_MS && !f->ended) {
		f->idle_ms = 0;
		say_ready(f);
	}
	/* A dropped record leaves nothing to read, but no silence either. */
	while (f->sent == f->out.n && f->job.active && !f->ended) {
		f->sent = f->out.n = 0;
		work(f);
	}
	left = f->out.n - f->sent;
	if (left == 0)
		return f->ended ? -1 : 0;
	if (n > left)
		n = left;
	memcpy(bytes, f->out.bytes + f->sent, n);
	f->sent += n;
	return (int)n;
}

static int fake_write(void *state, const char *bytes, size_t n)
{
	struct fake *f = state;
	struct err e = { 0 };

	if (f->ended)
		return -1;
	f->idle_ms = 0;
	return lines_feed(&f->input, bytes, n, take_line, f, &e) == ERR_OK ? 0
									   : -1;
}

static const char *fake_end_reason(void *state)
{
	const struct fake *f = state;

	return f->reason ? f->reason : "still there";
}

static void fake_close(void *state)
{
	struct fake *f = state;

	fake_board_free(f->board);
	for (size_t i = 0; i < f->n_cores; i++)
		core_free(&f->cores[i]);
	buffer_free(&f->out);
	arena_free(&f->arena);
	free(f);
}

/* ---- opening ---------------------------------------------------------- */

static int load_pack(struct fake *f, const struct link_request *q,
		     struct err *e)
{
	unsigned char *bytes;
	size_t n;
	int ret;

	if (!q->pack || !q->catalogue)
		return err_set(e, ERR_FAILED,
			       "board '%s': no pack or no catalogue",
			       q->board->name);
	ret = file_read(&f->arena, q->pack, PACK_MAX_BYTES, &bytes, &n, e);
	if (ret != ERR_OK)
		return ret;

	int bad = pack_check(bytes, n);

	if (bad != PACK_OK)
		return err_set(e, ERR_INPUT, "%s: %s", q->pack,
			       pack_strerror(bad));
	f->pack = bytes;
	return ERR_OK;
}

static int fake_open(struct arena *a, const struct link_request *q,
		     struct stream *ret_stream, struct err *e)
{
	struct fake *f = xrealloc(NULL, 1, sizeof(*f));
	int ret;

	(void)a;
	memset(f, 0, sizeof(*f));
	f->catalogue = q->catalogue;
	ret = load_pack(f, q, e);
	if (ret == ERR_OK)
		ret = fake_load_cores(&f->arena, q, f->cores, &f->n_cores, e);
	if (ret != ERR_OK) {
		fake_close(f);
		return ret;
	}
	boot(f);
	*ret_stream = (struct stream){
		.state = f,
		.read = fake_read,
		.write = fake_write,
		.end_reason = fake_end_reason,
		.close = fake_close,
	};
	return ERR_OK;
}

const struct transport transport_fake = {
	.name = "fake",
	.can_restart = true,
	.open = fake_open,
};
