/* Boards on which the program has not run: their files against the facts of the
 * device trees and configurations that their pages cite. */
#include <inttypes.h>

#include "host/base/board.h"
#include "host/base/file.h"
#include "tests/unit/unit.h"

enum { MAX_PAGE = 1 << 16, WORD = 64 };

/* What the sources say.  uart_shows: INFO has the address of the UART; an EFI
 * application names the kind of its console instead. */
struct facts {
	const char *board, *isa;
	const char *cpu;    /* LLVM's name for the first core that is enabled */
	uint64_t timer_hz;  /* 0: no source */
	uint64_t uart;      /* address of stdout-path's node */
	const char *driver; /* of the runtime, for that node's compatible */
	bool uart_shows;
	const char *prompt; /* of its firmware */
	const char *source; /* the file that has most of these */
};

static const struct facts boards[] = {
	{ "milkv-jupiter", "riscv64", "spacemit-x60", 24000000, 0xd4017000,
	  "ns16550", true, "=> ", "k1.dtsi" },
	{ "visionfive-2", "riscv64", "sifive-u74", 4000000, 0x10000000,
	  "ns16550", true, "StarFive # ", "jh7110.dtsi" },
	{ "sg2044", "riscv64", "generic-rv64", 50000000, 0x7030001000,
	  "ns16550", true, "Shell> ", "sg2044.dtsi" },
	{ "raspberry-pi-5", "aarch64", "cortex-a76", 54000000, 0x107d001000,
	  "pl011", false, "U-Boot> ", "bcm2712.dtsi" },
	{ "rk3588", "aarch64", "cortex-a55", 24000000, 0xfeb50000, "ns16550",
	  false, "=> ", "rk3588-base.dtsi" },
	{ "ampere-altra", "aarch64", "neoverse-n1", 0, 0x100002600000, "pl011",
	  false, "Shell> ", "SPCR" },
};

/* Is "key=value" one of the fields of `info`? */
static bool has_info(const struct board *b, const char *field)
{
	size_t n = strlen(field);

	for (const char *at = b->info; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, field, n) == 0 &&
		    (at[n] == ',' || at[n] == '\0'))
			return true;
	}
	return false;
}

static void want_info(const struct board *b, const char *field)
{
	if (!has_info(b, field))
		fail_msg("%s: info has no %s", b->path, field);
}

static void check_console(const struct board *b, const struct facts *f)
{
	char field[WORD];

	if (f->uart_shows)
		(void)snprintf(field, sizeof(field), "uart=0x%" PRIx64,
			       f->uart);
	else
		(void)snprintf(field, sizeof(field), "console=%s", f->driver);
	want_info(b, field);
}

/* The board's firmware is answered at its prompt, last. */
static void check_dialogue(const struct board *b, const struct facts *f)
{
	assert_true(b->n_dialogue > 0);
	assert_string_equal(b->dialogue[b->n_dialogue - 1].text, f->prompt);
}

/* The page has the address, and names the source. */
static void check_page(struct arena *a, const struct facts *f)
{
	char word[WORD];
	unsigned char *bytes;
	struct err e = { .code = ERR_OK };
	const char *text;
	size_t n;

	assert_ok(file_read(a,
			    arena_printf(a,
					 TEST_SOURCE_DIR "/boards/%s/README.md",
					 f->board),
			    MAX_PAGE, &bytes, &n, &e),
		  &e);
	text = arena_printf(a, "%.*s", (int)n, (const char *)bytes);
	(void)snprintf(word, sizeof(word), "0x%" PRIx64, f->uart);
	if (!strstr(text, f->source) || !strstr(text, word))
		fail_msg("%s: no %s, or no %s", f->board, f->source, word);
	assert_part(text, "Not verified on hardware");
}

TEST_ROWS(a_board_is_as_its_sources_say, boards, board, const struct facts *f)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { .code = ERR_OK };
	struct board *list;
	const struct board *b;
	char hz[WORD];
	size_t n;

	if (boards_read(&a, TEST_SOURCE_DIR "/boards", &list, &n, &e) !=
		    ERR_OK ||
	    board_find(list, n, f->board, f->isa, &b, &e) != ERR_OK)
		fail_msg("%s", e.message);
	assert_string_equal(b->cpu, f->cpu);
	assert_string_equal(b->transport, "serial");
	assert_part(b->verified, "; not on the board");
	(void)snprintf(hz, sizeof(hz), "hz=%" PRIu64, f->timer_hz);
	if (f->timer_hz)
		want_info(b, hz);
	check_console(b, f);
	check_dialogue(b, f);
	check_page(&a, f);
}
