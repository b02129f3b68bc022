/* libanechoic with memory that runs out: each allocation of each call fails in
 * turn, once or from then on.
 *	library_shortage POINTS FOLDER
 * POINTS: allocations of a call that fail; 0: all.  FOLDER: of models of all
 * kinds, see shortage.sh.  The C library's malloc() is replaced by the one below. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/anechoic.h"

/* ---- memory that runs out ---------------------------------------------- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *p);

static struct {
	bool counts;
	bool stays;               /* every allocation fails from there on */
	long allocated, fails_at; /* since counting began; -1: none fails */
	long live;                /* blocks */
	bool strangers_lost;      /* a failure that LLVM has to handle */
} memory = { .fails_at = -1 };

static bool is_of_llvm(const void *code)
{
	Dl_info where;

	return dladdr(code, &where) != 0 &&
	       (strstr(where.dli_fname, "libLLVM") ||
		strstr(where.dli_fname, "libstdc++"));
}

static bool fails(const void *from)
{
	long n;

	if (!memory.counts)
		return false;
	n = memory.allocated++;
	if (memory.fails_at < 0 ||
	    (memory.stays ? n < memory.fails_at : n != memory.fails_at))
		return false;
	memory.strangers_lost |= is_of_llvm(from);
	errno = ENOMEM;
	return true;
}

static void *counted(void *p)
{
	memory.live += p != NULL;
	return p;
}

void *malloc(size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL
						  : counted(__libc_malloc(n));
}

void *calloc(size_t count, size_t n)
{
	return fails(__builtin_return_address(0))
		       ? NULL
		       : counted(__libc_calloc(count, n));
}

void *realloc(void *p, size_t n)
{
	void *q;

	if (fails(__builtin_return_address(0)))
		return NULL;
	q = __libc_realloc(p, n);
	return p ? q : counted(q);
}

void *memalign(size_t alignment, size_t n)
{
	return fails(__builtin_return_address(0))
		       ? NULL
		       : counted(__libc_memalign(alignment, n));
}

void *aligned_alloc(size_t alignment, size_t n)
{
	return fails(__builtin_return_address(0))
		       ? NULL
		       : counted(__libc_memalign(alignment, n));
}

int posix_memalign(void **ret, size_t alignment, size_t n)
{
	if (fails(__builtin_return_address(0)))
		return ENOMEM;
	*ret = counted(__libc_memalign(alignment, n));
	return *ret ? 0 : ENOMEM;
}

void free(void *p)
{
	memory.live -= p != NULL;
	__libc_free(p);
}

/* ---- calls ------------------------------------------------------------- */

static const char text[] = "L1:\n"
			   "\tvmovupd (%rax,%rcx,8), %ymm0\n"
			   "\tvaddpd %ymm0, %ymm2, %ymm2\n"
			   "\taddq $4, %rcx\n"
			   "\timulq %rbx, %r8\n"
			   "\tjne L1\n";
static const unsigned char code[] = { 0x48, 0x0f, 0xaf, 0xc0 };

struct call {
	const char *name;
	int (*run)(const struct call *c, char *why);
	struct anechoic_source source;
	const char *format;
	struct anechoic *core; /* of predictions */
};

static int run_open(const struct call *c, char *why)
{
	struct anechoic *core;
	int status = anechoic_open(&c->source, &core, why);

	if (status == ANECHOIC_OK)
		anechoic_close(core);
	return status;
}

/* A wrong answer is worse than none. */
static int check_answer(struct anechoic_result *r, double expected, char *why)
{
	double cycles = anechoic_bounds(r)->carried;

	if (cycles == expected)
		return ANECHOIC_OK;
	(void)snprintf(why, ANECHOIC_MESSAGE, "%g cycles in place of %g",
		       cycles, expected);
	return ANECHOIC_INPUT;
}

static int run_text(const struct call *c, char *why)
{
	struct anechoic_result *r;
	int status = anechoic_predict_text(c->core, "x.s", text, NULL, &r, why);

	if (status != ANECHOIC_OK)
		return status;
	status = check_answer(r, 3, why);
	anechoic_free(r);
	return status;
}

static int run_code(const struct call *c, char *why)
{
	struct anechoic_result *r;
	int status = anechoic_predict_code(c->core, code, sizeof(code), NULL,
					   &r, why);

	if (status != ANECHOIC_OK)
		return status;
	status = check_answer(r, 3, why);
	anechoic_free(r);
	return status;
}

static int run_print(const struct call *c, char *why)
{
	struct anechoic_result *r;
	int status = anechoic_predict_text(c->core, "x.s", text, NULL, &r, why);

	if (status != ANECHOIC_OK)
		return status;
	if (!anechoic_print(r, c->format)) {
		(void)snprintf(why, ANECHOIC_MESSAGE, "out of memory");
		status = ANECHOIC_FAILED;
	}
	anechoic_free(r);
	return status;
}

/* ---- the sweep --------------------------------------------------------- */

static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		(void)closedir(d);
	return n;
}

static int complain(const struct call *c, long at, const char *what)
{
	printf("%s, allocation %ld%s: %s\n", c->name, at,
	       memory.stays ? " and later" : "", what);
	return 1;
}

static int fail_at(const struct call *c, long at)
{
	char why[ANECHOIC_MESSAGE] = "";
	int files = open_files(), status;
	long live = memory.live;

	memory.allocated = 0;
	memory.fails_at = at;
	memory.strangers_lost = false;
	memory.counts = true;
	status = c->run(c, why);
	memory.counts = false;
	memory.fails_at = -1;
	if (status != ANECHOIC_OK &&
	    (status != ANECHOIC_FAILED || !strstr(why, "out of memory")))
		return complain(c, at, why);
	if (open_files() != files)
		return complain(c, at, "a file stays open");
	/* What LLVM had allocated when it was interrupted is lost. */
	if (memory.live != live && !memory.strangers_lost)
		return complain(c, at, "memory stays allocated");
	return 0;
}

static int check_after(const struct call *c)
{
	char why[ANECHOIC_MESSAGE] = "";

	return c->run(c, why) == ANECHOIC_OK ? 0 : complain(c, -1, why);
}

static int sweep(const struct call *c, long points, bool stays)
{
	long n, step;
	int bad = 0;

	memory.stays = stays;
	if (check_after(c) != 0 || fail_at(c, -1) != 0)
		return 1;
	n = memory.allocated;
	step = points > 0 && n > points ? n / points : 1;
	for (long at = 0; at < n; at += step)
		bad += fail_at(c, at);
	return bad + check_after(c);
}

static int sweep_all(const struct call *calls, size_t n, long points)
{
	int bad = 0;

	for (size_t i = 0; i < n; i++) {
		bad += sweep(&calls[i], points, false);
		bad += sweep(&calls[i], points, true);
	}
	return bad;
}

static char *path_of(const char *folder, const char *name)
{
	size_t room = strlen(folder) + strlen(name) + 2;
	char *path = malloc(room);

	if (!path)
		exit(2);
	(void)snprintf(path, room, "%s/%s", folder, name);
	return path;
}

/* Models of every source, without the cache; and one from the cache. */
static int sweep_sources(const char *folder, long points)
{
	const struct anechoic_source cpu = { .cpu = "znver3", .isa = "x86_64" };
	const struct call calls[] = {
		{ "open of a CPU", run_open, cpu, NULL, NULL },
		{ "open of a database",
		  run_open,
		  { .database = path_of(folder, "recorded.db") },
		  NULL,
		  NULL },
		{ "open of a model",
		  run_open,
		  { .file = path_of(folder, "model.xz") },
		  NULL,
		  NULL },
		{ "open of OSACA's tables",
		  run_open,
		  { .file = path_of(folder, "osaca"), .isa = "x86_64" },
		  NULL,
		  NULL },
		{ "open of uops.info's tables",
		  run_open,
		  { .file = path_of(folder, "uops"), .isa = "x86_64" },
		  NULL,
		  NULL },
		{ "open of WINIC's tables",
		  run_open,
		  { .file = path_of(folder, "winic.yaml"), .isa = "x86_64" },
		  NULL,
		  NULL },
	};
	const struct call cached = { "open from the cache", run_open, cpu, NULL,
				     NULL };
	int bad;

	(void)setenv("ANECHOIC_NO_CACHE", "1", 1);
	bad = sweep_all(calls, sizeof(calls) / sizeof(calls[0]), points);
	(void)unsetenv("ANECHOIC_NO_CACHE");
	return bad + sweep_all(&cached, 1, 4 * points);
}

static int sweep_predictions(struct anechoic *core, long points)
{
	const struct call calls[] = {
		{ .name = "text", .run = run_text, .core = core },
		{ .name = "code", .run = run_code, .core = core },
		{ "print of text", run_print, { 0 }, "text", core },
		{ "print of JSON", run_print, { 0 }, "json", core },
		{ "print of HTML", run_print, { 0 }, "html", core },
		{ "print of DOT", run_print, { 0 }, "dot", core },
	};

	return sweep_all(calls, sizeof(calls) / sizeof(calls[0]), 10 * points);
}

int main(int argc, char **argv)
{
	const struct anechoic_source source = { .cpu = "znver3",
						.isa = "x86_64" };
	char why[ANECHOIC_MESSAGE];
	struct anechoic *core;
	long points;
	int bad;

	if (argc != 3)
		return 2;
	points = strtol(argv[1], NULL, 10);
	bad = sweep_sources(argv[2], points);
	if (anechoic_open(&source, &core, why) != ANECHOIC_OK) {
		printf("%s\n", why);
		return 1;
	}
	bad += sweep_predictions(core, points);
	anechoic_close(core);
	return bad != 0;
}
