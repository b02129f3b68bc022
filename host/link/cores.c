/* Chooses cores that do not share execution units; see cores.h. */
#include "host/link/cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/base/arena.h"
#include "host/base/monotonic.h"
#include "host/link/link.h"

enum {
	N_PAIRS = 48,
	/* Long compared with a context switch, short compared with other
	 * programs' activity. */
	SPIN_STEPS = 40 * 1000,
	ROOM = 512,
	MAX_PAIRS = 256,
};

/* SMT siblings slow this work down by a quarter or more. */
static const double share_of_sibling = 1.15;

/* Files in a CPU's folder that differ between kinds of cores.  Not all of them
 * exist on every machine. */
static const char *const marks[] = {
	"regs/identification/midr_el1",
	"cpu_capacity",
	"cache/index0/size",
	"cache/index1/size",
	"cache/index2/size",
	"of_node/compatible",
	"of_node/riscv,isa",
};

/* Hybrid machines list the CPUs of each kind. */
static const char *const kinds[] = {
	"/sys/devices/cpu_core/cpus",
	"/sys/devices/cpu_atom/cpus",
};

/* ---- what the system says --------------------------------------------- */

/* Read the first bytes of a file; returns their number, 0 if it cannot be
 * read. */
static size_t peek(const char *path, char text[ROOM])
{
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, ROOM - 1, f) : 0;

	if (f)
		(void)fclose(f);
	text[n] = '\0';
	return n;
}

static size_t peek_cpu(uint32_t cpu, const char *name, char text[ROOM])
{
	char path[ROOM];

	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/%s",
		       (unsigned)cpu, name);
	return peek(path, text);
}

int cores_listed(const char *list, uint32_t cpu)
{
	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long from = strtoul(list, &end, 10);
		unsigned long to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (cpu >= from && cpu <= to)
			return 1;
		if (*end != ',')
			return 0;
		list = end + 1;
	}
	return 0;
}

static bool is_same_kind(uint32_t a, uint32_t b)
{
	char one[ROOM], other[ROOM];

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		size_t n = peek_cpu(a, marks[i], one);

		if (peek_cpu(b, marks[i], other) != n ||
		    memcmp(one, other, n) != 0)
			return false;
	}
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (peek(kinds[i], one) > 0 &&
		    cores_listed(one, a) != cores_listed(one, b))
			return false;
	return true;
}

static bool is_thread_of(uint32_t a, uint32_t b)
{
	char list[ROOM];

	return peek_cpu(a, "topology/thread_siblings_list", list) > 0 &&
	       cores_listed(list, b);
}

/* ---- what can be measured --------------------------------------------- */

struct second_core {
	uint32_t cpu;
	atomic_bool busy, over;
};

static void pin_to_cpu(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* Work that saturates a core: six independent chains. */
static void spin(unsigned steps)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

	for (unsigned i = 0; i < steps; i++) {
		a += a << 3;
		b += b << 3;
		c += c << 3;
		d += d << 3;
		e += e << 3;
		f += f << 3;
		__asm__ volatile(""
				 : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e),
				   "+r"(f));
	}
}

static void *second_main(void *context)
{
	struct second_core *n = context;

	pin_to_cpu(n->cpu);
	while (!atomic_load(&n->over))
		if (atomic_load(&n->busy))
			spin(SPIN_STEPS / 10);
		else
			(void)nanosleep(&(struct timespec){ .tv_nsec = 20000 },
					NULL);
	return NULL;
}

struct core_trial {
	uint32_t cpu;
	struct second_core *second;
	double times[2 * N_PAIRS];
};

static void *trial_main(void *context)
{
	struct core_trial *t = context;

	pin_to_cpu(t->cpu);
	for (int i = 0; i < 2 * N_PAIRS; i++) {
		double from;

		atomic_store(&t->second->busy, i % 2 == 1);
		/* Gives the other thread time to react. */
		spin(SPIN_STEPS / 2);
		from = monotonic_s();
		spin(SPIN_STEPS);
		t->times[i] = monotonic_s() - from;
	}
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int cores_shared(const double *times, size_t n_pairs)
{
	double ratio[MAX_PAIRS];
	size_t n = n_pairs < MAX_PAIRS ? n_pairs : MAX_PAIRS;

	if (n == 0)
		return 1;
	for (size_t i = 0; i < n; i++)
		ratio[i] = times[2 * i + 1] / times[2 * i];
	qsort(ratio, n, sizeof(*ratio), by_size);
	return ratio[n / 2] > share_of_sibling;
}

/* Uses two threads, so that the caller's CPU affinity does not change. */
static bool share_core(uint32_t cpu, uint32_t other)
{
	struct second_core n = { .cpu = other };
	struct core_trial t = { .cpu = cpu, .second = &n };
	pthread_t threads[2];
	bool tried;

	if (pthread_create(&threads[0], NULL, second_main, &n) != 0)
		return true;
	tried = pthread_create(&threads[1], NULL, trial_main, &t) == 0;
	if (tried)
		(void)pthread_join(threads[1], NULL);
	atomic_store(&n.over, true);
	(void)pthread_join(threads[0], NULL);
	return !tried || cores_shared(t.times, N_PAIRS);
}

/* ---- the choice ------------------------------------------------------- */

static bool is_usable(uint32_t cpu, const uint32_t *chosen, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cpu == chosen[i] || is_thread_of(cpu, chosen[i]) ||
		    !is_same_kind(cpu, chosen[0]))
			return false;
	for (size_t i = 0; i < n; i++)
		if (share_core(cpu, chosen[i]))
			return false;
	return true;
}

size_t cores_choose(size_t most, uint32_t *ret_cpus)
{
	cpu_set_t allowed;
	int here = sched_getcpu();
	size_t n = 0;

	if (here < 0 || most == 0 ||
	    sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return 0;
	ret_cpus[n++] = (uint32_t)here;
	if (most > LINK_MAX_CORES)
		most = LINK_MAX_CORES;
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE && n < most; cpu++)
		if (CPU_ISSET(cpu, &allowed) && is_usable(cpu, ret_cpus, n))
			ret_cpus[n++] = cpu;
	return n;
}
