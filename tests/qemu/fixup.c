/* The K1's watchdog; memory at the same addresses stands for its registers. */
#include <sys/mman.h>

#include "target/fixup.h"
#include "tests/unit/unit.h"

#define CLOCK_PAGE UINT64_C(0xd4050000)
#define DOG_PAGE   UINT64_C(0xd4080000)

enum { PAGE = 4096 };

extern const struct fixup fixup_banana_pi_f3;

static volatile uint32_t *at(uint64_t address)
{
	return (volatile uint32_t *)(uintptr_t)address;
}

static int setup(void **state)
{
	const uint64_t pages[] = { CLOCK_PAGE, DOG_PAGE };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		void *want = (void *)(uintptr_t)pages[i];

		assert_ptr_equal(
			mmap(want, PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			     -1, 0),
			want);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return munmap((void *)(uintptr_t)CLOCK_PAGE, PAGE) |
	       munmap((void *)(uintptr_t)DOG_PAGE, PAGE);
}

EACH(setup, teardown);

TEST(a_watchdog_that_counts_is_stopped)
{
	*at(CLOCK_PAGE + 0x200) = 3;
	*at(DOG_PAGE + 0xb8) = 3;
	assert_string_equal(fixup_banana_pi_f3.apply(), "watchdog-stopped");
	assert_int_equal(*at(DOG_PAGE + 0xb8), 0);
	assert_int_equal(*at(DOG_PAGE + 0xc8), 1);
	assert_int_equal(*at(DOG_PAGE + 0xb0), 0xbaba);
	assert_int_equal(*at(DOG_PAGE + 0xb4), 0xeb10);
}

TEST(one_that_does_not_count_is_left_alone)
{
	*at(CLOCK_PAGE + 0x200) = 3;
	assert_string_equal(fixup_banana_pi_f3.apply(), "watchdog-idle");
	assert_int_equal(*at(DOG_PAGE + 0xb0), 0);
}

/* The registers are not read either: their page is unmapped. */
TEST(one_without_a_clock_is_not_touched)
{
	static const uint32_t clocks[] = { 0, 1, 2, 4, 7 };

	assert_int_equal(mprotect((void *)(uintptr_t)DOG_PAGE, PAGE, PROT_NONE),
			 0);
	for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
		*at(CLOCK_PAGE + 0x200) = clocks[i];
		assert_string_equal(fixup_banana_pi_f3.apply(), "watchdog-off");
		assert_int_equal(*at(CLOCK_PAGE + 0x200), clocks[i]);
	}
}

/* Lists of published trees; the chip is their last word. */
TEST(chips_of_published_trees_are_known)
{
	static const char *const last[] = { "spacemit,k1", "spacemit,k1-x",
					    "spacemit,k1x", "ky,x1" };

	for (size_t i = 0; i < ARRAY_LEN(last); i++) {
		bool known = false;

		for (const char *const *f = fixup_banana_pi_f3.chips; *f; f++)
			known |= strncmp(last[i], *f, strlen(*f)) == 0;
		assert_true(known);
	}
	assert_string_equal(fixup_banana_pi_f3.unread, "pmic-watchdog");
}
