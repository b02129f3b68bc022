/* Choice of the cores for a parallel session. */
#include <sched.h>

#include "host/link/cores.h"
#include "host/link/link.h"
#include "tests/unit/unit.h"

TEST(lists_of_cpus)
{
	assert_true(cores_listed("0-3,8\n", 0));
	assert_true(cores_listed("0-3,8\n", 3));
	assert_true(cores_listed("0-3,8\n", 8));
	assert_false(cores_listed("0-3,8\n", 4));
	assert_false(cores_listed("10,12", 1));
	assert_true(cores_listed("10,12", 12));
	assert_false(cores_listed("", 0));
	assert_false(cores_listed("\n", 0));
	assert_false(cores_listed("x0", 0));
	assert_false(cores_listed("1-", 2));
	assert_false(cores_listed("5-2", 3));
}

enum { PAIRS = 40 };

/* Alternating times with an idle and a busy sibling, and with other programs
 * that disturb some pairs, or half of one. */
static void turns(double *times, double share)
{
	for (int i = 0; i < 2 * PAIRS; i++) {
		times[i] = i % 2 ? 1 + share : 1;
		if (i >= 10 && i < 30)
			times[i] *= 1.7;
		if (i % 9 == 0)
			times[i] *= 1.6;
	}
}

TEST(threads_of_a_core_are_told)
{
	double times[2 * PAIRS];

	turns(times, 0);
	assert_false(cores_shared(times, PAIRS));
	turns(times, 0.4);
	assert_true(cores_shared(times, PAIRS));
	/* Without times the cores count as shared. */
	assert_true(cores_shared(times, 0));
}

TEST(the_choice)
{
	uint32_t cpus[LINK_MAX_CORES];
	cpu_set_t allowed;
	size_t n = cores_choose(3, cpus);

	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	assert_in_range(n, 1, 3);
	for (size_t i = 0; i < n; i++) {
		assert_true(CPU_ISSET(cpus[i], &allowed));
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(cpus[i], cpus[k]);
	}
	assert_int_equal(cores_choose(1, cpus), 1);
	assert_int_equal(cores_choose(0, cpus), 0);

	/* Never more CPUs than the process may use. */
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpus[0], &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(cores_choose(4, cpus), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
}
