/* LLVM's targets are registered once, however many threads open cores first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/types.h"
#include "host/isa/mc_parse.h"
#include "host/isa/mc_sched.h"
#include "tests/unit/unit.h"

enum { THREADS = 4, PROCESSES = 60 };

static const struct {
	const char *triple, *cpu, *features;
} cores[] = {
	{ "x86_64-unknown-linux-gnu", "skylake", "" },
	{ "aarch64-unknown-linux-gnu", "neoverse-n1", "" },
	{ "riscv64-unknown-linux-gnu", "sifive-x280", "" },
};

/* Of one process, in which nothing was opened yet. */
struct race {
	pthread_barrier_t together;
	atomic_bool failed;
};

struct racer {
	struct race *race;
	pthread_t thread;
	size_t number;
};

/* The first use is once of the tables and once of the parser. */
static void *open_first(void *context)
{
	const struct racer *r = context;
	size_t core = r->number % ARRAY_LEN(cores);
	struct mc_parser *parser;
	struct err e = { .code = ERR_OK };
	bool good;

	(void)pthread_barrier_wait(&r->race->together);
	if (r->number % 2) {
		good = mc_sched_knows(cores[core].triple, cores[core].cpu);
	} else {
		good = mc_parser_open(cores[core].triple, cores[core].cpu,
				      cores[core].features, &parser,
				      &e) == ERR_OK;
		if (good)
			mc_parser_close(parser);
	}
	if (!good)
		atomic_store(&r->race->failed, true);
	return NULL;
}

static _Noreturn void race_in_process(void)
{
	struct racer racers[THREADS];
	struct race race = { .failed = false };

	(void)pthread_barrier_init(&race.together, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++) {
		racers[i] = (struct racer){ .race = &race, .number = i };
		if (pthread_create(&racers[i].thread, NULL, open_first,
				   &racers[i]) != 0)
			_exit(2);
	}
	for (size_t i = 0; i < THREADS; i++)
		(void)pthread_join(racers[i].thread, NULL);
	_exit(atomic_load(&race.failed) ? 1 : 0);
}

TEST(threads_register_once)
{
	for (int i = 0; i < PROCESSES; i++) {
		pid_t child = fork();
		int status;

		if (child == 0)
			race_in_process();
		assert_true(child > 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
}
