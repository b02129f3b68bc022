/* Tests with cmocka that add themselves to the list that their program runs:
 * what is defined is run. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/types.h"

/* The status is ERR_OK, or the test fails with the message of `e`, a struct
 * err. */
#define assert_ok(status, e)                          \
	do {                                          \
		if ((status) != 0)                    \
			fail_msg("%s", (e)->message); \
	} while (0)

/* A text contains another one, or both are printed. */
#define assert_part(text, part) assert_true(unit_has_part(text, part))

static inline bool unit_has_part(const char *text, const char *part)
{
	if (strstr(text, part))
		return true;
	print_error("'%s' does not contain '%s'\n", text, part);
	return false;
}

/* Declares a variable that ends with its block: `end` gets its address then. */
#define SCOPED(end) __attribute__((cleanup(end)))

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

/* Runs the tests of tests/.../NAME.c, or those of the only file if it is NULL.
 * Returns the exit status of the program: 2 if there are none. */
int unit_run(const char *name);

/* Defines a test. Its body follows, which has `state` as cmocka's tests
 * have. */
#define TEST(id) TEST_WITH(id, NULL, NULL)

/* The same, of a test whose body has the fixture, *state, as `parameter`: for
 * example "struct fixture *f". */
#define TEST_ON(id, parameter)               \
	static void test_on_##id(parameter); \
	TEST(id)                             \
	{                                    \
		test_on_##id(*state);        \
	}                                    \
	static void test_on_##id(parameter)

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

/* Defines a test of each row of an array of structures, which its body has as
 * `parameter`, without the fixture of EACH(). Messages have the row's `member`,
 * a text. */
#define TEST_ROWS(id, rows, member, parameter)                  \
	static void test_##id(parameter);                       \
	static void test_row_##id(void **state)                 \
	{                                                       \
		test_##id(*state);                              \
	}                                                       \
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
				.function = test_row_##id,      \
				.state = &(rows)[i],            \
			};                                      \
			unit_add(&t[i]);                        \
		}                                               \
	}                                                       \
	static void test_##id(parameter)

/* Before and after each test of the file that has no fixture of its own. */
#define EACH(set_up, tear_down) UNIT_FIXTURE(each, set_up, tear_down)

/* Each test has a `type` of its own, all zero, which `end` gets after it. */
#define EACH_NEW(type, end)                       \
	static int set_up_new(void **state)       \
	{                                         \
		*state = calloc(1, sizeof(type)); \
		return *state ? 0 : -1;           \
	}                                         \
	static int tear_down_new(void **state)    \
	{                                         \
		end(*state);                      \
		free(*state);                     \
		return 0;                         \
	}                                         \
	EACH(set_up_new, tear_down_new)

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
