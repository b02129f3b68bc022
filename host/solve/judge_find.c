/* Records of a run, sorted by their labels: which one is of a form, a kind, a
 * pair of operands. */
#include <math.h>
#include <string.h>

#include "host/solve/judging.h"

int judging_compare_key(const struct record *x, const struct record *y)
{
	const int orders[] = {
		strcmp(x->label.form, y->label.form),
		(int)x->label.kind - (int)y->label.kind,
		strcmp(x->label.source, y->label.source),
		strcmp(x->label.destination, y->label.destination),
	};

	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		if (orders[i] != 0)
			return orders[i];
	return 0;
}

int judging_compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int key = judging_compare_key(x, y);

	if (key != 0)
		return key;
	if (x->label.n_helpers != y->label.n_helpers)
		return x->label.n_helpers < y->label.n_helpers ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Index of the first record that is not below a key. */
static size_t lower_bound(const struct judge *j, const struct record *key)
{
	size_t low = 0, high = j->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (judging_compare_key(&j->records[mid], key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* First record of a key, NULL if there is none. */
static const struct record *judge_find(const struct judge *j,
				       const struct record *key)
{
	size_t at = lower_bound(j, key);

	return at < j->n && judging_compare_key(&j->records[at], key) == 0
		       ? &j->records[at]
		       : NULL;
}

const struct record *judging_form(const struct judge *j,
				  enum experiment_kind kind, const char *form)
{
	struct record key = { .label = { .kind = kind,
					 .form = form,
					 .source = "",
					 .destination = "" } };

	return judge_find(j, &key);
}

const struct record *judging_twin(const struct judge *j, const struct record *r,
				  enum experiment_kind kind)
{
	struct record key = *r;

	key.label.kind = kind;
	return judge_find(j, &key);
}

const struct record *judging_own(const struct judge *j,
				 const struct label_part *part)
{
	struct record key = { .label = { .kind = EXPERIMENT_LATENCY,
					 .form = part->form,
					 .source = part->source,
					 .destination = part->destination } };

	return judge_find(j, &key);
}

size_t judging_all(const struct judge *j, const char *form,
		   const struct record **ret_first)
{
	/* Latencies sort first, and the absent operand sorts before all
	 * others. */
	struct record key = { .label = { .kind = EXPERIMENT_LATENCY,
					 .form = form,
					 .source = "",
					 .destination = "" } };
	size_t at = lower_bound(j, &key), end = at;

	while (end < j->n && strcmp(j->records[end].label.form, form) == 0)
		end++;
	*ret_first = j->records + at;
	return end - at;
}

size_t judging_headed(const struct judge *j, const char *form,
		      const struct record **ret_first)
{
	const char *head = arena_printf(j->a, "%s@", form);
	const size_t n = strlen(head);
	struct record key = { .label = { .kind = EXPERIMENT_LATENCY,
					 .form = head,
					 .source = "",
					 .destination = "" } };
	size_t at = lower_bound(j, &key), end = at;

	while (end < j->n && strncmp(j->records[end].label.form, head, n) == 0)
		end++;
	*ret_first = j->records + at;
	return end - at;
}

size_t judging_count_alike(const struct judge *j, const struct record *r)
{
	size_t n = 1;

	while (r + n < j->records + j->n && judging_compare_key(r, r + n) == 0)
		n++;
	return n;
}

/* The step of "A@1>0+B@1>0" that *steps is at; *steps moves behind it.  NULL:
 * no carrier has it. */
static const struct judge_step *next_step(const struct judge *j,
					  const char **steps)
{
	size_t n = strcspn(*steps, "+");
	const struct judge_step *found = NULL;

	for (size_t i = 0; i < j->n_steps && !found; i++)
		if (strlen(j->steps[i].part->text) == n &&
		    strncmp(j->steps[i].part->text, *steps, n) == 0)
			found = &j->steps[i];
	*steps += n + ((*steps)[n] == '+');
	return found;
}

bool judging_steps(const struct judge *j, const char *steps, double *ret_low,
		   double *ret_high)
{
	double low = 0, high = 0;

	while (*steps) {
		const struct judge_step *step = next_step(j, &steps);

		if (!step || !step->ok)
			return false;
		low += step->low;
		high += step->high;
	}
	*ret_low = low;
	*ret_high = high;
	return true;
}

double judging_steps_most(const struct judge *j, const char *steps)
{
	double most = 0;

	while (*steps) {
		const struct judge_step *step = next_step(j, &steps);

		most += step && step->has_value ? step->high : INFINITY;
	}
	return most;
}
