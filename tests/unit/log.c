/* Recorded console logs: results that are found, and logs that are refused. */
#include "tests/unit/log_maker.h"

EACH_NEW(struct fixture, fixture_end);

static void say(struct fixture *f, const char *text)
{
	buffer_add(&f->text, text, strlen(text));
}

/* Two boots with everything that happens on a console. */
static void whole_log(struct fixture *f)
{
	say(f, "U-Boot 2023.01\r\n\r\n=> booti\r\nStarting ");
	info(f, "riscv64", "core");
	pack(f, 0x77);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	result(f, "sample", 3, 0x33, "latency:ADD@1>0", 0, 100);
	say(f, "\x1b[0mpanic @ 0x1234 *\n\n");
	say(f, "U-Boot 2023.01\n");
	info(f, "riscv64", "core");
	pack(f, 0x77);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 101);
	f->seq += 2;
	result(f, "fault", 6, 0x66, "throughput:SUB", 0, 0);
	result(f, "sample", 7, 0x77, "throughput:XOR", 0, 100);
	f->text.bytes[f->text.n - 20] ^= 1;
	say(f, "cut off @12 sam");
}

static void make_run(struct fixture *f)
{
	f->run = (struct run){
		.board = "test",
		.isa = f->log.isa,
		.cpu = "",
		.clock = f->log.clock,
		.clock_text = f->log.clock_text,
		.what = "",
		.forms = "",
		.tool = "test",
		.date = "2000-01-01T00:00:00Z",
	};
	(void)strcpy(f->path, "/tmp/anechoic-log-XXXXXX");

	int fd = mkstemp(f->path);

	assert_true(fd >= 0);
	(void)close(fd);
	(void)unlink(f->path);
	check(f, store_open(f->path, true, &f->store, &f->err));
	check(f, store_run_new(f->store, &f->run, &f->err));
	for (size_t i = 0; i < f->log.n_kernels; i++) {
		const struct link_log_kernel *k = &f->log.kernels[i];
		struct kernel_row row = {
			.id = k->id,
			.label = k->label,
			.unroll = { 4, 8, 12 },
			.ops_per_body = 1,
		};

		check(f, store_kernel(f->store, f->run.id, k->index, &row,
				      &f->err));
	}
}

static int store_log(struct fixture *f)
{
	return link_log_store(f->store, f->run.id, 0, &f->log, &f->counts,
			      &f->err);
}

static void assert_says(const struct fixture *f, const char *part)
{
	assert_int_equal(f->err.code, ERR_INPUT);
	assert_part(f->err.message, part);
}

TEST_ON(a_log_describes_its_run, struct fixture *f)
{
	whole_log(f);
	check(f, scan(f));
	assert_string_equal(f->log.isa, "riscv64");
	assert_int_equal(f->log.clock, CLOCK_CORE);
	assert_int_equal(f->log.ref_hz, 24000000);
	assert_int_equal(f->log.pack_id, 0x77);
	assert_int_equal(f->log.n_visits, 3);
	assert_int_equal(f->log.kernel_cycles, 2000);
	assert_int_equal(f->log.calib_unroll[0][2], 24);
	assert_int_equal(f->log.calib_unroll[1][0], 0);
	assert_int_equal(f->log.calib_unroll[2][0], 10);
}

TEST_ON(a_log_describes_its_kernels, struct fixture *f)
{
	whole_log(f);
	check(f, scan(f));
	assert_int_equal(f->log.n_kernels, 3);
	assert_int_equal(f->log.kernels[0].index, 3);
	assert_string_equal(f->log.kernels[0].label, "latency:ADD@1>0");
	assert_int_equal(f->log.kernels[1].index, 5);
	assert_int_equal(f->log.kernels[1].id, 0x55);
	assert_int_equal(f->log.kernels[1].unroll[2], 12);
	assert_int_equal(f->log.kernels[2].index, 6);
	assert_int_equal(f->log.kernels[2].unroll[0], 0);
}

static int look(void *context, const struct kernel_result *r, struct err *e)
{
	(void)context;
	(void)e;
	switch (r->index) {
	case 5:
		assert_int_equal(r->n_samples, 1);
		/* From the later boot. */
		assert_int_equal(r->samples[0].values[0], 101);
		assert_int_equal(r->samples[0].n_rows, 2);
		break;
	case 3:
		assert_int_equal(r->n_samples, 1);
		break;
	default:
		assert_non_null(r->fault);
		assert_string_equal(r->fault->cause, "access");
		assert_int_equal(r->fault->pc, 8);
		assert_int_equal(r->fault->address, 0xdead);
		break;
	}
	return 0;
}

TEST_ON(a_log_is_stored, struct fixture *f)
{
	whole_log(f);
	check(f, scan(f));
	make_run(f);
	check(f, store_log(f));
	assert_int_equal(f->counts.n_samples, 3);
	assert_int_equal(f->counts.n_faults, 1);
	assert_int_equal(f->counts.n_damaged, 1);
	assert_int_equal(f->counts.n_missing, 2);
	assert_int_equal(f->counts.n_refused, 0);
	assert_int_equal(f->counts.n_text, 7);
	check(f, store_kernels(f->store, f->run.id, look, f, &f->err));
}

/* Add the words of a console program before and behind each line. */
static void decorate(struct fixture *f)
{
	SCOPED(buffer_free) struct buffer plain = f->text;
	const char *at = (const char *)plain.bytes;
	unsigned n = 0;

	f->text = (struct buffer){ 0 };
	for (const char *end = at + plain.n, *newline; at < end; at = newline) {
		newline = memchr(at, '\n', (size_t)(end - at));
		buffer_printf(&f->text, "\x1b[1m[%u.%03u] \x1b[0m", n / 7, n);
		buffer_add(&f->text, at, (size_t)(newline - at));
		buffer_printf(&f->text, "[0d]\n");
		newline++;
		n += 13;
	}
}

TEST_ON(what_a_console_program_adds_is_left_out, struct fixture *f)
{
	say(f, "U-Boot 2023.01\n");
	info(f, "riscv64", "core");
	pack(f, 0x77);
	for (uint64_t k = 3; k < 7; k++)
		result(f, "sample", k, 0x33, "throughput:ADD", 0, 100);
	decorate(f);
	check(f, scan(f));
	make_run(f);
	check(f, store_log(f));
	assert_int_equal(f->counts.n_samples, 4);
	assert_int_equal(f->counts.n_damaged, 0);
	/* U-Boot's line, and what is around all records, once. */
	assert_int_equal(f->counts.n_text, 3);
}

TEST_ON(samples_of_another_clock_are_refused, struct fixture *f)
{
	info(f, "riscv64", "ref");
	pack(f, 0x77);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	check(f, scan(f));
	make_run(f);
	check(f, store_log(f));
	assert_int_equal(f->counts.n_samples, 0);
	assert_int_equal(f->counts.n_refused, 1);
}

TEST_ON(a_log_without_info_is_refused, struct fixture *f)
{
	pack(f, 0x77);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "no Anechoic records");
}

TEST_ON(a_log_without_pack_is_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "pack record");
}

TEST_ON(a_log_without_results_is_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	pack(f, 0x77);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "sample or fault");
}

TEST_ON(an_empty_log_is_refused, struct fixture *f)
{
	say(f, "");
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "no Anechoic records");
}

TEST_ON(two_isas_in_a_log_are_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	say(f, "text\n\n");
	info(f, "aarch64", "core");
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:4: isa changes");
}

TEST_ON(two_clocks_in_a_log_are_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	info(f, "riscv64", "ref");
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:2: clock changes");
}

TEST_ON(two_unknown_clocks_in_a_log_are_refused, struct fixture *f)
{
	info(f, "riscv64", "sundial");
	info(f, "riscv64", "hourglass");
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:2: clock changes");
}

/* Storing its records refuses it: the log's run has the word by then. */
static void assert_unknown(struct fixture *f, const char *clock)
{
	struct run r;

	info(f, "riscv64", clock);
	pack(f, 0x77);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	check(f, scan(f));
	make_run(f);
	check(f, store_run_get(f->store, &f->arena, f->run.id, &r, &f->err));
	assert_string_equal(run_clock(&r), clock);
	assert_int_equal(store_log(f), ERR_INPUT);
	assert_says(f, arena_printf(&f->arena, "unknown clock '%s'", clock));
}

TEST_ON(a_log_of_an_unknown_clock_is_refused, struct fixture *f)
{
	assert_unknown(f, "sundial");
}

/* A word of a board's file, and no clock. */
TEST_ON(a_log_of_either_clock_is_refused, struct fixture *f)
{
	assert_unknown(f, "either");
}

TEST_ON(two_packs_in_a_log_are_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	pack(f, 1);
	pack(f, 2);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:3: pack changes");
}

TEST_ON(two_kernels_of_one_number_are_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	pack(f, 1);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	result(f, "sample", 5, 0x56, "throughput:SUB", 0, 100);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:4: the kernel of a number k changes");
}

TEST_ON(a_kernel_number_beyond_packs_is_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	pack(f, 1);
	result(f, "sample", 1u << 20, 0x55, "throughput:ADD", 0, 100);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:3:");
}

static void done(struct fixture *f, uint64_t from, uint64_t to, uint64_t visit)
{
	struct wire_line w;

	wire_begin(&w, f->seq, "done");
	wire_u64(&w, "from", from);
	wire_u64(&w, "to", to);
	wire_u64(&w, "visit", visit);
	line(f, &w);
}

/* The fixture's pack has fewer kernels. */
TEST_ON(a_kernel_that_its_pack_lacks_is_refused, struct fixture *f)
{
	info(f, "riscv64", "core");
	pack(f, 1);
	result(f, "sample", 5000, 0x55, "throughput:ADD", 0, 100);
	assert_int_equal(scan(f), ERR_INPUT);
	assert_says(f, "x.log:3: the number of kernels changes");
}

TEST_ON(a_pass_before_its_pack_is_ignored, struct fixture *f)
{
	info(f, "riscv64", "core");
	done(f, 0, 0, 0);
	pack(f, 1);
	result(f, "sample", 5, 0x55, "throughput:ADD", 0, 100);
	check(f, scan(f));
}

/* A sample of a core clock as version 2 of the wire has it, with these rows. */
static void short_sample(struct fixture *f, uint64_t k, size_t n_values,
			 uint64_t rows)
{
	const uint64_t u[] = { 4, 8, 12 };
	const uint64_t d[] = { 101, 200, 300, 100, 199, 299 };
	struct wire_line w;

	wire_begin(&w, f->seq, "sample");
	wire_u64(&w, "k", k);
	wire_hex(&w, "id", 0x50 + k);
	wire_word(&w, "x", "throughput:ADD");
	wire_u64(&w, "n", 7);
	wire_list(&w, "u", u, 3);
	wire_list(&w, "d", d, n_values);
	if (rows)
		wire_u64(&w, "rows", rows);
	line(f, &w);
}

static int look_at_rows(void *context, const struct kernel_result *r,
			struct err *e)
{
	static const uint64_t rows[][9] = {
		{ 101, 200, 300, 101, 200, 300 },
		{ 101, 200, 300, 100, 199, 299, 100, 199, 299 },
		{ 101, 200, 300 },
	};
	const struct sample *m = r->samples;

	(void)context;
	(void)e;
	if (r->index > 2) {
		assert_int_equal(r->n_samples, 0);
		return 0;
	}
	assert_int_equal(r->n_samples, 1);
	assert_int_equal(m->row, 3);
	assert_int_equal(m->n_rows, r->index < 2 ? r->index + 2 : 1);
	assert_memory_equal(m->values, rows[r->index],
			    3 * m->n_rows * sizeof(rows[0][0]));
	assert_int_equal(m->calib_iterations[0], 0);
	return 0;
}

TEST_ON(equal_rows_are_said_once, struct fixture *f)
{
	info(f, "riscv64", "core");
	pack(f, 0x77);
	short_sample(f, 0, 3, 2);
	short_sample(f, 1, 6, 3);
	short_sample(f, 2, 3, 0);
	/* Fewer rows than are said, more than a sample has, part of a row. */
	short_sample(f, 3, 6, 1);
	short_sample(f, 4, 3, UINT32_MAX);
	short_sample(f, 5, 3, 1u << 20);
	short_sample(f, 6, 4, 2);
	check(f, scan(f));
	make_run(f);
	check(f, store_log(f));
	assert_int_equal(f->counts.n_samples, 3);
	assert_int_equal(f->counts.n_refused, 4);
	check(f,
	      store_kernels(f->store, f->run.id, look_at_rows, NULL, &f->err));
}

/* Its chains are what gives a value. */
TEST_ON(a_reference_clock_says_its_calibration, struct fixture *f)
{
	info(f, "riscv64", "ref");
	pack(f, 0x77);
	short_sample(f, 0, 3, 2);
	check(f, scan(f));
	make_run(f);
	check(f, store_log(f));
	assert_int_equal(f->counts.n_refused, 1);
}
