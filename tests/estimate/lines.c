/* lines PROGRAM SHARE N CPU [END [NOTE [ARG]]]: runs a program whose labels
 * say what the block after them accesses (expect.inc), and compares all N of them
 * with what was counted.  END: how the program must end, "status 0"; NOTE: must
 * be in the profile's notes, which must be empty without it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/guest/collect.h"
#include "host/guest/functions.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"

struct counts {
	unsigned long long executions, lines, bytes;
};

static struct counts sum(const struct profile_block *b)
{
	struct counts n = { 0 };

	for (uint32_t i = 0; i < b->n_accesses; i++) {
		n.executions += b->accesses[i].executions;
		n.lines += b->accesses[i].lines;
		n.bytes += b->accesses[i].bytes;
	}
	return n;
}

/* The numbers of a label; false for another label. */
static bool expected(const struct profile_block *b, struct counts *ret)
{
	return b->symbol && b->symbol_offset == 0 &&
	       sscanf(b->symbol, "lines_%llu_%llu_%llu_", &ret->executions,
		      &ret->lines, &ret->bytes) == 3;
}

/* Did it end as it must, and are the notes those that must be? */
static bool ended(const struct profile *p, const char *end, const char *note)
{
	char is[64];

	(void)snprintf(is, sizeof(is), "%s %d", p->signal ? "signal" : "status",
		       p->signal ? p->signal : p->status);
	if (strcmp(is, end) == 0 && (*note != '\0') == (*p->notes != '\0') &&
	    strstr(p->notes, note))
		return true;
	printf("%s, not %s; notes: %s\n", is, end, p->notes);
	return false;
}

/* Is it as a label for lanes says?  False for another label. */
static bool is_lanes(const struct profile_block *b, bool *ret_wrong)
{
	unsigned vectors, known, share;
	double is =
		b->n_lanes_known ? 1000 * b->lane_shares / b->n_lanes_known : 0;

	if (!b->symbol || b->symbol_offset != 0 ||
	    sscanf(b->symbol, "lanes_%u_%u_%u_", &vectors, &known, &share) != 3)
		return false;
	*ret_wrong = vectors != b->n_vector || known != b->n_lanes_known ||
		     is < share - 1.0 || is > share + 1.0;
	if (*ret_wrong)
		printf("%s: %u vector instructions, %u known, %.1f / 1000\n",
		       b->symbol, b->n_vector, b->n_lanes_known, is);
	return true;
}

static int compare(const struct profile *p, unsigned n_wanted)
{
	unsigned n = 0, wrong = 0;

	for (size_t i = 0; i < p->n_blocks; i++) {
		const struct profile_block *b = &p->blocks[i];
		struct counts want, is = sum(b);
		bool lanes_wrong;

		if (is_lanes(b, &lanes_wrong)) {
			n++;
			wrong += lanes_wrong;
			continue;
		}
		if (!expected(b, &want))
			continue;
		n++;
		if (memcmp(&want, &is, sizeof(is)) == 0)
			continue;
		wrong++;
		printf("%s at %llx: %llu executions, %llu lines, %llu bytes\n",
		       b->symbol, (unsigned long long)b->address, is.executions,
		       is.lines, is.bytes);
	}
	printf("%u blocks, %u expected, %u wrong\n", n, n_wanted, wrong);
	return wrong || n != n_wanted;
}

static const struct isa *isa_of(const char *path)
{
	unsigned char start[64] = { 0 };
	FILE *f = fopen(path, "rbe");
	size_t n = f ? fread(start, 1, sizeof(start), f) : 0;

	if (f)
		(void)fclose(f);
	return guest_isa(start, n);
}

/* Guests that count functions alone. */
static const char *const names[] = { "region", "other" };

static bool has_functions(const char *kind)
{
	return strcmp(kind, "function") == 0 || strcmp(kind, "jump") == 0;
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct arena a = { 0 };
	struct catalogue *c;
	struct guest_run *run;
	struct profile p;
	const struct isa *isa = argc > 4 ? isa_of(argv[1]) : NULL;
	const char *end = argc > 5 ? argv[5] : "status 0";
	const char *note = argc > 6 ? argv[6] : "";
	char *words[] = { argv[1], argc > 7 ? argv[7] : NULL, NULL };
	const char *kind = argc > 7 ? argv[7] : "";
	struct guest_functions *functions = NULL;
	int ret;

	if (!isa)
		return 2;
	/* Descriptors of the program that runs the tests are not the guest's. */
	(void)close_range(3, UINT_MAX, 0);
	if (has_functions(kind) &&
	    functions_find(&a, argv[1], names, 2, &functions, &e) != ERR_OK) {
		printf("%s\n", e.message);
		return 2;
	}
	if (catalogue_load(&a, isa, NULL, &c, &e) != ERR_OK ||
	    guest_run(&(struct guest_request){ .c = c,
					       .program = argv[1],
					       .argv = words,
					       .share = argv[2],
					       .accesses = true,
					       .functions = functions,
					       .marked = strcmp(kind,
								"marked") == 0,
					       .guest_cpu = argv[4] },
		      &run, &e) != ERR_OK) {
		printf("%s\n", e.message);
		return 2;
	}
	guest_profile(&a, run, &p);
	guest_close(run);
	catalogue_free(c);
	ret = compare(&p, (unsigned)atoi(argv[3]));
	if (!ended(&p, end, note))
		ret = 1;
	arena_free(&a);
	return ret;
}
