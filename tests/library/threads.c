/* The first calls of a process, by several threads at once.
 *	library_threads PROCESSES */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/anechoic.h"
#include "tests/library/cores.h"

enum { THREADS = 4 };

struct race {
	atomic_uint waiting;
	atomic_bool failed;
};

struct racer {
	struct race *race;
	pthread_t thread;
	const struct known_core *core;
};

static bool use(const struct known_core *k, char *why)
{
	static const char *const formats[] = { "text", "json", "html", "dot" };
	const struct anechoic_source source = { .cpu = k->cpu, .isa = k->isa };
	struct anechoic_result *r;
	struct anechoic *core;
	bool good;

	if (anechoic_open(&source, &core, why) != ANECHOIC_OK)
		return false;
	good = anechoic_predict_text(core, "x.s", k->text, NULL, &r, why) ==
	       ANECHOIC_OK;
	if (good) {
		(void)snprintf(why, ANECHOIC_MESSAGE, "%g cycles",
			       anechoic_bounds(r)->carried);
		good = anechoic_bounds(r)->carried == k->carried;
		for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
			good &= anechoic_print(r, formats[i]) != NULL;
		anechoic_free(r);
	}
	anechoic_close(core);
	return good;
}

static void *race(void *context)
{
	const struct racer *r = context;
	char why[ANECHOIC_MESSAGE] = "";

	atomic_fetch_add(&r->race->waiting, 1);
	while (atomic_load(&r->race->waiting) < THREADS)
		(void)sched_yield();
	if (!use(r->core, why)) {
		printf("%s: %s\n", r->core->isa, why);
		atomic_store(&r->race->failed, true);
	}
	return NULL;
}

static int race_in_process(int number)
{
	struct racer racers[THREADS];
	struct race race_of_all = { 0 };

	for (int i = 0; i < THREADS; i++) {
		racers[i] = (struct racer){
			.race = &race_of_all,
			.core = &known_cores[(number + i) % N_CORES],
		};
		if (pthread_create(&racers[i].thread, NULL, race, &racers[i]))
			return 2;
	}
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(racers[i].thread, NULL);
	return atomic_load(&race_of_all.failed) ? 1 : 0;
}

int main(int argc, char **argv)
{
	long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	int bad = 0;

	if (n < 1)
		return 2;
	for (int i = 0; i < n; i++) {
		pid_t child = fork();
		int status = 1;

		if (child == 0)
			exit(race_in_process(i));
		(void)waitpid(child, &status, 0);
		bad += status != 0;
	}
	printf("%d of %ld processes failed\n", bad, n);
	return bad != 0;
}
