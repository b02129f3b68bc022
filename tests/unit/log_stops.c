/* Where recorded logs end: boots that finish, stop, and are asked by a host. */
#include "tests/unit/log_maker.h"

EACH_NEW(struct fixture, fixture_end);

static void say_done(struct fixture *f, uint64_t from, uint64_t to,
		     uint64_t visit)
{
	struct wire_line w;

	wire_begin(&w, f->seq, "done");
	wire_u64(&w, "from", from);
	wire_u64(&w, "to", to);
	wire_u64(&w, "visit", visit);
	line(f, &w);
}

static void say_plain(struct fixture *f, const char *kind)
{
	struct wire_line w;

	wire_begin(&w, f->seq, kind);
	line(f, &w);
}

/* A boot that says what the letters stand for: ready, a sample of kernel 3 or 4
 * of 9 in visit 0 or 1, the end of visit 0 or 2, a part that a host asked for,
 * bye. */
static void boot_says(struct fixture *f, const char *letters)
{
	info(f, "riscv64", "core");
	pack(f, 0x77);
	for (; *letters; letters++)
		switch (*letters) {
		case 'r':
			say_plain(f, "ready");
			break;
		case '3':
		case '4':
			result(f, "sample", (uint64_t)(*letters - '0'), 0x33,
			       *letters == '3' ? "a" : "b", 0, 100);
			break;
		case 'n':
			result(f, "sample", 3, 0x33, "a", 1, 100);
			break;
		case 'd':
			say_done(f, 0, 9, 0);
			break;
		case 'D':
			say_done(f, 0, 9, 2);
			break;
		case 'p':
			say_done(f, 3, 4, 0);
			break;
		default:
			say_plain(f, "bye");
		}
}

TEST_ON(a_log_says_where_it_stopped, struct fixture *f)
{
	static const struct {
		const char *boots[2];
		bool complete;
		size_t n_measured;
		uint32_t k, visit; /* of the last boot */
		const char *label;
	} rows[] = {
		{ { "r34dDrb" }, true, 2, 4, 0, "b" },
		{ { "r34dD" }, true, 2, 4, 0, "b" },
		{ { "r34b" }, true, 2, 4, 0, "b" },
		/* The pack record says 9, of which it names 2 that
		 * calibrate. */
		{ { "r3" }, false, 7, 3, 0, "a" },
		{ { "r34d" }, false, 7, 4, 0, "b" },
		{ { "r34dn" }, false, 7, 3, 1, "a" },
		{ { "r3", "r" }, false, 7, 0, 0, "" },
		{ { "r34dD", "r3" }, true, 2, 3, 0, "a" },
		{ { "r" }, false, 7, 0, 0, "" },
		{ { "rp3" }, false, 7, 3, 0, "a" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct link_log_boot *last;
		size_t n = rows[i].boots[1] ? 2 : 1;

		f->text.n = 0;
		for (size_t b = 0; b < n; b++)
			boot_says(f, rows[i].boots[b]);
		check(f, scan(f));
		assert_int_equal(f->log.n_boots, n);
		last = &f->log.boots[n - 1];
		assert_int_equal(f->log.is_complete, rows[i].complete);
		assert_int_equal(f->log.n_measured, rows[i].n_measured);
		assert_int_equal(last->k, rows[i].k);
		assert_int_equal(last->visit, rows[i].visit);
		assert_string_equal(last->label, rows[i].label);
		assert_true(last->is_ready);
	}
	assert_string_equal(link_log_fact(&f->log, "firmware"), "opensbi");
	assert_null(link_log_fact(&f->log, "firm"));
}
