/* Memory shortage releases what is held, and nothing else. */
#include "host/base/arena.h"
#include "host/base/file.h"
#include "tests/unit/unit.h"

/* What was released, newest first. */
struct released {
	char names[8];
	size_t n;
	struct arena older, begun;
	struct buffer buffer;
	char *kept;
	bool inner;
};

struct named {
	struct hold hold;
	struct released *to;
	char name;
};

static void release_named(void *object)
{
	struct named *x = object;

	x->to->names[x->to->n++] = x->name;
}

static void hold_named(struct named *x, struct released *to, char name)
{
	*x = (struct named){ .to = to, .name = name };
	guard_hold(&x->hold, release_named, x);
}

static void hold_and_fail(void *context)
{
	struct released *r = context;
	struct named x[3];

	hold_named(&x[0], r, 'a');
	hold_named(&x[1], r, 'b');
	hold_named(&x[2], r, 'c');
	guard_drop(&x[1].hold);
	(void)arena_alloc(&r->older, 1000, 1000);
	(void)arena_alloc(&r->begun, 1000, 1000);
	for (int i = 0; i < 10000; i++)
		buffer_printf(&r->buffer, "%d", i);
	(void)xrealloc(NULL, SIZE_MAX / 4, 1);
}

TEST(a_shortage_releases_what_is_held)
{
	struct released r = { .n = 0 };

	r.kept = arena_strdup(&r.older, "kept");
	assert_false(guard_call(hold_and_fail, &r));
	assert_int_equal(r.n, 2);
	assert_memory_equal(r.names, "ca", 2);
	assert_null(r.begun.blocks);
	assert_string_equal(r.kept, "kept");
	arena_free(&r.older);
}

static void fail_inside(void *context)
{
	struct released *r = context;
	struct named first, last;

	hold_named(&first, r, 'o');
	r->inner = guard_call(hold_and_fail, r);
	hold_named(&last, r, 'p');
	guard_shortage();
}

TEST(guards_release_their_own)
{
	struct released r = { .n = 0, .inner = true };

	assert_false(guard_call(fail_inside, &r));
	assert_false(r.inner);
	assert_int_equal(r.n, 4);
	assert_memory_equal(r.names, "capo", 4);
	arena_free(&r.older);
}

static void begin(void *context)
{
	struct released *r = context;

	r->kept = arena_strdup(&r->begun, "kept");
	buffer_printf(&r->buffer, "kept");
}

static void begin_inside(void *context)
{
	assert_true(guard_call(begin, context));
	(void)arena_alloc(&((struct released *)context)->older, SIZE_MAX / 2,
			  4);
}

/* What stays after a guard belongs to the guard around it, if any. */
TEST(work_without_shortage_stays)
{
	struct released r = { .n = 0 };

	assert_true(guard_call(begin, &r));
	assert_string_equal(r.kept, "kept");
	buffer_printf(&r.buffer, ", too");
	assert_memory_equal(r.buffer.bytes, "kept, too", 9);
	arena_free(&r.begun);
	buffer_free(&r.buffer);
	assert_false(guard_call(begin_inside, &r));
	assert_null(r.begun.blocks);
}
