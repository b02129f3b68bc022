/* A guest of the kind that its argument names.  Its loops have labels for
 * lines.c: 1000 loads of 8 bytes each time that work() is called. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

enum { CHILDREN = 3, THREADS = 4, SPAWNS = 20 };

static int wait_all(int n)
{
	int bad = 0, status;

	for (int i = 0; i < n; i++)
		bad |= wait(&status) < 0 || status != 0;
	return bad;
}

/* Three children, one of which has a child. */
static int do_fork(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		if (fork() != 0)
			continue;
		if (i == 0 && fork() == 0) {
			work();
			_exit(0);
		}
		work();
		_exit(i == 0 ? wait_all(1) : 0);
	}
	return wait_all(CHILDREN);
}

static void *run_thread(void *unused)
{
	work();
	return unused;
}

static int do_threads(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, run_thread, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(t[i], NULL);
	return 0;
}

/* Many threads, one after the other; then a child. */
static int do_spawn(void)
{
	for (int i = 0; i < SPAWNS; i++) {
		pthread_t t;

		if (pthread_create(&t, NULL, run_thread, NULL) != 0)
			return 1;
		(void)pthread_join(t, NULL);
	}
	if (fork() == 0) {
		work();
		_exit(0);
	}
	return wait_all(1);
}

static int do_crash(void)
{
	work();
	(void)raise(SIGSEGV);
	return 0;
}

static int do_null(void)
{
	volatile int *volatile nowhere = NULL;

	work();
	*nowhere = 1;
	return 0;
}

static int do_exit(void)
{
	work();
	return 7;
}

/* Other descriptors than the usual three are free, and closing all of them
 * changes nothing. */
static int do_files(void)
{
	int first = open("/dev/null", O_RDONLY);

	for (int i = 3; i < 1024; i++)
		(void)close(i);
	work();
	if (fork() == 0) {
		work();
		_exit(0);
	}
	return first != 3 || wait_all(1);
}

static int do_exec(void)
{
	char *const words[] = { "true", NULL };

	work();
	return execvp(words[0], words);
}

/* The same address with two contents. */
static int do_code(void)
{
	int (*code)(void) = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	if (code == MAP_FAILED)
		return 1;
	for (int i = 0; i < 2; i++) {
		work_write((void *)code, i);
		for (int k = 0; k < 1000; k++)
			sum += code();
	}
	work();
	return sum != 1000;
}

static int do_signals(void)
{
	for (int i = 0; i < 10; i++)
		(void)signal(SIGUSR1, i % 2 ? SIG_IGN : SIG_DFL);
	(void)signal(SIGUSR1, SIG_IGN);
	(void)raise(SIGUSR1);
	work();
	return 0;
}

static int do_forever(void)
{
	work();
	(void)puts("ready");
	(void)fflush(stdout);
	for (;;)
		(void)getppid();
}

/* Only what lies between the marks is to be counted. */
static int do_marked(void)
{
	work();
	work_begin();
	work();
	if (fork() == 0) {
		work();
		_exit(0);
	}
	work_end();
	work();
	if (fork() == 0) {
		work();
		_exit(0);
	}
	return wait_all(2);
}

/* ---- functions: counted where region() or other() is active */

static jmp_buf out;

static void on_signal(int number)
{
	(void)number;
	work();
}

/* 2 n + 1 calls of work(). */
__attribute__((noinline)) void region(int n)
{
	work();
	if (n < 0)
		longjmp(out, 1);
	if (n > 0) {
		region(n - 1);
		work();
	}
}

static void *run_region(void *unused)
{
	region(0);
	return unused;
}

/* A handler, a child, and a thread that does not belong to it: 4 calls. */
static __attribute__((noinline)) int other(void)
{
	pthread_t t;

	(void)signal(SIGUSR1, on_signal);
	(void)raise(SIGUSR1);
	if (fork() == 0) {
		work();
		_exit(0);
	}
	if (pthread_create(&t, NULL, run_thread, NULL) != 0)
		return 1;
	(void)pthread_join(t, NULL);
	work();
	region(0);
	return wait_all(1);
}

/* 5 + 1 + 4 + 4 calls are counted. */
static int do_function(void)
{
	pthread_t t[THREADS];
	int bad;

	work();
	region(2);
	work();
	work_tail(0);
	work();
	bad = other();
	work();
	for (int i = 0; i < THREADS; i++)
		bad |= pthread_create(&t[i], NULL, run_region, NULL);
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(t[i], NULL);
	work();
	return bad;
}

static __attribute__((noinline)) void jump(void)
{
	if (setjmp(out) == 0)
		region(-1);
	else
		work();
}

/* One call, and one that is counted because nothing returned. */
static int do_jump(void)
{
	jump();
	work();
	return 0;
}

/* Copies its input. */
static int do_copy(void)
{
	int c;

	work();
	while ((c = getchar()) != EOF)
		(void)putchar(c);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} kinds[] = {
		{ "fork", do_fork },       { "threads", do_threads },
		{ "spawn", do_spawn },     { "crash", do_crash },
		{ "null", do_null },       { "exit", do_exit },
		{ "files", do_files },     { "exec", do_exec },
		{ "code", do_code },       { "signals", do_signals },
		{ "forever", do_forever }, { "copy", do_copy },
		{ "marked", do_marked },   { "function", do_function },
		{ "jump", do_jump },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, argv[1]) == 0)
			return kinds[i].run();
	return 2;
}
