/* Everything on a thread with the stack that anechoic.h names as enough; an
 * overflow ends the process.
 *	library_stack [-measure]
 * -measure prints how much each call uses. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/anechoic.h"
#include "tests/library/cores.h"

enum { ROOM = 4 << 20, PATTERN = 0xa5, DEEPEST = 30 };

static const char *const formats[] = { "text", "json", "html", "dot" };

/* An operand in as many parentheses as an instruction can have. */
static const struct {
	const char *isa, *before, *after;
} nested[] = {
	{ "x86_64", "L1:\n\taddq ", "(%rax), %rbx\n\tjne L1\n" },
	{ "x86_64", ".intel_syntax noprefix\nL1:\n\tmov rbx, [rax+", "]\n" },
	{ "aarch64", "L1:\n\tadd x0, x0, #", "\n\tb.ne L1\n" },
	{ "riscv64", "L1:\n\taddi a0, a0, ", "\n\tbnez a0, L1\n" },
};

enum { N_NESTED = sizeof(nested) / sizeof(nested[0]) };

struct task {
	const struct known_core *core;
	const char *text;
	const char *format; /* NULL: none is printed */
	bool bad;
};

static void *run(void *context)
{
	struct task *t = context;
	const struct anechoic_source source = { .cpu = t->core->cpu,
						.isa = t->core->isa };
	const struct anechoic_options options = { .any_alignment = 1 };
	char why[ANECHOIC_MESSAGE];
	struct anechoic_result *r;
	struct anechoic *core;

	t->bad = true;
	if (anechoic_open(&source, &core, why) != ANECHOIC_OK) {
		printf("%s\n", why);
		return NULL;
	}
	if (!t->text) {
		t->bad = false;
	} else if (anechoic_predict_text(core, "x.s", t->text, &options, &r,
					 why) != ANECHOIC_OK) {
		printf("%s\n", why);
	} else {
		t->bad = t->format && !anechoic_print(r, t->format);
		anechoic_free(r);
	}
	anechoic_close(core);
	return NULL;
}

/* Bytes of its stack that a thread has used. */
static size_t used(const unsigned char *stack, size_t n)
{
	size_t i = 0;

	while (i < n && stack[i] == PATTERN)
		i++;
	return n - i;
}

/* Below the stack is a page that cannot be written. */
static int run_on(struct task *t, size_t n, const char *what)
{
	enum { PAGE = 64 << 10 };
	unsigned char *pages = mmap(NULL, PAGE + n, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	if (pages == MAP_FAILED || mprotect(pages, PAGE, PROT_NONE) != 0)
		return 1;
	memset(pages + PAGE, PATTERN, n);
	(void)pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, pages + PAGE, n) != 0 ||
	    pthread_create(&thread, &attributes, run, t) != 0)
		return 1;
	(void)pthread_join(thread, NULL);
	(void)pthread_attr_destroy(&attributes);
	if (what)
		printf("%-8s %-8s %4zu KiB\n", t->core->isa, what,
		       used(pages + PAGE, n) >> 10);
	(void)munmap(pages, PAGE + n);
	return t->bad;
}

static int run_core(const struct known_core *k, size_t n, bool measured)
{
	struct task t = { .core = k };
	int bad = run_on(&t, n, measured ? "open" : NULL);

	t.text = k->text;
	bad += run_on(&t, n, measured ? "predict" : NULL);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		t.format = formats[i];
		bad += run_on(&t, n, measured ? formats[i] : NULL);
	}
	return bad;
}

static int run_nested(size_t i, size_t n, bool measured)
{
	char text[2 * DEEPEST + 200], *at = text;
	struct task t = { .text = text };

	for (size_t k = 0; k < N_CORES; k++)
		if (strcmp(known_cores[k].isa, nested[i].isa) == 0)
			t.core = &known_cores[k];
	at = stpcpy(at, nested[i].before);
	memset(at, '(', DEEPEST);
	at[DEEPEST] = '1';
	memset(at + DEEPEST + 1, ')', DEEPEST);
	(void)strcpy(at + 2 * DEEPEST + 1, nested[i].after);
	return run_on(&t, n, measured ? "nested" : NULL);
}

int main(int argc, char **argv)
{
	bool measured = argc == 2 && strcmp(argv[1], "-measure") == 0;
	size_t n = measured ? ROOM : ANECHOIC_STACK;
	int bad = 0;

	for (size_t i = 0; i < N_CORES; i++)
		bad += run_core(&known_cores[i], n, measured);
	for (size_t i = 0; i < N_NESTED; i++)
		bad += run_nested(i, n, measured);
	return bad != 0;
}
