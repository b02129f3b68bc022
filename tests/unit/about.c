/* What an image says of itself: fields that are written and read back, and
 * fields that no image writes. */
#include "host/campaign/about.h"
#include "common/slot.h"
#include "host/isa/variant.h"
#include "tests/unit/unit.h"

struct fixture {
	struct arena arena;
	struct err err;
	struct buffer text;
	struct link_fact facts[16];
	struct link_log log;
	struct campaign_request got;
};

static void fixture_end(struct fixture *f)
{
	buffer_free(&f->text);
	arena_free(&f->arena);
}

EACH_NEW(struct fixture, fixture_end);

static int read_back(struct fixture *f)
{
	f->log.isa = "riscv64";
	f->log.facts = f->facts;
	f->err = (struct err){ .code = ERR_OK };
	return about_read(&f->arena, &f->log, TEST_SOURCE_DIR, NULL, &f->got,
			  &f->err);
}

/* As the runtime does (target/boot/bare/about.c). */
static void write_fields(struct fixture *f, const struct campaign_request *q,
			 size_t room)
{
	const struct board board = { .name = "qemu-virt",
				     .cpu = "generic-rv64",
				     .features = "+m" };
	const struct campaign c = { .request = q, .board = &board };
	const char *at;

	about_write(&c, room, &f->text);
	assert_true(f->text.n <= room);
	f->log.n_facts = 0;
	for (at = (const char *)f->text.bytes; *at; at += strlen(at) + 1) {
		struct link_fact *fact = &f->facts[f->log.n_facts++];

		fact->key = at;
		at += strlen(at) + 1;
		fact->value = at;
		assert_null(strpbrk(at, " *"));
	}
}

TEST_ON(what_is_written_is_read, struct fixture *f)
{
	const struct campaign_request q = {
		.forms = "^(ADD |100%)*\t?$",
		.what = "latency",
		.cpu = "sifive-u74,+zba",
		.kernel_cycles = 9000,
		.shard = 2,
		.n_shards = 8,
		.families = families_default() | UINT64_C(1) << FAMILY_X87,
	};

	write_fields(f, &q, SLOT_ABOUT);
	/* A tabulator is in no name of a form: the text is left out. */
	assert_int_equal(read_back(f), ERR_OK);
	assert_null(f->got.forms);
	f->text.n = 0;

	struct campaign_request plain = q;

	plain.forms = "^(ADD |100%)*$";
	write_fields(f, &plain, SLOT_ABOUT);
	assert_int_equal(read_back(f), ERR_OK);
	assert_string_equal(f->got.board, "qemu-virt");
	assert_string_equal(f->got.forms, plain.forms);
	assert_string_equal(f->got.what, "latency");
	assert_string_equal(f->got.cpu, "sifive-u74,+zba");
	assert_int_equal(f->got.kernel_cycles, 9000);
	assert_int_equal(f->got.shard, 2);
	assert_int_equal(f->got.n_shards, 8);
	assert_true(f->got.families == q.families);
}

TEST_ON(what_does_not_fit_is_left_out, struct fixture *f)
{
	const struct campaign_request q = { .forms = "^ADD$",
					    .families = families_default() };

	for (size_t room = 1; room < 200; room++) {
		f->text.n = 0;
		write_fields(f, &q, room);
		assert_int_equal(f->text.bytes[f->text.n - 1], 0);
	}
	assert_int_equal(f->log.n_facts, 5);
}

TEST_ON(a_log_may_say_nothing, struct fixture *f)
{
	assert_int_equal(read_back(f), ERR_OK);
	assert_null(f->got.board);
}

TEST_ON(fields_are_checked, struct fixture *f)
{
	static const struct {
		const char *key, *value, *says;
	} rows[] = {
		{ "image_board", "../../etc", "does not know" },
		{ "image_board", "", "does not know" },
		{ "image_board", "pc-efi", "does not know" },
		{ "image_board", "./boards/qemu-virt", "does not know" },
		{ "image_forms", "%zz", "image_forms has an invalid %XX" },
		{ "image_forms", "ADD%", "image_forms has an invalid %XX" },
		{ "image_forms", "ADD%1B", "image_forms has an invalid %XX" },
		{ "image_forms", "%00", "image_forms has an invalid %XX" },
		{ "image_variants", "none", "unknown kind 'none'" },
		{ "image_kernel_cycles", "-1", "not a number" },
		{ "image_kernel_cycles", "4294967296", "not a number" },
		{ "image_shard", "9/2", "9/2" },
		{ "image_shard", "1/", "1/" },
	};

	f->facts[0] = (struct link_fact){ "image_board", "qemu-virt" };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool board = strcmp(rows[i].key, "image_board") == 0;

		f->log.n_facts = board ? 1 : 2;
		f->facts[!board] =
			(struct link_fact){ rows[i].key, rows[i].value };
		if (!board)
			f->facts[0].value = "qemu-virt";
		assert_int_not_equal(read_back(f), ERR_OK);
		if (!strstr(f->err.message, rows[i].says))
			fail_msg("%s=%s: %s", rows[i].key, rows[i].value,
				 f->err.message);
	}
}
