/* Members of classes where slots are unknown.
 *
 * A form of two uops, one of which can use only the ports of a class, has the
 * rate of that class and is no faster together with it.  Where slots are
 * known, the second uop shows as a slot.  Where they are not, kernels that
 * saturate the ports of the other classes show it: a single uop of the class
 * is confined to none of them. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/cells.h"
#include "host/ports/saturation.h"

/* Members that say something about their class. */
enum { FEWEST = 3 };

static bool is_member(const struct infer *in, uint32_t form)
{
	int32_t c = in->f[form].class_id;

	return c != PORTS_NONE && !in->classes[c].out &&
	       in->classes[c].form != form;
}

bool saturation_is_checked(const struct infer *in, uint32_t form)
{
	return in->filler == PORTS_NONE && is_member(in, form);
}

/* Sets of rows as bits.  Rows that contain the ports of the class, or are
 * contained in them, show in the rate or in the kernels of classes.c. */
static uint64_t rows_to_cover(const struct infer *in, int32_t class_id)
{
	model_ports own = in->solution.row[class_id];
	uint64_t ret = 0;

	for (size_t r = 0; r < in->n_classes; r++) {
		model_ports row = in->solution.row[r];

		if (!in->classes[r].out && row != 0 && (own & ~row) != 0 &&
		    (row & ~own) != 0)
			ret |= (uint64_t)1 << r;
	}
	return ret;
}

static uint64_t rows_within(const struct infer *in, model_ports ports)
{
	uint64_t ret = 0;

	for (size_t r = 0; r < in->n_classes; r++)
		if (!in->classes[r].out && (in->solution.row[r] & ~ports) == 0)
			ret |= (uint64_t)1 << r;
	return ret;
}

/* The fewest targets, found greedily, that saturate every row to cover and do
 * not contain the ports of the class.  Returns how many. */
static size_t choose_targets(const struct saturation *w, int32_t class_id,
			     size_t ret[PORTS_MAX_CLASSES])
{
	const struct infer *in = w->in;
	model_ports own = in->solution.row[class_id];
	uint64_t left = rows_to_cover(in, class_id);
	size_t n = 0;

	while (left != 0) {
		size_t best = w->n_targets;
		int most = 0;

		for (size_t t = 0; t < w->n_targets; t++) {
			const struct saturation_target *to = &w->targets[t];
			int covers = __builtin_popcountll(
				rows_within(in, to->ports) & left);

			if ((own & ~to->ports) == 0 || covers <= most ||
			    to->n_ports * (1 + infer_uneven) > in->width)
				continue;
			most = covers;
			best = t;
		}
		if (most == 0)
			break;
		left &= ~rows_within(in, w->targets[best].ports);
		ret[n++] = best;
	}
	return n;
}

static bool has_others(const struct saturation *w, size_t i)
{
	for (size_t t = 0; t < w->n_targets; t++)
		if (isfinite(w->seen[i * w->n_targets + t].u) &&
		    w->seen[i * w->n_targets + t].u >= cells_some)
			return true;
	return false;
}

/* A member with uops on other ports leaves its class.  If at least half have
 * such uops, the matrix is wrong about the class: nothing is certain then. */
static void judge_members(struct saturation *w, bool *wanted)
{
	struct infer *in = w->in;
	size_t n[PORTS_MAX_CLASSES] = { 0 }, failed[PORTS_MAX_CLASSES] = { 0 };

	for (size_t i = 0; i < w->n_forms; i++) {
		int32_t c = in->f[w->forms[i]].class_id;

		if (!saturation_is_checked(in, w->forms[i]))
			continue;
		n[c]++;
		failed[c] += has_others(w, i);
	}
	for (size_t c = 0; c < in->n_classes; c++)
		in->classes[c].doubted |=
			n[c] >= FEWEST && 2 * failed[c] >= n[c];
	for (size_t i = 0; i < w->n_forms; i++) {
		struct form_state *f = &in->f[w->forms[i]];

		if (!saturation_is_checked(in, w->forms[i]) ||
		    in->classes[f->class_id].doubted || !has_others(w, i))
			continue;
		wanted[i] = true;
		f->class_id = PORTS_NONE;
	}
}

int saturation_check_members(struct saturation *w, bool *wanted)
{
	struct infer *in = w->in;
	struct saturation_job *jobs = ARENA_ARRAY(
		in->a, struct saturation_job, w->n_forms * PORTS_MAX_CLASSES);
	size_t n = 0;

	for (size_t i = 0; i < w->n_forms; i++) {
		size_t targets[PORTS_MAX_CLASSES], n_targets;

		if (!saturation_is_checked(in, w->forms[i]))
			continue;
		wanted[i] = false;
		n_targets =
			choose_targets(w, in->f[w->forms[i]].class_id, targets);
		for (size_t t = 0; t < n_targets; t++) {
			struct saturation_job j = { .form = i,
						    .target = targets[t] };

			if (saturation_plan(w, &j))
				jobs[n++] = j;
		}
	}
	if (saturation_run(w, jobs, n) != ERR_OK)
		return in->e->code;
	judge_members(w, wanted);
	return ERR_OK;
}
