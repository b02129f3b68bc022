/* Commands arrive over an unreliable console: bytes before a record, records
 * torn or damaged, numbers out of range. */
#include "target/core/command.h"

#include "target/boot.h"
#include "target/core/clock.h"
#include "target/core/load.h"
#include "target/core/observe.h"
#include "target/core/report.h"
#include "target/core/sustain.h"

enum {
	/* A record, and bytes that firmware may have left before it. */
	LINE_MAX = WIRE_LINE_MAX + 256,
	WAIT_MS = 20, /* between polls of the console */
	IDLE_MS = 1000,
	NS_PER_MS = 1000 * 1000,
};

static struct {
	char line[LINE_MAX];
	size_t length;
	bool overflow;
	bool hello; /* one came, and is answered when no byte waits */
} input;

static void say_ack(const struct load_state *state)
{
	struct wire_line *w = report_begin("ack");

	wire_u64(w, "from", state->from);
	wire_u64(w, "to", state->to);
	wire_list(w, "missing", state->missing, state->n_missing);
	(void)report_send();
}

/* What run and work may have in addition. */
static void parse_expectations(const struct wire_record *r, struct command *ret)
{
	uint64_t probe = 0, reading = 0, ignored = 0;

	(void)wire_get_u64(r, "probe", &probe);
	(void)wire_get_u64(r, "reading", &reading);
	(void)wire_get_u64(r, "ignored", &ignored);
	if (probe > UINT32_MAX || reading > UINT32_MAX)
		probe = reading = 0;
	ret->probe = (uint32_t)probe;
	ret->reading = (uint32_t)reading;
	ret->ignored = (uint32_t)ignored;
}

static enum command_kind parse_run(const struct wire_record *r,
				   uint32_t n_kernels, struct command *ret)
{
	uint64_t from, to, visit;

	if (!wire_get_u64(r, "from", &from) || !wire_get_u64(r, "to", &to) ||
	    !wire_get_u64(r, "visit", &visit)) {
		report_message("error",
			       "run: expected numbers from, to, visit");
		return COMMAND_NONE;
	}
	if (from > to || to > n_kernels || visit > UINT32_MAX) {
		report_message(
			"error",
			"run: expected from <= to <= kernels of the pack");
		return COMMAND_NONE;
	}
	parse_expectations(r, ret);
	ret->from = (uint32_t)from;
	ret->to = (uint32_t)to;
	ret->visit = (uint32_t)visit;
	return COMMAND_RUN;
}

/* One list of a work command: pairs of numbers, from and to. */
static bool parse_ranges(const struct wire_record *r, const char *key,
			 uint32_t n_kernels, int list, struct command *c)
{
	static uint64_t numbers[2 * COMMAND_MAX_RANGES];
	int n = wire_get_list(r, key, numbers, ARRAY_LEN(numbers));

	for (int i = 0; i + 1 < n; i += 2) {
		uint64_t from = numbers[i], to = numbers[i + 1];

		if (from >= to || to > n_kernels)
			return false;
		c->ranges[list][i / 2] = (struct command_range){
			.from = (uint32_t)from,
			.to = (uint32_t)to,
		};
		c->from = (uint32_t)from < c->from ? (uint32_t)from : c->from;
		c->to = (uint32_t)to > c->to ? (uint32_t)to : c->to;
	}
	c->n_ranges[list] = n > 0 ? (size_t)n / 2 : 0;
	return n >= 0 && n % 2 == 0;
}

static enum command_kind parse_work(const struct wire_record *r,
				    uint32_t n_kernels, struct command *ret)
{
	uint64_t visit, place;

	parse_expectations(r, ret);
	ret->from = UINT32_MAX;
	ret->to = 0;
	if (!wire_get_u64(r, "visit", &visit) || visit > UINT32_MAX ||
	    !wire_get_u64(r, "place", &place) || place > UINT32_MAX ||
	    !parse_ranges(r, "k", n_kernels, 0, ret) ||
	    !parse_ranges(r, "any", n_kernels, 1, ret) || ret->to == 0) {
		report_message("error", "work: expected numbers visit, place "
					"and lists k, any of pairs from < to "
					"<= kernels of the pack");
		return COMMAND_NONE;
	}
	ret->visit = (uint32_t)visit;
	ret->place = (uint32_t)place;
	return COMMAND_WORK;
}

/* The address of a function of another file would go through a GOT. */
static void *allocate(size_t n)
{
	return boot_code_alloc(n);
}

static enum command_kind parse_load(const struct wire_record *r)
{
	const char *problem = load_begin(r, allocate);

	if (problem) {
		report_message("error", problem);
		return COMMAND_NONE;
	}
	say_ack(&(struct load_state){ .n_missing = 0 });
	return COMMAND_LOAD;
}

static enum command_kind parse_sync(const struct wire_record *r)
{
	struct load_state state;

	if (load_sync(r, &state))
		say_ack(&state);
	else
		report_message("error", "sync: expected from <= to <= chunks "
					"of a load");
	return COMMAND_NONE;
}

static enum command_kind parse_stage(const struct wire_record *r,
				     uint32_t n_kernels)
{
	const char *problem = sustain_request(r, n_kernels);

	if (problem)
		report_message("error", problem);
	return problem ? COMMAND_NONE : COMMAND_STAGE;
}

static enum command_kind parse_registers(const struct wire_record *r,
					 uint32_t n_kernels)
{
	const char *problem = observe_request(r, n_kernels);

	if (problem)
		report_message("error", problem);
	return problem ? COMMAND_NONE : COMMAND_REGISTERS;
}

static enum command_kind parse_sustain(const struct wire_record *r,
				       struct command *ret)
{
	enum { MOST_S = 600 };
	uint64_t begin, ticks;

	if (!wire_get_u64(r, "begin", &begin) ||
	    !wire_get_u64(r, "ticks", &ticks) || ticks > MOST_S * clock_hz()) {
		report_message("error",
			       "sustain: expected numbers begin, ticks");
		return COMMAND_NONE;
	}
	ret->begin = begin;
	ret->ticks = ticks;
	return COMMAND_SUSTAIN;
}

static enum command_kind parse_hello(const struct wire_record *r,
				     struct command *ret)
{
	uint64_t core;

	if (!wire_get_u64(r, "core", &core) || core == boot_core())
		return COMMAND_HELLO;
	ret->core = core;
	return COMMAND_MOVE;
}

static enum command_kind parse_record(const struct wire_record *r,
				      uint32_t n_kernels, struct command *ret)
{
	if (wire_is(r, "data")) {
		load_data(r);
		return COMMAND_NONE;
	}
	if (wire_is(r, "sync"))
		return parse_sync(r);
	if (wire_is(r, "run"))
		return parse_run(r, n_kernels, ret);
	if (wire_is(r, "work"))
		return parse_work(r, n_kernels, ret);
	if (wire_is(r, "load"))
		return parse_load(r);
	if (wire_is(r, "stage"))
		return parse_stage(r, n_kernels);
	if (wire_is(r, "sustain"))
		return parse_sustain(r, ret);
	if (wire_is(r, "registers"))
		return parse_registers(r, n_kernels);
	if (wire_is(r, "start"))
		return COMMAND_START;
	if (wire_is(r, "hello"))
		return parse_hello(r, ret);
	if (wire_is(r, "bye"))
		return COMMAND_BYE;
	report_message("error", "expected run, work, load, stage, sustain, "
				"hello or bye");
	return COMMAND_NONE;
}

/* Damaged data during a load is reported as missing; an answer would be sent
 * while the next chunk arrives. */
static void complain(const char *expected)
{
	if (!load_active())
		report_message("error", expected);
}

static enum command_kind parse(const char *line, size_t n, uint32_t n_kernels,
			       struct command *ret)
{
	struct wire_record r;

	switch (wire_parse(line, n, &r)) {
	case WIRE_OK:
		return parse_record(&r, n_kernels, ret);
	case WIRE_NOT_A_RECORD:
		return COMMAND_NONE;
	default:
		complain("expected an undamaged record");
		return COMMAND_NONE;
	}
}

/* Take one byte; returns the command that it completes, if any. */
static enum command_kind take(char c, uint32_t n_kernels, struct command *ret)
{
	size_t n = input.length;
	bool overflow = input.overflow;

	if (c != '\n') {
		if (n == LINE_MAX)
			input.overflow = true;
		else
			input.line[input.length++] = c;
		return COMMAND_NONE;
	}
	input.length = 0;
	input.overflow = false;
	if (overflow) {
		complain("expected a line of a command's length");
		return COMMAND_NONE;
	}
	return parse(input.line, n, n_kernels, ret);
}

enum command_kind command_wait(uint32_t ms, uint32_t n_kernels,
			       struct command *ret)
{
	bool forever = ms == COMMAND_FOREVER;
	uint64_t start = arch_ref_now();
	uint64_t limit =
		clock_ticks((uint64_t)(forever ? IDLE_MS : ms) * NS_PER_MS);

	for (;;) {
		int c = report_read();

		if (c >= 0) {
			enum command_kind kind = take((char)c, n_kernels, ret);

			/* One answer to all that a slow core found waiting. */
			if (kind == COMMAND_HELLO)
				input.hello = true;
			else if (kind != COMMAND_NONE)
				return kind;
			if (forever)
				start = arch_ref_now();
			continue;
		}
		if (input.hello) {
			input.hello = false;
			return COMMAND_HELLO;
		}
		if (report_closed())
			return COMMAND_GONE;
		if (arch_ref_now() - start >= limit)
			return forever ? COMMAND_IDLE : COMMAND_NONE;
		report_wait(WAIT_MS);
	}
}
