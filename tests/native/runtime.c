/* The runtime as a process, driven over its pipes with packs made by hand.
 * Only the shape of the numbers is judged, which holds on any machine. */
#include "tests/native/fixture.h"

TEST(introduces_itself)
{
	build();
	start();
	child_close_input(&child);

	const struct wire_record *info = child_wait(&child, "info");

	assert_word(info, "isa", isa->name);
	assert_word(info, "clock", "ref");
	assert_word(info, "boot", "linux");
	assert_int_equal(number(info, "proto"), WIRE_VERSION);
	/* A slower rate than any reference clock's is wrong. */
	assert_true(number(info, "hz") > 1000 * 1000);

	const struct wire_record *p = child_wait(&child, "pack");
	uint64_t unroll[PACK_LENGTHS];

	assert_int_equal(number(p, "id"), header()->id);
	assert_int_equal(number(p, "kernels"), N_KERNELS);
	assert_int_equal(number(p, "visits"), header()->n_visits);
	assert_int_equal(number(p, "budget"), header()->kernel_cycles);
	assert_int_equal(wire_get_list(p, "au", unroll, PACK_LENGTHS),
			 PACK_LENGTHS);
	assert_int_equal(child_finish(&child), 0);
}

/* ---- running alone ------------------------------------------------------ */

/* Rows of a sample: fewer than ROWS where something disturbed them. */
static size_t read_rows(const struct wire_record *r, uint64_t d[ROWS * ROW_REF])
{
	int n = wire_get_list(r, "d", d, (size_t)ROWS * ROW_REF);

	assert_true(n > 0 && n % ROW_REF == 0);
	return (size_t)n / ROW_REF;
}

static void check_sample(const struct wire_record *r)
{
	uint64_t c[PACK_N_CALIB], u[PACK_LENGTHS], d[ROWS * ROW_REF];
	size_t n = read_rows(r, d) * ROW_REF;

	assert_true(number(r, "n") >= 1);
	assert_int_equal(number(r, "row"), ROW_REF);
	assert_int_equal(wire_get_list(r, "c", c, PACK_N_CALIB), PACK_N_CALIB);
	assert_int_equal(wire_get_list(r, "u", u, PACK_LENGTHS), PACK_LENGTHS);
	for (int i = 0; i < PACK_N_CALIB; i++)
		assert_true(c[i] >= 1);
	for (size_t i = 0; i < n; i++)
		assert_true(d[i] > 0);
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median_of_column(const struct wire_record *r, size_t column)
{
	uint64_t d[ROWS * ROW_REF], values[ROWS];

	size_t n = read_rows(r, d);

	for (size_t i = 0; i < n; i++)
		values[i] = d[i * ROW_REF + column];
	qsort(values, n, sizeof(values[0]), ascending);
	return values[n / 2];
}

TEST(runs_everything_when_nobody_asks)
{
	build();
	start();
	child_close_input(&child);
	assert_int_equal(child_finish(&child), 0);
	for (uint64_t visit = 0; visit < header()->n_visits; visit++) {
		const struct wire_record *done =
			child_nth(&child, "done", visit);

		assert_int_equal(number(done, "from"), 0);
		assert_int_equal(number(done, "to"), N_KERNELS);
		assert_int_equal(number(done, "visit"), visit);
	}
	assert_null(child_nth(&child, "done", header()->n_visits));
	/* add, load, xor of each visit; calibration kernels never alone */
	for (uint64_t i = 0; i < 3u * header()->n_visits; i++) {
		static const uint64_t kernels[] = { ADD, LOAD, XOR };
		const struct wire_record *r = child_nth(&child, "sample", i);

		assert_int_equal(number(r, "k"), kernels[i % 3]);
		assert_int_equal(number(r, "id"), 100 + kernels[i % 3]);
		assert_int_equal(number(r, "visit"), i / 3);
		check_sample(r);
	}
	assert_null(child_nth(&child, "sample", 3u * header()->n_visits));
	assert_non_null(child_nth(&child, "ready", 1));
	assert_non_null(child_nth(&child, "bye", 0));
	assert_int_equal(child.n_text, 0);
}

TEST(waits_for_a_host_first)
{
	build();
	header()->ready_ms = 200;
	hand_checksum(&pack);
	start();
	/* The input stays open and silent, as on a one-way console. */
	assert_non_null(child_wait(&child, "done"));
	assert_int_equal(child_finish(&child), 0);
	assert_non_null(child_nth(&child, "bye", 0));
}

TEST(longer_kernels_take_longer)
{
	build();
	start();
	child_close_input(&child);
	assert_int_equal(child_finish(&child), 0);

	/* Columns 3..5 are the three lengths, 8 : 16 : 32; 0 and 7 the chain
	 * at its longest and its shortest. */
	const struct wire_record *r = child_nth(&child, "sample", 0);

	assert_true(median_of_column(r, 3) < median_of_column(r, 5));
	assert_true(median_of_column(r, 7) < median_of_column(r, 0));
}

/* ---- faults ------------------------------------------------------------- */

static void check_fault(size_t i, uint64_t kernel, const char *cause)
{
	const struct wire_record *r = child_nth(&child, "fault", i);

	assert_word(r, "cause", cause);
	assert_int_equal(number(r, "k"), kernel);
	assert_int_equal(number(r, "length"), 0);
	/* The first instruction of the kernel; QEMU reports an endless loop
	 * there too. */
	assert_int_equal(number(r, "pc"), 0);
}

TEST(faults_are_results)
{
	build();
	/* A core without the units that these wake runs all other kernels. */
	header()->wake[0] = 1 + ILLEGAL;
	header()->wake[1] = 1 + NULL_LOAD;
	header()->n_visits = 1;
	hand_checksum(&pack);
	start();
	child_close_input(&child);
	assert_int_equal(child_finish(&child), 0);
	check_fault(0, ILLEGAL, "illegal");
	check_fault(1, NULL_LOAD, "access");
	check_fault(2, HANG, "hang");
	assert_null(child_nth(&child, "fault", 3));
	assert_int_equal(number(child_nth(&child, "fault", 1), "addr"), 0);
	/* The rest of the pack ran. */
	assert_int_equal(number(child_nth(&child, "sample", 1), "k"), LOAD);
	assert_int_equal(number(child_nth(&child, "sample", 2), "k"), XOR);
}

TEST(faulting_calibration_is_refused)
{
	build();
	header()->calib[PACK_CALIB_CHAIN_B] = ILLEGAL;
	hand_checksum(&pack);
	start();
	assert_non_null(child_wait(&child, "error"));
	assert_int_equal(child_finish(&child), EXIT_REFUSED);
	assert_null(child_nth(&child, "ready", 0));
}

/* ---- commands ----------------------------------------------------------- */

TEST(runs_what_the_host_asks)
{
	build();
	header()->ready_ms = 30 * 1000;
	hand_checksum(&pack);
	start();
	assert_non_null(child_wait(&child, "ready"));
	send_text("a prompt without a record\n");
	send_run(XOR, N_KERNELS, 7);

	const struct wire_record *r = child_wait(&child, "sample");

	assert_int_equal(number(r, "k"), XOR);
	assert_int_equal(number(r, "visit"), 7);
	r = child_wait(&child, "done");
	assert_int_equal(number(r, "from"), XOR);
	assert_int_equal(number(r, "to"), N_KERNELS);
	assert_int_equal(number(r, "visit"), 7);
	send_run(ILLEGAL, ILLEGAL, 8);
	assert_int_equal(number(child_wait(&child, "done"), "visit"), 8);
	send_bye();
	assert_non_null(child_wait(&child, "bye"));
	assert_int_equal(child_finish(&child), 0);
	assert_null(child_nth(&child, "sample", 1));
}

TEST(refuses_commands_it_cannot_take)
{
	build();
	header()->ready_ms = 30 * 1000;
	hand_checksum(&pack);
	start();
	assert_non_null(child_wait(&child, "ready"));
	send_run(0, N_KERNELS + 1, 0);
	assert_non_null(child_wait(&child, "error"));
	send_run(2, 1, 0);
	assert_non_null(child_wait(&child, "error"));
	send_text("@0 run from=0 to=1 visit=0 *00000000\n");
	assert_non_null(child_wait(&child, "error"));

	char line[2 * WIRE_LINE_MAX];

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	child_send(&child, line, sizeof(line));
	assert_non_null(child_wait(&child, "error"));
	send_bye();
	assert_int_equal(child_finish(&child), 0);
	assert_null(child_nth(&child, "done", 0));
}

/* The pack is sent again under another id, in reverse order and with a missing
 * chunk that is sent after the board reports it. */
TEST(takes_a_pack_over_the_line)
{
	uint64_t missing[LOAD_WINDOW];
	uint64_t n_chunks;

	build();
	header()->ready_ms = 30 * 1000;
	hand_checksum(&pack);
	start();
	assert_non_null(child_wait(&child, "ready"));
	header()->id = 77;
	hand_checksum(&pack);
	n_chunks = (pack.n - 1) / LOAD_CHUNK + 1;
	assert_in_range(n_chunks, 3, LOAD_WINDOW);
	child_send_two(&child, "load", (uint64_t[]){ pack.n, LOAD_CHUNK });
	assert_non_null(child_wait(&child, "ack"));
	send_run(ADD, N_KERNELS, 0);
	assert_non_null(child_wait(&child, "error"));
	for (uint64_t i = n_chunks; i-- > 0;)
		if (i != 1)
			child_send_chunk(&child, pack.bytes, pack.n, i);
	child_send_two(&child, "sync", (uint64_t[]){ 0, n_chunks });

	const struct wire_record *ack = child_wait(&child, "ack");

	assert_int_equal(wire_get_list(ack, "missing", missing, LOAD_WINDOW),
			 1);
	assert_int_equal(missing[0], 1);
	child_send_two(&child, "start", (uint64_t[]){ 0, 0 });
	assert_non_null(child_wait(&child, "error"));
	child_send_chunk(&child, pack.bytes, pack.n, 1);
	child_send_two(&child, "start", (uint64_t[]){ 0, 0 });
	assert_int_equal(number(child_wait(&child, "pack"), "id"), 77);
	assert_non_null(child_wait(&child, "ready"));
	send_run(XOR, N_KERNELS, 0);
	assert_int_equal(number(child_wait(&child, "sample"), "k"), XOR);
	send_bye();
	assert_int_equal(child_finish(&child), 0);
}

TEST(leaves_when_the_host_is_gone)
{
	build();
	header()->ready_ms = 30 * 1000;
	hand_checksum(&pack);
	start();
	assert_non_null(child_wait(&child, "ready"));
	send_run(ADD, ADD, 0);
	assert_non_null(child_wait(&child, "done"));
	child_close_input(&child);
	assert_int_equal(child_finish(&child), 0);
	assert_null(child_nth(&child, "sample", 0));
}

/* ---- packs it must refuse ------------------------------------------------ */

static void expect_refusal(size_t n)
{
	write_pack(n);
	child_start(&child, emulator, runtime, pack_path);
	assert_non_null(child_wait(&child, "error"));
	assert_int_equal(child_finish(&child), EXIT_REFUSED);
	assert_null(child_nth(&child, "ready", 0));
}

TEST(refuses_a_corrupt_pack)
{
	build();
	pack.bytes[pack.n / 2] ^= 1;
	expect_refusal(pack.n);
}

TEST(refuses_a_truncated_pack)
{
	build();
	expect_refusal(pack.n / 2);
}

TEST(refuses_a_pack_of_another_isa)
{
	build();
	header()->isa =
		isa->id == PACK_ISA_X86_64 ? PACK_ISA_RISCV64 : PACK_ISA_X86_64;
	hand_checksum(&pack);
	expect_refusal(pack.n);
}

TEST(refuses_a_missing_pack)
{
	child_start(&child, emulator, runtime, "/nonexistent/pack");
	assert_non_null(child_wait(&child, "error"));
	assert_int_equal(child_finish(&child), EXIT_REFUSED);
}

int main(int argc, char **argv)
{
	return run_on_runtime(argc, argv);
}
