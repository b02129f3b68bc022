/* See shard.h.  The largest groups first, each to the shard with the fewest
 * kernels so far: what is left to balance at the end is small. */
#include "host/campaign/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/experiment/label.h"
#include "host/store/store_kernel.h"

enum { MOST = 9999 };

int shard_parse(const char *text, uint32_t *ret_shard, uint32_t *ret_of,
		struct err *e)
{
	static const char digits[] = "0123456789";
	size_t first = strspn(text, digits);
	size_t second =
		text[first] == '/' ? strspn(text + first + 1, digits) : 0;
	unsigned long shard, of;

	if (first > 0 && first < 5 && second > 0 && second < 5 &&
	    text[first + 1 + second] == '\0') {
		shard = strtoul(text, NULL, 10);
		of = strtoul(text + first + 1, NULL, 10);
		if (shard >= 1 && shard <= of) {
			*ret_shard = (uint32_t)shard;
			*ret_of = (uint32_t)of;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_USAGE,
		       "--shard must be a number and how many there are, such "
		       "as 1/4 to 4/4 and at most %d, not '%s'",
		       MOST, text);
}

/* A kernel, and how many are of the same form. */
struct member {
	const char *form;
	size_t kernel, n_group;
};

static int by_form(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->form, y->form);

	return order ? order : ORDER(x->kernel, y->kernel);
}

static int by_size(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return x->n_group != y->n_group ? ORDER(y->n_group, x->n_group)
					: by_form(a, b);
}

/* The kernels that are no calibration, those of one form side by side, the
 * largest groups first. */
static size_t list_members(struct arena *a, const struct gen *g,
			   struct member *list)
{
	size_t n = 0;

	for (size_t k = 0; k < gen_n_kernels(g); k++) {
		struct kernel_row row;
		struct label l;

		gen_kernel_row(g, k, &row);
		if (row.calib)
			continue;
		list[n++] = (struct member){
			.form = label_split(a, row.label, &l)
					? label_first_form(a, &l)
					: "",
			.kernel = k,
		};
	}
	qsort(list, n, sizeof(*list), by_form);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i;
		     end < n && strcmp(list[end].form, list[i].form) == 0;)
			end++;
		for (size_t k = i; k < end; k++)
			list[k].n_group = end - i;
	}
	qsort(list, n, sizeof(*list), by_size);
	return n;
}

void shard_choose(const struct gen *g, uint32_t shard, uint32_t of, bool *in)
{
	size_t n_kernels = gen_n_kernels(g);
	struct arena a = { 0 };
	struct member *list = ARENA_ARRAY(&a, struct member, n_kernels + 1);
	size_t *load = ARENA_ARRAY(&a, size_t, of);
	size_t n = list_members(&a, g, list);

	memset(load, 0, of * sizeof(*load));
	for (size_t k = 0; k < n_kernels; k++)
		in[k] = true;
	for (size_t i = 0; i < n; i += list[i].n_group) {
		uint32_t least = 0;

		for (uint32_t s = 1; s < of; s++)
			if (load[s] < load[least])
				least = s;
		load[least] += list[i].n_group;
		for (size_t k = i; k < i + list[i].n_group; k++)
			in[list[k].kernel] = least + 1 == shard;
	}
	arena_free(&a);
}
