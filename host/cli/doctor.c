/* anechoic doctor: what is here, what works, what is missing and which package
 * has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/board.h"
#include "host/cli/cli.h"
#include "host/isa/isa.h"
#include "host/link/link.h"

/* Is a program on PATH, or a file where its path says? */
static bool have_program(struct arena *a, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	while (path && *path) {
		size_t n = strcspn(path, ":");
		char *full = arena_printf(a, "%.*s/%s", (int)n, path, name);

		if (access(full, X_OK) == 0)
			return true;
		path += n + (path[n] == ':');
	}
	return false;
}

static void line(bool good, const char *what, const char *advice)
{
	printf("  %-4s %s%s%s\n", good ? "ok" : "--", what, good ? "" : ": ",
	       good ? "" : advice);
}

static void check_isas(struct arena *a)
{
	printf("instruction sets\n");
	for (size_t i = 0; isas[i]; i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct catalogue *c;
		const char *cpu = isas[i] == isa_native() ? "native" : NULL;

		if (catalogue_load(a, isas[i], cpu, &c, &e) != ERR_OK) {
			line(false, isas[i]->name, e.message);
			continue;
		}

		size_t n = 0;

		for (size_t k = 0; k < c->n_forms; k++)
			n += c->forms[k].status == FORM_MEASURABLE;
		line(true,
		     arena_printf(a, "%-8s %zu forms, %zu measurable (%s)",
				  isas[i]->name, c->n_forms, n,
				  c->cpu ? c->cpu : "any CPU"),
		     "");
		catalogue_free(c);
	}
}

/* What a board lacks here, in words, or NULL. */
static const char *board_lacks(struct arena *a, const struct board *b)
{
	char *program = arena_strdup(a, b->command);
	char *runtime;

	program[strcspn(program, " ")] = '\0';
	if (*program && *program != '@' && !have_program(a, program))
		return arena_printf(a, "%s, of package %s", program,
				    b->package);
	if (*b->firmware && access(b->firmware, R_OK) != 0)
		return arena_printf(a, "%s, of package %s", b->firmware,
				    b->package);
	if (!*b->runtime || strcmp(b->runtime, "none") == 0)
		return NULL;
	runtime = share_path(a, arena_printf(a, "runtime/%s", b->runtime));
	if (access(runtime, R_OK) != 0)
		return arena_printf(a, "%s, which `make build` makes", runtime);
	return NULL;
}

static int check_boards(struct arena *a, struct err *e)
{
	struct board *boards;
	size_t n;

	if (boards_read(a, share_path(a, "boards"), &boards, &n, e) != ERR_OK)
		return e->code;
	printf("boards\n");
	for (size_t i = 0; i < n; i++) {
		const struct board *b = &boards[i];
		const char *lacks = board_lacks(a, b);
		bool link = transport_find(b->transport) != NULL;

		line(!lacks,
		     arena_printf(a, "%-14s %-8s %s", b->name, b->isa,
				  link ? b->transport
				       : "by image and log only"),
		     lacks ? lacks : "");
	}
	return ERR_OK;
}

static int run(const struct options *o, struct err *e)
{
	struct arena a = { 0 };

	(void)o;
	printf("anechoic %s\n", ANECHOIC_VERSION);
	check_isas(&a);
	(void)check_boards(&a, e);
	arena_free(&a);
	return e->code;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary =
		"say what is installed, what works here, and what is missing",
	.takes = "",
	.needs = "",
	.describe = "A line marked '--' names what is missing and the Debian "
		    "package that has it.",
	.run = run,
};
