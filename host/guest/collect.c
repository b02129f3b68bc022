/* Starts the emulator and serves its questions until it ends. */
#include "host/guest/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/monotonic.h"
#include "host/base/qemu.h"
#include "host/guest/run.h"
#include "host/isa/isa.h"

enum {
	POLL_MS = 50,
	GRACE_MS = 1000, /* for the guest to end after Ctrl-C */
	FIXED_WORDS = 10,
};

static const char plugin_file[] = "anechoic-qemu.so";

/* ---- start --------------------------------------------------------------- */

/* EMULATOR -cpu CPU -plugin FILE,exchange=EXCHANGE [-L DIR] -0 NAME PROGRAM
 * ARG... */
static char **command(struct arena *a, const struct guest_run *r,
		      const char *exchange)
{
	const struct guest_request *q = &r->request;
	const struct isa_guest *g = q->c->isa->guest;
	size_t n = 0, k = 0;
	char **words;

	while (q->argv[n])
		n++;
	words = ARENA_ARRAY(a, char *, n + FIXED_WORDS + 1);
	words[k++] = arena_strdup(a, g->emulator);
	words[k++] = arena_strdup(a, "-cpu");
	words[k++] = arena_strdup(a, q->guest_cpu ? q->guest_cpu : g->cpu);
	words[k++] = arena_strdup(a, "-plugin");
	words[k++] =
		arena_printf(a, "%s/%s,exchange=%s", qemu_value(a, q->share),
			     plugin_file, exchange);
	if (isa_native() != q->c->isa && !getenv("QEMU_LD_PREFIX") &&
	    access(g->sysroot, F_OK) == 0) {
		words[k++] = arena_strdup(a, "-L");
		words[k++] = arena_strdup(a, g->sysroot);
	}
	words[k++] = arena_strdup(a, "-0");
	words[k++] = n ? q->argv[0] : arena_strdup(a, q->program);
	words[k++] = arena_strdup(a, q->program);
	for (size_t i = 1; i < n; i++)
		words[k++] = q->argv[i];
	return words;
}

static _Noreturn void become_emulator(char **words, int failed, pid_t parent)
{
	int why;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		(void)execvp(words[0], words);
	why = errno;
	(void)!write(failed, &why, sizeof(why));
	_exit(127);
}

/* Fork and exec; ERR_SYSTEM if the emulator is missing. */
static int start(struct guest_run *r, struct err *e)
{
	struct arena a = { 0 };
	pid_t self = getpid();
	const char *exchange =
		arena_printf(&a, "/proc/%d/fd/%d", (int)self, r->fd);
	char **words = command(&a, r, exchange);
	int failed[2], why = 0;

	if (access(exchange, F_OK) != 0) {
		arena_free(&a);
		return err_set(e, ERR_SYSTEM,
			       "the emulator shares memory through /proc, "
			       "which is not mounted here");
	}
	if (pipe2(failed, O_CLOEXEC) != 0) {
		arena_free(&a);
		return err_set(e, ERR_SYSTEM, "cannot open a pipe: %s",
			       strerror(errno));
	}
	r->pid = fork();
	if (r->pid == 0)
		become_emulator(words, failed[1], self);
	(void)close(failed[1]);
	if (r->pid < 0)
		why = errno;
	else if (read(failed[0], &why, sizeof(why)) > 0)
		(void)waitpid(r->pid, NULL, 0);
	(void)close(failed[0]);
	if (why)
		(void)err_set(e, ERR_SYSTEM,
			      "cannot run %s: %s (Debian package qemu-user)",
			      words[0], strerror(why));
	arena_free(&a);
	return e->code;
}

/* ---- service ------------------------------------------------------------- */

static bool serve_slots(struct guest_run *r, run_answerer *answer)
{
	bool any = false;

	for (uint32_t i = 0, n = run_n_slots(r); i < n; i++) {
		struct exchange_slot *s = run_slot(r, i);

		if (s && atomic_load(&s->state) == SLOT_ASKING) {
			answer(r, s);
			any = true;
		}
	}
	return any;
}

static uint64_t instructions(struct guest_run *r)
{
	const struct run_table *t = &r->table;
	uint64_t sum = 0;

	for (uint32_t i = 0, n = run_n_slots(r); i < n; i++) {
		struct exchange_slot *s = run_slot(r, i);

		for (size_t k = 0; s && k < t->n_blocks; k++)
			sum += slot_counts(r->x, s)[k] * t->blocks[k].n_insns;
	}
	return sum;
}

static void report_progress(struct guest_run *r, double started, double *last)
{
	const struct guest_request *q = &r->request;
	double t = monotonic_s();

	if (!q->progress || t - *last < 1)
		return;
	*last = t;
	q->progress(q->context, instructions(r), t - started);
}

/* After Ctrl-C, which a terminal sends to the guest, too: it may end by
 * itself. */
static void obey_interrupt(struct guest_run *r, double *since)
{
	const volatile int *flag = r->request.interrupt;

	if (!flag || !*flag)
		return;
	r->interrupted = true;
	if (*since == 0) {
		*since = monotonic_s();
		(void)kill(r->pid, SIGINT);
	} else if (monotonic_s() - *since > GRACE_MS * 1e-3) {
		(void)kill(r->pid, SIGKILL);
	}
}

/* SIGCHLD only has to end a wait. */
static void on_child(int number)
{
	(void)number;
}

static void serve(struct guest_run *r, run_answerer *answer)
{
	struct sigaction action = { .sa_handler = on_child }, before;
	double started = monotonic_s(), last = started, since = 0;

	(void)sigaction(SIGCHLD, &action, &before);
	for (;;) {
		uint32_t bell = atomic_load(&r->x->bell);

		if (serve_slots(r, answer))
			continue;
		if (waitpid(r->pid, &r->status, WNOHANG) == r->pid)
			break;
		obey_interrupt(r, &since);
		report_progress(r, started, &last);
		if (r->failure.code != ERR_OK)
			(void)kill(r->pid, SIGKILL);
		exchange_wait(&r->x->bell, bell, POLL_MS);
	}
	(void)sigaction(SIGCHLD, &before, NULL);
}

/* ---- a run --------------------------------------------------------------- */

/* Did the plugin work, and did the emulator load the program? */
static int check_started(const struct guest_run *r, struct err *e)
{
	const struct guest_request *q = &r->request;
	const char *emulator = q->c->isa->guest->emulator;

	if (r->failure.code != ERR_OK)
		return err_set(e, r->failure.code, "%s", r->failure.message);
	if (r->x->reason[0])
		return err_set(e, ERR_SYSTEM, "the plugin of %s: %.*s",
			       emulator, EXCHANGE_REASON, r->x->reason);
	if (run_n_slots(r) == 0)
		return err_set(e, ERR_SYSTEM,
			       "%s did not start with the plugin %s; it must "
			       "be QEMU 6.0 to 8.2 with plugins (Debian "
			       "package qemu-user)",
			       emulator, plugin_file);
	if (r->table.n_blocks == 0 && !r->interrupted)
		return err_set(e, ERR_INPUT, "%s cannot start %s", emulator,
			       q->program);
	return ERR_OK;
}

int run_emulator(const struct guest_request *q, run_answerer *answer,
		 struct guest_run **ret_run, struct err *e)
{
	struct guest_run *r = xrealloc(NULL, 1, sizeof(*r));

	*r = (struct guest_run){ .request = *q, .fd = -1 };
	if (run_open_exchange(r, e) == ERR_OK && start(r, e) == ERR_OK) {
		serve(r, answer);
		(void)check_started(r, e);
	}
	if (e->code != ERR_OK) {
		guest_close(r);
		return e->code;
	}
	*ret_run = r;
	return ERR_OK;
}

void guest_close(struct guest_run *run)
{
	if (!run)
		return;
	run_close_exchange(run);
	table_free(&run->table);
	free(run->places);
	free(run->jumps);
	free(run);
}
