/* anechoic estimate: what a whole program would do on a core and caches. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/cache/caches.h"
#include "host/cache/sim.h"
#include "host/cli/cli.h"
#include "host/guest/collect.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"

struct job {
	struct arena a;
	const struct options *o;
	const char *program; /* its file */
	struct catalogue *c;
	struct caches caches;
	struct guest_run *run;
	bool progress; /* a line of progress is on the terminal */
};

/* ---- input --------------------------------------------------------------- */

static bool is_program(const char *path)
{
	struct stat st;

	return access(path, X_OK) == 0 && stat(path, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

/* Where a shell would find the program; NULL: nowhere. */
static const char *find_program(struct arena *a, const char *name)
{
	const char *at = getenv("PATH");

	if (strchr(name, '/'))
		return name;
	while (at) {
		size_t n = strcspn(at, ":");
		const char *path =
			n ? arena_printf(a, "%.*s/%s", (int)n, at, name)
			  : arena_printf(a, "./%s", name);

		if (is_program(path))
			return path;
		at = at[n] == ':' ? at + n + 1 : NULL;
	}
	return NULL;
}

static int read_start(const char *path, unsigned char *bytes, size_t room,
		      size_t *ret_n, struct err *e)
{
	FILE *f = fopen(path, "rbe");

	if (!f)
		return err_set(e, ERR_INPUT, "cannot read %s: %s", path,
			       strerror(errno));
	*ret_n = fread(bytes, 1, room, f);
	(void)fclose(f);
	return ERR_OK;
}

/* The program's file, and its ISA's catalogue. */
static int open_program(struct job *j, struct err *e)
{
	unsigned char start[64];
	const char *name = j->o->program ? j->o->program[0] : NULL;
	const struct isa *isa;
	size_t n = 0;

	if (!name)
		return err_set(
			e, ERR_USAGE,
			"estimate: no program given; it follows --, e.g. "
			"anechoic estimate -- ./a.out");
	j->program = find_program(&j->a, name);
	if (!j->program)
		return err_set(e, ERR_INPUT, "there is no program %s in PATH",
			       name);
	if (read_start(j->program, start, sizeof(start), &n, e) != ERR_OK)
		return e->code;
	if (!is_program(j->program))
		return err_set(e, ERR_INPUT, "%s is not an executable file",
			       j->program);
	isa = guest_isa(start, n);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "%s is not a 64-bit ELF program of x86-64, "
			       "AArch64 or RISC-V",
			       j->program);
	return catalogue_load(&j->a, isa, NULL, &j->c, e);
}

static int read_caches(struct job *j, struct err *e)
{
	for (size_t i = 0; i < j->o->caches.n; i++)
		if (caches_read(&j->a, j->o->caches.words[i], &j->caches, e) !=
		    ERR_OK)
			return e->code;
	if (j->caches.n > CACHE_MAX_HIERARCHIES)
		return err_set(e, ERR_INPUT,
			       "--caches: %zu hierarchies; at most %d in one "
			       "run",
			       j->caches.n, CACHE_MAX_HIERARCHIES);
	return ERR_OK;
}

/* ---- the run ------------------------------------------------------------- */

static void show_progress(void *context, uint64_t instructions, double seconds)
{
	struct job *j = context;

	(void)fprintf(stderr,
		      "\r%.3g million instructions, %.0f s, %.3g "
		      "million a second ",
		      (double)instructions * 1e-6, seconds,
		      (double)instructions * 1e-6 / seconds);
	j->progress = true;
}

static int run_program(struct job *j, struct err *e)
{
	struct guest_request q = {
		.c = j->c,
		.program = j->program,
		.argv = j->o->program,
		.plugin = share_path(&j->a, "anechoic-qemu.so"),
		.guest_cpu = j->o->guest_cpu,
		.n_hierarchies = j->caches.n,
		.hierarchies = j->caches.at,
		.classes = true,
		.interrupt = interrupt_flag(),
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
		.context = j,
	};

	(void)guest_run(&q, &j->run, e);
	if (j->progress)
		(void)fprintf(stderr, "\n");
	return e->code;
}

static int run(const struct options *o, struct err *e)
{
	struct job j = { .o = o };
	struct profile p = { 0 };

	if (open_program(&j, e) == ERR_OK && read_caches(&j, e) == ERR_OK &&
	    run_program(&j, e) == ERR_OK) {
		guest_profile(&j.a, j.run, &p);
		fprintf(stderr,
			"%llu instructions, %zu blocks, %llu accesses, %llu lines, %llu bytes\n%s",
			(unsigned long long)p.instructions, p.n_blocks,
			(unsigned long long)p.accesses,
			(unsigned long long)p.lines,
			(unsigned long long)p.bytes, p.notes);
		for (size_t h = 0; h < p.n_hierarchies; h++)
			for (size_t l = 0; l < j.caches.at[h].n_levels; l++) {
				struct cache_counts n = cache_sim_counts(
					guest_caches(j.run, 0), h, l);

				fprintf(stderr, "%s %s: %llu of %llu (%llu)\n",
					j.caches.at[h].name,
					j.caches.at[h].levels[l].name,
					(unsigned long long)n.misses,
					(unsigned long long)n.accesses,
					(unsigned long long)
						p.misses[p.first_level[h] + l]);
			}
	}
	guest_close(j.run);
	catalogue_free(j.c);
	arena_free(&j.a);
	if (e->code == ERR_OK && output_flush(e) == ERR_OK)
		exit(p.signal ? 128 + p.signal : p.status);
	return e->code;
}

const struct command command_estimate = {
	.name = "estimate",
	.summary = "cycles, cache misses and memory pressure of a program",
	.options =
		OPTIONS(WORDS("--caches", caches, "FILE",
			      "caches to simulate; may be given several times",
			      .by_default = "none"),
			WORD("--guest-cpu", guest_cpu, "OPTIONS",
			     "CPU of the emulator, e.g. max,sve256=on",
			     .by_default = "all extensions")),
	.operand = "-- PROGRAM [ARG]...",
	.operand_optional = true,
	.takes_program = true,
	.describe = "Runs PROGRAM under QEMU's user emulation and counts.",
	.examples = "anechoic estimate --caches zen4.conf -- ./a.out",
	.run = run,
};
