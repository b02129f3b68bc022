/* lines PROGRAM SHARE N [CPU]: runs a program whose labels say what the block
 * after them accesses (expect.h), and compares all N of them with what was
 * counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/guest/collect.h"
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

static int compare(const struct profile *p, unsigned n_wanted)
{
	unsigned n = 0, wrong = 0;

	for (size_t i = 0; i < p->n_blocks; i++) {
		const struct profile_block *b = &p->blocks[i];
		struct counts want, is = sum(b);

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
	printf("%u blocks, %u expected, %u wrong; %s", n, n_wanted, wrong,
	       p->notes);
	if (p->status || p->signal)
		printf("status %d, signal %d", p->status, p->signal);
	printf("\n");
	return wrong || n != n_wanted || p->status || p->signal || *p->notes;
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

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct arena a = { 0 };
	struct catalogue *c;
	struct guest_run *run;
	struct profile p;
	const struct isa *isa = argc > 3 ? isa_of(argv[1]) : NULL;
	char *const words[] = { argv[1], NULL };

	if (!isa)
		return 2;
	if (catalogue_load(&a, isa, NULL, &c, &e) != ERR_OK ||
	    guest_run(&(struct guest_request){ .c = c,
					       .program = argv[1],
					       .argv = words,
					       .share = argv[2],
					       .guest_cpu = argv[4] },
		      &run, &e) != ERR_OK) {
		printf("%s\n", e.message);
		return 2;
	}
	guest_profile(&a, run, &p);
	guest_close(run);
	catalogue_free(c);
	int ret = compare(&p, (unsigned)atoi(argv[3]));

	arena_free(&a);
	return ret;
}
