/* See board_check.h. */
#include "host/cli/board_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/identity.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"

/* A field that INFO must have, and what the run's INFO says of it. */
struct wanted_field {
	const char *key, *value;
	bool found;
	char is[64];
};

static int look_up(void *context, const char *key, const char *value,
		   struct err *e)
{
	struct wanted_field *w = context;

	(void)e;
	if (strcmp(key, w->key) == 0) {
		w->found = true;
		(void)snprintf(w->is, sizeof(w->is), "%s", value);
	}
	return ERR_OK;
}

/* Equal words, or equal numbers: 0x10000000 is 268435456. */
static bool is_equal(const char *a, const char *b)
{
	char *end_a, *end_b;
	unsigned long long x = strtoull(a, &end_a, 0);
	unsigned long long y = strtoull(b, &end_b, 0);
	bool numbers = end_a != a && end_b != b && !*end_a && !*end_b;

	return numbers ? x == y : strcmp(a, b) == 0;
}

/* The board's `info`. */
static int check_info(struct store *s, struct arena *a, int64_t run,
		      const struct board *b, struct err *e)
{
	char *at = arena_strdup(a, b->info);

	for (char *next; at && *at; at = next) {
		struct wanted_field w = { .key = at };

		next = at + strcspn(at, ",");
		if (*next)
			*next++ = '\0';
		at[strcspn(at, "=")] = '\0';
		w.value = at + strlen(at) + 1;
		if (store_envs(s, run, look_up, &w, e) != ERR_OK)
			break;
		if (!w.found || !is_equal(w.is, w.value))
			printf("warning: INFO has %s%s%s, but %s says %s=%s: "
			       "correct 'info' there, or this is another "
			       "board\n",
			       w.found ? w.key : "no ", w.found ? "=" : w.key,
			       w.is, b->path, w.key, w.value);
	}
	return e->code;
}

/* LLVM's CPU of the run, against the numbers of its core. */
static int check_cpu(struct store *s, struct arena *a, int64_t run,
		     const struct board *b, struct err *e)
{
	const struct known_core *is;
	struct known_cores facts;
	struct core_id core;
	struct run r;
	const char *cpu;
	bool from_file;

	if (strcmp(b->cpu, "native") == 0)
		return ERR_OK;
	if (store_run_get(s, a, run, &r, e) != ERR_OK ||
	    store_run_core(s, a, run, &core, e) != ERR_OK)
		return e->code;
	cpu = arena_printf(a, "%.*s", (int)strcspn(r.cpu, ","), r.cpu);
	from_file = strcmp(cpu, b->cpu) == 0;
	facts = facts_read(a);
	if (!facts_contradict(a, &facts, core.core, cpu))
		return ERR_OK;
	is = facts_of_run(a, &facts, core.core);
	printf("warning: INFO's core is %s%s%s%s, but %s%s says cpu=%s: %s, or "
	       "this is another board\n",
	       core.core, is ? " (" : "", is ? is->name : "", is ? ")" : "",
	       from_file ? "" : "--cpu of ", from_file ? b->path : "the run",
	       cpu, from_file ? "correct 'cpu' there" : "pass the right --cpu");
	return ERR_OK;
}

static int check_image(struct store *s, int64_t run, const struct board *b,
		       struct err *e)
{
	struct wanted_field w = { .key = "image_board" };

	if (store_envs(s, run, look_up, &w, e) == ERR_OK && w.found &&
	    strcmp(w.is, b->name) != 0)
		printf("warning: the board runs an image that was made for "
		       "board '%s', not for '%s'\n",
		       w.is, b->name);
	return e->code;
}

int board_check(struct store *s, int64_t run, const struct board *b,
		struct err *e)
{
	struct arena a = { 0 };

	if (check_info(s, &a, run, b, e) == ERR_OK &&
	    check_cpu(s, &a, run, b, e) == ERR_OK)
		(void)check_image(s, run, b, e);
	arena_free(&a);
	return e->code;
}
