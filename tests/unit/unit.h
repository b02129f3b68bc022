/* Tests with cmocka that add themselves to the list that their program runs: what is
 * defined is run. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/types.h"

struct unit_test {
	const char *file; /* __FILE__ */
	int line; /* tests of one file run in the order of their lines */
	const char *name;
	const char *row; /* the name of its row of a table, or NULL */
	CMUnitTestFunction function;
	CMFixtureFunction setup, teardown; /* NULL: those of EACH() */
	const void *state;                 /* initially: its row, or NULL */
	struct unit_test *next;
};

struct unit_fixture {
	const char *file;
	CMFixtureFunction setup, teardown;
	struct unit_fixture *next;
};

void unit_add(struct unit_test *t);
void unit_add_each(struct unit_fixture *f);
void unit_add_group(struct unit_fixture *f);

/* Runs the tests of tests/.../NAME.c, or those of the only file if it is NULL. Returns
 * the exit status of the program: 2 if there are none. */
int unit_run(const char *name);

/* Defines a test. Its body follows, which has `state` as cmocka's tests have. */
#define TEST(id) TEST_WITH(id, NULL, NULL)

/* The same, of a test that has a fixture. */
#define TEST_WITH(id, set_up, tear_down)                             \
	static void test_##id(__attribute__((unused)) void **state); \
	TEST_ALSO(id, test_##id, set_up, tear_down)                  \
	static void test_##id(__attribute__((unused)) void **state)

/* Runs test_ID, which is defined above, with another fixture, too. */
#define TEST_AGAIN(id, set_up, tear_down)                   \
	TEST_ALSO(id##_again, test_##id, set_up, tear_down) \
	static void add_##id##_again(void)

#define TEST_ALSO(id, test, set_up, tear_down)                             \
	__attribute__((constructor)) static void add_##id(void)            \
	{                                                                  \
		static struct unit_test t = { __FILE__,  __LINE__, #test,  \
					      NULL,      test,     set_up, \
					      tear_down, NULL,     NULL }; \
                                                                           \
		unit_add(&t);                                              \
	}

/* Defines a test of each row of an array of structures. It begins with *state as the
 * row, without the fixture of EACH(); messages have the row's `member`, a text. */
#define TEST_ROWS(id, rows, member)                             \
	static void test_##id(void **state);                    \
	__attribute__((constructor)) static void add_##id(void) \
	{                                                       \
		static struct unit_test t[ARRAY_LEN(rows)];     \
                                                                \
		for (size_t i = 0; i < ARRAY_LEN(rows); i++) {  \
			t[i] = (struct unit_test){              \
				.file = __FILE__,               \
				.line = __LINE__,               \
				.name = "test_" #id,            \
				.row = (rows)[i].member,        \
				.function = test_##id,          \
				.state = &(rows)[i],            \
			};                                      \
			unit_add(&t[i]);                        \
		}                                               \
	}                                                       \
	static void test_##id(void **state)

/* Before and after each test of the file that has no fixture of its own. */
#define EACH(set_up, tear_down) UNIT_FIXTURE(each, set_up, tear_down)

/* Once before the first and after the last test of the file. */
#define GROUP(set_up, tear_down) UNIT_FIXTURE(group, set_up, tear_down)

#define UNIT_FIXTURE(kind, set_up, tear_down)                                 \
	__attribute__((constructor)) static void unit_##kind(void)            \
	{                                                                     \
		static struct unit_fixture f = { __FILE__, set_up, tear_down, \
						 NULL };                      \
                                                                              \
		unit_add_##kind(&f);                                          \
	}                                                                     \
	static void unit_##kind(void)

#endif
