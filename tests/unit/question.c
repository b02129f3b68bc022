/* Which kernels a form is asked, and what follows. */
#include <math.h>

#include "host/ports/question.h"
#include "tests/unit/unit.h"

enum { STORE, SUBJECT, N_FORMS, PORTS_OF_STORES = 3 };

/* One form of one slot, and one class of stores with two ports. */
struct scene {
	struct arena a;
	struct ports_form forms[N_FORMS];
	struct form_state f[N_FORMS];
	struct ports_oracle oracle;
	struct ports_request q;
	struct ports_answer w;
	struct err e;
	struct saturation_target target;
	struct saturation_result seen;
	double cycles;
	uint32_t subject;
	struct infer in;
	struct saturation s;
	double more; /* cycles of a kernel with the form beyond the stores' */
};

static int measure(void *context, enum ports_phase phase,
		   const struct ports_mix *mixes, size_t n,
		   struct ports_value *ret, struct err *e)
{
	const struct scene *s = context;

	(void)phase;
	(void)e;
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct ports_value){
			.has_value = true,
			.cycles = mixes[i].part[0].count / 2.0 +
				  (mixes[i].n > 1 ? s->more : 0),
			.sigma = 0.0001,
		};
	return ERR_OK;
}

/* A kernel of the stores takes `more` cycles with an instance of the form,
 * which takes `alone` by itself. */
static const struct form_state *ask(struct scene *s, double more, double alone)
{
	enum { N_STORES = 8 };

	s->more = more;
	s->subject = SUBJECT;
	s->oracle = (struct ports_oracle){ .measure = measure, .context = s };
	s->forms[STORE].stores = true;
	s->forms[SUBJECT].stores = true;
	s->q = (struct ports_request){ .forms = s->forms,
				       .n_forms = N_FORMS,
				       .oracle = &s->oracle };
	s->f[SUBJECT] = (struct form_state){ .alone = { true, alone, 0.0015 },
					     .slots = 1,
					     .class_id = PORTS_NONE };
	s->target = (struct saturation_target){
		.ports = PORTS_OF_STORES,
		.n_ports = 2,
		.fill = { .n = 1, .part = { { STORE, N_STORES } } },
	};
	s->seen = (struct saturation_result){ .u = NAN };
	s->in = (struct infer){ .a = &s->a,
				.q = &s->q,
				.w = &s->w,
				.e = &s->e,
				.f = s->f,
				.width = 6,
				.filler = STORE,
				.n_classes = 1 };
	s->in.classes[0].form = STORE;
	s->in.solution.row[0] = PORTS_OF_STORES;
	s->s = (struct saturation){ .in = &s->in,
				    .n_targets = 1,
				    .targets = &s->target,
				    .n_forms = 1,
				    .forms = &s->subject,
				    .seen = &s->seen,
				    .cycles = &s->cycles };
	assert_int_equal(question_ask(&s->s), ERR_OK);
	return &s->f[SUBJECT];
}

TEST(one_uop)
{
	struct scene s = { .cycles = 0 };
	const struct form_state *f = ask(&s, 0.5, 0.5);

	assert_int_equal(f->verdict, PORTS_OK);
	assert_int_equal(f->n_uses, 1);
	assert_true(f->uses[0].n_uops == 1 && f->uses[0].cycles == 1);
	arena_free(&s.a);
}

/* The form alone is twice as fast as what the kernel seems to show. */
TEST(uops_that_exceed_the_time_alone)
{
	struct scene s = { .cycles = 0 };
	const struct form_state *f = ask(&s, 1, 0.5);

	assert_int_not_equal(f->verdict, PORTS_OK);
	assert_true(f->n_uses <= 1);
	arena_free(&s.a);
}

/* A uop that keeps a store port for two cycles, or a store to another line. */
TEST(stores_to_other_lines)
{
	struct scene s = { .cycles = 0 };

	assert_int_equal(ask(&s, 1, 1)->verdict, PORTS_OK);
	s.forms[SUBJECT].stores_apart = true;
	assert_int_equal(ask(&s, 1, 1)->verdict, PORTS_OPEN);
	assert_int_equal(ask(&s, 0.5, 0.5)->verdict, PORTS_OK);
	arena_free(&s.a);
}
