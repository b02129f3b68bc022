/* The runtime's main loop: announce itself, take the pack, measure what the
 * host requests, or everything if no host answers. */
#include <string.h>

#include "common/pack.h"
#include "common/say.h"
#include "target/boot.h"
#include "target/core/clock.h"
#include "target/core/command.h"
#include "target/core/cores.h"
#include "target/core/introduce.h"
#include "target/core/load.h"
#include "target/core/measure.h"
#include "target/core/observe.h"
#include "target/core/options.h"
#include "target/core/report.h"
#include "target/core/slot.h"
#include "target/core/sustain.h"

enum { EXIT_OK = 0, EXIT_REFUSED = 1 };

/* How a session ended. */
enum end {
	END_REFUSED, /* there is nothing to run */
	END_RUN,     /* it ran the pack by itself, or was left out */
	END_MOVE,    /* the host asked for another core */
	END_BYE,     /* the host said bye, or is gone */
};

static struct {
	const void *pack;
	enum arch_clock clock;
	struct measurement result;
	uint64_t core; /* the one whose units and clocks were found */
	bool has_host; /* a host gave a command */
	enum end end;
	bool has_place; /* a work command came, and */
	uint32_t place; /* this was its place */
	struct command command;
} job;

/* Is it a pack for this core?  If not, send an error record with the reason. */
static bool accept_pack(const void *pack, size_t n)
{
	int ret = pack_check(pack, n);

	if (ret != PACK_OK) {
		struct wire_line *w = report_begin("error");

		wire_word(w, "m", "pack refused");
		if (ret == PACK_BAD_VERSION)
			wire_u64(w, "version", pack_header(pack)->version);
		wire_word(w, "why", pack_strerror(ret));
		(void)report_send();
		return false;
	}
	if (pack_header(pack)->isa != arch_isa()) {
		report_message("error", "the pack is for another ISA");
		return false;
	}
	return true;
}

static uint32_t n_visits(void)
{
	if (job.clock == ARCH_CLOCK_CORE && !boot_is_shared())
		return 1;
	return pack_header(job.pack)->n_visits;
}

static struct wire_line *begin_result(const char *kind, uint32_t index,
				      uint32_t visit)
{
	struct wire_line *w = report_begin(kind);

	cores_mark(w);
	say_kernel(w, job.pack, index);
	/* The only one of a core clock is not said. */
	if (visit > 0 || job.clock != ARCH_CLOCK_CORE)
		wire_u64(w, "visit", visit);
	return w;
}

/* Instructions retired, if the core counts them: once if every row has the same
 * count, as usual, else row by row. */
static void put_retired(struct wire_line *w, uint32_t rows)
{
	const struct measurement *m = &job.result;
	const uint64_t *i = m->retired;
	bool same = true;

	if (job.clock != ARCH_CLOCK_CORE || i[0] == 0)
		return;
	for (size_t at = m->row; at < (size_t)rows * m->row; at++)
		same &= i[at] == i[at - m->row];
	wire_list(w, "i", i, same ? m->row : (size_t)rows * m->row);
}

/* The part of the first `rows` rows that is said: a last row that was counted
 * several times is said once. */
static uint32_t rows_to_say(uint32_t rows)
{
	const struct measurement *m = &job.result;
	const uint64_t *last = m->values + (size_t)(rows - 1) * m->row;
	size_t bytes = m->row * sizeof(*last);

	while (rows > 1 && memcmp(last - m->row, last, bytes) == 0) {
		last -= m->row;
		rows--;
	}
	return rows;
}

static void put_rows(struct wire_line *w, uint32_t rows)
{
	const struct measurement *m = &job.result;
	uint32_t said = rows_to_say(rows);

	/* On a core clock these are always the same. */
	if (job.clock != ARCH_CLOCK_CORE) {
		wire_list(w, "c", m->c, PACK_N_CALIB);
		wire_u64(w, "o", m->empty);
		wire_u64(w, "row", m->row);
	}
	wire_list(w, "d", m->values, (size_t)said * m->row);
	if (said < rows)
		wire_u64(w, "rows", rows);
	put_retired(w, rows);
}

static void say_sample(uint32_t index, uint32_t visit)
{
	const struct measurement *m = &job.result;

	/* Rows that do not fit in a line are left out: fewer whole rows are a
	 * smaller sample, not a wrong one. */
	for (uint32_t rows = m->n_rows; rows > 0; rows--) {
		struct wire_line *w = begin_result("sample", index, visit);

		wire_u64(w, "n", m->n);
		say_unroll(w, "u", &pack_kernels(job.pack)[index]);
		put_rows(w, rows);
		if (report_send())
			return;
	}
}

/* Address relative to the code that ran, if inside. */
static uint64_t relative_pc(const struct measurement *m, uint32_t index)
{
	const struct pack_kernel *k = &pack_kernels(job.pack)[index];
	uint64_t offset = m->fault.pc - slot_code_address(index, m->length);

	return offset < k->code_bytes[m->length] ? offset : m->fault.pc;
}

static void say_fault(uint32_t index, uint32_t visit)
{
	const struct measurement *m = &job.result;
	struct arch_fault fault = m->fault;
	struct wire_line *w = begin_result("fault", index, visit);

	fault.pc = relative_pc(m, index);
	wire_u64(w, "length", m->length);
	report_fault(w, &fault);
	(void)report_send();
}

/* A kernel that stops this board: the host says the same of one that stopped it
 * twice. */
static void say_lost(uint32_t index, uint32_t visit)
{
	job.result = (struct measurement){ .fault.cause = "lost" };
	say_fault(index, visit);
}

static bool is_calib(uint32_t index)
{
	return pack_kernels(job.pack)[index].flags & PACK_KERNEL_CALIB;
}

static void visit_kernel(uint32_t index, uint32_t visit)
{
	if (options_skip(index))
		say_lost(index, visit);
	else if (measure_kernel(index, visit, &job.result))
		say_sample(index, visit);
	else
		say_fault(index, visit);
}

static void say_done(const struct command *c)
{
	struct wire_line *w = report_begin("done");

	wire_u64(w, "from", c->from);
	wire_u64(w, "to", c->to);
	wire_u64(w, "visit", c->visit);
	/* A console of a board has other things to carry. */
	if (job.clock == ARCH_CLOCK_REF && boot_is_shared())
		wire_u64(w, "inside", slot_inside());
	(void)report_send();
}

static void main_run(const struct command *c)
{
	measure_expect(c->probe, c->reading, c->ignored);
	for (uint32_t i = c->from; i < c->to; i++)
		if (!is_calib(i))
			visit_kernel(i, c->visit);
	say_done(c);
}

/* The next kernel of a list, where `at` has its range and the kernels of that
 * range that are over. */
struct work {
	size_t range;
	uint32_t offset;
};

static bool work_next(const struct command *c, int list, struct work *at,
		      uint32_t *ret)
{
	while (at->range < c->n_ranges[list]) {
		const struct command_range *r = &c->ranges[list][at->range];

		*ret = r->from + at->offset;
		if (++at->offset == r->to - r->from) {
			at->range++;
			at->offset = 0;
		}
		if (!is_calib(*ret))
			return true;
	}
	return false;
}

static void say_start(uint32_t index)
{
	wire_u64(report_begin("start"), "k", index);
	(void)report_send();
}

/* While the core is disturbed, kernels that do not need it quiet run first. */
static void main_work(const struct command *c)
{
	struct work at[COMMAND_LISTS] = { { .range = 0 } };
	uint32_t index;

	if (job.has_place && c->place != job.place) {
		const char *problem = measure_move();

		if (problem) {
			report_message("error", problem);
			return;
		}
	}
	job.has_place = true;
	job.place = c->place;
	measure_expect(c->probe, c->reading, c->ignored);
	for (;;) {
		int list = measure_was_disturbed();

		if (!work_next(c, list, &at[list], &index)) {
			list = !list;
			if (!work_next(c, list, &at[list], &index))
				break;
		}
		measure_any(list);
		say_start(index);
		visit_kernel(index, c->visit);
	}
	measure_any(false);
	say_done(c);
}

/* Later passes are visits like the first ones, with consecutive numbers. */
static void run_everything(void)
{
	uint32_t n = pack_header(job.pack)->n_kernels;
	struct command *all = &job.command;
	uint64_t passes = options()->passes;
	uint64_t left_out = options()->from;

	*all = (struct command){ .to = n };
	for (uint64_t i = 0; passes == 0 || i < passes; i++)
		for (uint32_t v = 0; v < n_visits(); v++, all->visit++) {
			all->from = left_out < n ? (uint32_t)left_out : n;
			left_out -= all->from;
			if (all->from < n)
				main_run(all);
		}
}

static void say_ready(void)
{
	(void)report_begin("ready");
	(void)report_send();
}

static void introduce(void)
{
	introduce_core(job.clock);
	if (job.pack)
		introduce_pack(job.pack, job.clock, n_visits());
	else
		introduce_pack(NULL, job.clock, 0);
	say_ready();
}

/* Take a pack into use; false after an error record. */
static bool use_pack(const void *pack, size_t n)
{
	const char *problem;

	if (!accept_pack(pack, n))
		return false;
	job.pack = pack;
	introduce_pack(job.pack, job.clock, n_visits());
	problem = measure_open(pack, job.clock);
	if (!problem)
		return true;
	job.pack = NULL;
	report_message("error", problem);
	return false;
}

static void start_loaded(void)
{
	size_t n;
	const void *pack = load_finish(&n);

	if (!pack)
		report_message("error", "start: expected all chunks of a load");
	else if (use_pack(pack, n))
		say_ready();
}

/* The address of a function of another file would go through a GOT. */
static void *allocate(size_t n)
{
	return boot_code_alloc(n);
}

/* Execute the host's command; false: it ends the session. */
static bool obey(enum command_kind kind, const struct command *c)
{
	switch (kind) {
	case COMMAND_RUN:
		main_run(c);
		return true;
	case COMMAND_WORK:
		main_work(c);
		return true;
	case COMMAND_HELLO:
		introduce();
		return true;
	case COMMAND_LOAD:
		job.pack = NULL;
		return true;
	case COMMAND_START:
		start_loaded();
		return true;
	case COMMAND_STAGE:
		sustain_stage(job.pack, allocate);
		return true;
	case COMMAND_SUSTAIN:
		sustain_run(job.pack, c->begin, c->ticks);
		return true;
	case COMMAND_REGISTERS:
		observe_run();
		return true;
	case COMMAND_MOVE:
		cores_ask(c->core);
		job.end = END_MOVE;
		return false;
	default:
		job.end = END_BYE;
		return false;
	}
}

static uint32_t ready_ms(void)
{
	uint32_t ms = pack_header(job.pack)->ready_ms;

	if (options()->ready_ms != OPTIONS_ANY)
		ms = (uint32_t)options()->ready_ms;
	return ms ? ms : 1;
}

/* Serve a host until it ends the session or is gone; false if no command arrived
 * within ready_ms.  Without a host `ready` is repeated: the next one must not
 * have to type anything to find a runtime. */
static bool serve(void)
{
	say_ready();
	for (;;) {
		uint32_t n = job.pack ? pack_header(job.pack)->n_kernels : 0;
		enum command_kind kind = command_wait(
			job.has_host ? COMMAND_FOREVER : ready_ms(), n,
			&job.command);

		if (kind == COMMAND_NONE || kind == COMMAND_GONE) {
			job.end = END_BYE;
			return job.has_host;
		}
		report_tee(NULL);
		job.has_host = true;
		if (kind == COMMAND_IDLE)
			say_ready();
		else if (!obey(kind, &job.command))
			return true;
	}
}

/* The pack of the core before, or the attached one. */
static bool take_pack(void)
{
	size_t n;
	const void *pack = job.pack;

	if (pack)
		return use_pack(pack, pack_header(pack)->total_bytes);
	if (job.has_host) {
		introduce_pack(NULL, job.clock, 0);
		return true;
	}
	pack = boot_pack(&n);
	if (pack)
		return use_pack(pack, n);
	report_message("error", "no pack is attached");
	return false;
}

static void find_units(void)
{
	arch_init();
	clock_init();
	job.core = boot_core();
}

/* Runs on the core that is to be measured. */
static void session(void)
{
	if (job.core != boot_core())
		find_units();
	job.end = END_RUN;
	if (cores_leave_out())
		return;
	job.clock = arch_best_clock();
	introduce_core(job.clock);
	if (!take_pack()) {
		job.end = END_REFUSED;
		return;
	}
	if (serve())
		return;
	run_everything();
	if (!cores_is_last() || !serve())
		job.end = END_RUN;
}

static void say_not_started(uint64_t core)
{
	struct wire_line *w = report_begin("error");

	wire_word(w, "m", "the core did not start");
	wire_u64(w, "core", core);
	(void)report_send();
}

int runtime_main(void)
{
	bool has_run = false;
	uint64_t core;

	find_units();
	if (!report_open())
		return EXIT_REFUSED;
	while (cores_next(&core)) {
		if (!boot_core_run(core, session)) {
			say_not_started(core);
			continue;
		}
		/* The next core may take the pack. */
		if (job.end == END_REFUSED)
			continue;
		has_run = true;
		if (job.end == END_BYE)
			break;
	}
	(void)report_begin("bye");
	(void)report_send();
	return has_run ? EXIT_OK : EXIT_REFUSED;
}
