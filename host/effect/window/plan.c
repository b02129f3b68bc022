/* Chains with fillers that show the sizes of buffers; judge.c evaluates
 * them. */
#include "host/effect/window/window.h"

#include <stdio.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/isa/windows.h"

extern const struct effect effect_window;

/* Instances in a group: a chain's delay must be less than a group takes. */
enum { OF_A_GROUP = 4 };

/* Fillers in a group.  Each number gives the buffer's size to within one of
 * itself, all together to within a few; a large buffer takes many, a small one
 * few. */
static const uint16_t loads[] = { 3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
				  14, 16, 18, 20, 22, 25, 28, 32, 36, 0 };
static const uint16_t all[] = { 6,  8,  10, 12, 14, 16, 18, 21, 24, 28, 32,
				36, 40, 45, 50, 56, 62, 70, 78, 88, 98, 0 };

static bool parse_chain(const struct catalogue *c, struct experiment *ret)
{
	const struct isa_windows *w = c->isa->windows;
	struct err unknown = { .code = ERR_OK };
	char label[PACK_MAX_LABEL];

	if (!w)
		return false;
	(void)snprintf(label, sizeof(label), "window:%dx%s", OF_A_GROUP,
		       w->chain);
	return experiment_parse(c, label, ret, &unknown) == ERR_OK &&
	       ret->steps[0].form->status == FORM_MEASURABLE;
}

/* The forms of "A+B", as helpers. */
static bool add_fillers(const struct catalogue *c, const char *names,
			struct experiment *x)
{
	char name[PACK_MAX_LABEL];

	while (*names != '\0') {
		size_t n = strcspn(names, "+");
		const struct form *f;

		(void)snprintf(name, sizeof(name), "%.*s", (int)n, names);
		f = catalogue_form(c, name);
		if (!f || f->status != FORM_MEASURABLE ||
		    x->n_steps == EXPERIMENT_MAX_STEPS)
			return false;
		x->steps[x->n_steps++] = (struct experiment_step){
			.form = f, .src = -1, .dst = -1, .helper = true
		};
		names += n + (names[n] == '+');
	}
	return true;
}

/* The time of a filler alone, once for each form. */
static void add_alone(const struct effect_plan *p,
		      const struct isa_window *list)
{
	const struct form *known[EXPERIMENT_MAX_STEPS];
	size_t n = 0, seen;

	for (const struct isa_window *w = list; w->buffer; w++) {
		struct experiment x = { .n_steps = 0 };

		(void)add_fillers(p->catalogue, w->fillers, &x);
		for (size_t s = 0; s < x.n_steps; s++) {
			struct experiment alone = { .kind = EXPERIMENT_CONTROL,
						    .n_steps = 1,
						    .steps[0] = x.steps[s] };

			for (seen = 0; seen < n; seen++)
				if (known[seen] == x.steps[s].form)
					break;
			if (seen < n || n == ARRAY_LEN(known))
				continue;
			known[n++] = x.steps[s].form;
			alone.steps[0].helper = false;
			alone.steps[0].count = 1;
			p->add(p->context, &alone);
		}
	}
}

/* `n` in all; the forms named first have one more. */
static void share(struct experiment *x, uint16_t n)
{
	size_t kinds = x->n_steps - 1;

	for (size_t s = 0; s < kinds; s++)
		x->steps[1 + s].count = (uint16_t)((n + kinds - 1 - s) / kinds);
}

/* Chains of the ISA's form alone, then with several numbers of fillers of
 * each kind.  Experiments whose forms the catalogue lacks are left out. */
static void plan(const struct effect_plan *p)
{
	const struct catalogue *c = p->catalogue;
	struct experiment chain;

	if (!p->thorough || !p->latencies || !parse_chain(c, &chain) ||
	    !p->is_chosen(p->choice, chain.steps[0].form))
		return;
	p->add(p->context, &chain);
	add_alone(p, c->isa->windows->list);
	for (const struct isa_window *w = c->isa->windows->list; w->buffer;
	     w++) {
		const uint16_t *n =
			strcmp(w->buffer, ISA_LOAD_BUFFER) == 0 ? loads : all;
		struct experiment x = chain;

		for (; add_fillers(c, w->fillers, &x) && *n > 0; n++) {
			share(&x, *n);
			p->add(p->context, &x);
			x.n_steps = chain.n_steps;
		}
	}
}

static const struct experiment_row kind = { "window", "window", 2,
					    EXPERIMENT_WAITS |
						    EXPERIMENT_JUDGED |
						    EXPERIMENT_CUT_GROUPS };

const struct effect effect_window = {
	.name = "window",
	.kind = &kind,
	.plan = plan,
	.judge_core = window_judge,
};
