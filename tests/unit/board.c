/* Board files: reading a folder of boards, and malformed boards. */
#include <sys/stat.h>
#include <sys/utsname.h>

#include "host/base/board.h"
#include "tests/unit/unit.h"

#define PLAIN "describe = d\nruntime = r\ntransport = t\n"

/* A scratch folder of boards per test. */
struct scratch {
	struct arena arena;
	struct err err;
	char folder[64];
	struct board *boards;
	size_t n;
};

static int set_up(void **state)
{
	struct scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	(void)strcpy(s->folder, "/tmp/anechoic-board-XXXXXX");
	*state = s;
	return mkdtemp(s->folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct scratch *s = *state;
	int ret = system(arena_printf(&s->arena, "rm -rf '%s'", s->folder));

	arena_free(&s->arena);
	free(s);
	return ret;
}

EACH(set_up, tear_down);

static void put(struct scratch *s, const char *board, const char *file,
		const char *text)
{
	(void)mkdir(arena_printf(&s->arena, "%s/%s", s->folder, board), 0777);

	FILE *f = fopen(
		arena_printf(&s->arena, "%s/%s/%s", s->folder, board, file),
		"wb");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int load(struct scratch *s)
{
	return boards_read(&s->arena, s->folder, &s->boards, &s->n, &s->err);
}

static const struct board *find(struct scratch *s, const char *name,
				const char *isa)
{
	const struct board *b = NULL;

	(void)board_find(s->boards, s->n, name, isa, &b, &s->err);
	return b;
}

static void assert_message(const struct err *e, int code, const char *part)
{
	assert_int_equal(e->code, code);
	assert_part(e->message, part);
}

TEST_ON(every_key_is_read, struct scratch *s)
{
	put(s, "b", "riscv64-sbi.conf",
	    "describe = A board\nruntime = riscv64-sbi\ntransport = qemu\n"
	    "image = flat\ncpu = generic\nfeatures = +v,+zba\n"
	    "command = run -x @IMAGE@\nfirmware = /f\npackage = p\n"
	    "clock = core\nverified = here\n"
	    "timeout_s = 7\nkernel_cycles = 12345\nunroll = 12\n"
	    "repeats = 4\nvisits = 5\nready_ms = 0\nconsole = ns16550\n"
	    "core = each-kind\n"
	    "chip = x,y\ntimebase = 24000000\nuart = ns16550a@0x10000000\n"
	    "uart_clock = 50000000\nuart_shift = 2\nuart_width = 4\n"
	    "clint = riscv,clint0@0x4004000000\n"
	    "poweroff = sifive,test0@1048576\n");
	assert_int_equal(load(s), ERR_OK);
	assert_int_equal(s->n, 1);

	const struct board *b = &s->boards[0];

	assert_string_equal(b->name, "b");
	assert_string_equal(b->isa, "riscv64");
	assert_string_equal(b->boot, "sbi");
	assert_part(b->path, "/b/riscv64-sbi.conf");
	assert_string_equal(b->describe, "A board");
	assert_string_equal(b->runtime, "riscv64-sbi");
	assert_string_equal(b->transport, "qemu");
	assert_string_equal(b->image, "flat");
	assert_string_equal(b->cpu, "generic");
	assert_string_equal(b->features, "+v,+zba");
	assert_string_equal(b->command, "run -x @IMAGE@");
	assert_string_equal(b->firmware, "/f");
	assert_string_equal(b->package, "p");
	assert_int_equal(b->clock, CLOCK_CORE);
	assert_string_equal(b->verified, "here");
	assert_int_equal(b->timeout_s, 7);
	assert_int_equal(b->kernel_cycles, 12345);
	assert_int_equal(b->unroll, 12);
	assert_int_equal(b->repeats, 4);
	assert_int_equal(b->visits, 5);
	assert_int_equal(b->ready_ms, 0);
	assert_string_equal(b->console, "ns16550");
	assert_string_equal(b->core, "each-kind");
	assert_true(b->devices.any);
	assert_string_equal(b->devices.chip, "x,y");
	assert_int_equal(b->devices.timebase, 24000000);
	assert_string_equal(b->devices.uart.type, "ns16550a");
	assert_int_equal(b->devices.uart.address, 0x10000000);
	assert_int_equal(b->devices.uart_clock, 50000000);
	assert_int_equal(b->devices.uart_shift, 2);
	assert_int_equal(b->devices.uart_width, 4);
	assert_int_equal(b->devices.clint.address, UINT64_C(0x4004000000));
	assert_string_equal(b->devices.poweroff.type, "sifive,test0");
	assert_int_equal(b->devices.poweroff.address, 0x100000);
}

TEST_ON(absent_keys_are_empty, struct scratch *s)
{
	put(s, "b", "x86_64-linux.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_string_equal(s->boards[0].isa, "x86_64");
	assert_string_equal(s->boards[0].cpu, "");
	assert_string_equal(s->boards[0].image, "none");
	assert_string_equal(s->boards[0].command, "");
	assert_false(s->boards[0].devices.any);
	assert_true(s->boards[0].timeout_s > 0);
	assert_int_equal(s->boards[0].kernel_cycles, 0);
	assert_int_equal(s->boards[0].unroll, 0);
	assert_int_equal(s->boards[0].repeats, 0);
	assert_int_equal(s->boards[0].visits, 0);
	assert_int_equal(s->boards[0].ready_ms, BOARD_READY_USUAL);
	assert_string_equal(s->boards[0].console, "");
}

TEST_ON(boards_are_ordered_by_name_and_file, struct scratch *s)
{
	put(s, "zoo", "a-b.conf", PLAIN);
	put(s, "ape", "y-b.conf", PLAIN);
	put(s, "ape", "x-b.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_int_equal(s->n, 3);
	assert_string_equal(s->boards[0].isa, "x");
	assert_string_equal(s->boards[1].isa, "y");
	assert_string_equal(s->boards[2].name, "zoo");
}

TEST_ON(other_files_are_left_alone, struct scratch *s)
{
	put(s, ".", "README.md", "text");
	put(s, "b", "README.md", "text");
	put(s, "b", ".hidden-x.conf", "nonsense");
	put(s, "b", "x-y.conf~", "nonsense");
	put(s, "b", "x-y.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_int_equal(s->n, 1);
}

TEST_ON(a_missing_folder_is_named, struct scratch *s)
{
	struct board *boards = NULL;
	size_t n = 77;

	assert_int_equal(
		boards_read(&s->arena, "/no/such", &boards, &n, &s->err),
		ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, "/no/such");
	assert_null(boards);
	assert_int_equal(n, 77);
}

/* Boards that are refused, and text that the message must contain. */
static const struct bad_board {
	const char *name, *text, *says;
} bad_boards[] = {
	{ "unknown_key_is_refused", "colour = red\n", ":1:" },
	{ "missing_transport_is_refused", "describe = d\nruntime = r\n",
	  "'transport'" },
	{ "unknown_clock_is_refused", PLAIN "clock = cores\n",
	  ":4: 'clock' must be one of: core ref either" },
	{ "device_without_an_address_is_refused", PLAIN "uart = ns16550a\n",
	  ":4: 'uart' must be TYPE@ADDRESS" },
	{ "device_with_a_word_for_an_address_is_refused",
	  PLAIN "clint = c@here\n", ":4: 'clint' must be TYPE@ADDRESS" },
	{ "device_without_a_type_is_refused", PLAIN "poweroff = @1\n",
	  ":4: 'poweroff' must be TYPE@ADDRESS" },
	{ "device_without_a_driver_is_refused", PLAIN "uart = ns16500a@1\n",
	  ":4: 'uart': the runtime has no driver of 'ns16500a'; it has "
	  "ns16550a" },
	{ "dialogue_without_a_text_is_refused", PLAIN "dialogue.1 = |s\n",
	  ":4: 'dialogue.1' must be TEXT|KEYS" },
	{ "dialogue_without_keys_is_refused", PLAIN "dialogue.1 = login:\n",
	  ":4: 'dialogue.1' must be TEXT|KEYS" },
	{ "dialogue_with_a_gap_is_refused",
	  PLAIN "dialogue.1 = a|b\ndialogue.3 = a|b\n",
	  "missing key 'dialogue.2'" },
	{ "dialogue_with_a_word_is_refused", PLAIN "dialogue.x = a|b\n",
	  ":4: unknown key 'dialogue.x'" },
	{ "dialogue_with_a_long_limit_is_refused",
	  PLAIN "dialogue.1 = 3601|a|b\n",
	  ":4: 'dialogue.1' must be SECONDS|TEXT|KEYS, with 1 to 3600 seconds" },
	{ "dialogue_with_an_unknown_escape_is_refused",
	  PLAIN "dialogue.1 = a|b\\cd\n",
	  ":4: 'dialogue.1' must be one of \\e" },
	{ "unknown_core_is_refused", PLAIN "core = 4-7\n",
	  ":4: 'core' must be the number of a core, all or each-kind" },
	{ "unknown_console_is_refused", PLAIN "console = tty\n",
	  ":4: 'console' must be one of: sbi ns16550" },
	{ "one_visit_is_refused", PLAIN "visits = 1\n",
	  ":4: 'visits' must be a number from 2 to 1024" },
	{ "empty_describe_is_refused",
	  "describe =\nruntime = r\ntransport = t\n", "'describe'" },
	{ "zero_timeout_is_refused", PLAIN "timeout_s = 0\n", ":4:" },
	{ "negative_timeout_is_refused", PLAIN "timeout_s = -1\n", ":4:" },
	{ "number_with_unit_is_refused", PLAIN "timeout_s = 5s\n", ":4:" },
	{ "huge_number_is_refused",
	  PLAIN "kernel_cycles = 99999999999999999999999\n", ":4:" },
	{ "empty_number_is_refused", PLAIN "kernel_cycles =\n", ":4:" },
};

static void expect_refusal(const char *file, const char *text, const char *says)
{
	void *scratch = NULL;

	assert_int_equal(set_up(&scratch), 0);

	struct scratch *s = scratch;

	put(s, "b", file, text);
	assert_int_equal(load(s), ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, file);
	assert_message(&s->err, ERR_INPUT, says);
	assert_int_equal(tear_down(&scratch), 0);
}

TEST_ROWS(board_is_refused, bad_boards, name, const struct bad_board *bad)
{
	expect_refusal("x-y.conf", bad->text, bad->says);
}

TEST(file_names_without_isa_or_boot_are_refused)
{
	expect_refusal("riscv64.conf", PLAIN, "<isa>-<boot>.conf");
	expect_refusal("-sbi.conf", PLAIN, "<isa>-<boot>.conf");
	expect_refusal("x-.conf", PLAIN, "<isa>-<boot>.conf");
}

static void expect_step(const struct step *s, const char *text,
			const char *keys, uint32_t limit_s)
{
	assert_string_equal(s->text, text);
	assert_int_equal(s->n_keys, strlen(keys));
	assert_memory_equal(s->keys, keys, s->n_keys);
	assert_int_equal(s->limit_s, limit_s);
}

TEST_ON(a_dialogue_is_read_in_the_order_of_its_numbers, struct scratch *s)
{
	put(s, "b", "x-y.conf",
	    PLAIN "dialogue.2 = 20|=> |load ${a} || \\\\x\n"
		  "dialogue.1 = Autoboot in|s\\c\n"
		  "dialogue.3 = Esc|\\e[A\\x03\\c\n"
		  "dialogue.4 = Press|\n");
	assert_int_equal(load(s), ERR_OK);

	const struct board *b = &s->boards[0];

	assert_int_equal(b->n_dialogue, 4);
	expect_step(&b->dialogue[0], "Autoboot in", "s", 0);
	expect_step(&b->dialogue[1], "=> ", "load ${a} || \\x\r", 20);
	expect_step(&b->dialogue[2], "Esc", "\x1b[A\x03", 0);
	expect_step(&b->dialogue[3], "Press", "\r", 0);
	assert_int_equal(b->dialogue[1].line, 4);
}

TEST_ON(find_takes_the_isa_that_is_named, struct scratch *s)
{
	put(s, "b", "x-y.conf", PLAIN);
	put(s, "b", "z-y.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_string_equal(find(s, "b", "z")->isa, "z");
}

TEST_ON(find_takes_the_only_one, struct scratch *s)
{
	put(s, "b", "x-y.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_string_equal(find(s, "b", NULL)->isa, "x");
	assert_string_equal(find(s, "b", "")->isa, "x");
}

TEST_ON(find_prefers_this_machine, struct scratch *s)
{
	struct utsname machine;

	assert_int_equal(uname(&machine), 0);
	put(s, "b", "x-y.conf", PLAIN);
	put(s, "b", arena_printf(&s->arena, "%s-y.conf", machine.machine),
	    PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_string_equal(find(s, "b", NULL)->isa, machine.machine);
}

TEST_ON(find_lists_the_isas_to_choose_from, struct scratch *s)
{
	put(s, "b", "x-y.conf", PLAIN);
	put(s, "b", "z-y.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_null(find(s, "b", NULL));
	assert_message(&s->err, ERR_USAGE, "x, z");
}

TEST_ON(find_lists_the_boards_to_choose_from, struct scratch *s)
{
	put(s, "b", "x-y.conf", PLAIN);
	put(s, "b", "z-y.conf", PLAIN);
	put(s, "c", "x-y.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_null(find(s, "d", "x"));
	assert_message(&s->err, ERR_USAGE, "boards are b, c");
}

TEST_ON(find_refuses_an_isa_the_board_lacks, struct scratch *s)
{
	put(s, "b", "x-y.conf", PLAIN);
	assert_int_equal(load(s), ERR_OK);
	assert_null(find(s, "b", "z"));
	assert_message(&s->err, ERR_USAGE, "it has x");
}

TEST_ON(the_boards_of_this_project_are_valid, struct scratch *s)
{
	assert_ok(boards_read(&s->arena, TEST_SOURCE_DIR "/boards", &s->boards,
			      &s->n, &s->err),
		  &s->err);
	assert_non_null(find(s, "fake", "riscv64"));
}
