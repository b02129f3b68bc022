/* Uses of a form from what its saturation kernels showed. */
#include "host/ports/saturation.h"
#include "tests/unit/unit.h"

enum { STORE, SUBJECT, N_FORMS, PORTS_OF_STORES = 3 };

/* One form of one slot, and one class of stores with two ports. */
struct scene {
	struct arena a;
	struct ports_form forms[N_FORMS];
	struct form_state f[N_FORMS];
	struct ports_request q;
	struct saturation_target target;
	struct saturation_result seen;
	double cycles;
	uint32_t subject;
	struct infer in;
	struct saturation w;
};

/* A kernel of the stores takes `more` cycles with an instance of the form,
 * which takes `alone` by itself. */
static void derive(struct scene *s, double more, double alone)
{
	enum { N_STORES = 8 };

	s->subject = SUBJECT;
	s->forms[STORE].stores = true;
	s->forms[SUBJECT].stores = true;
	s->q = (struct ports_request){ .forms = s->forms, .n_forms = N_FORMS };
	s->f[SUBJECT] = (struct form_state){ .alone = { true, alone, 0.0015 },
					     .slots = 1,
					     .class_id = PORTS_NONE };
	s->target = (struct saturation_target){
		.ports = PORTS_OF_STORES,
		.n_ports = 2,
		.is_class = true,
		.fill = { .n = 1, .part = { { STORE, N_STORES } } },
	};
	s->seen = (struct saturation_result){ .u = 2 * more,
					      .grains = 1,
					      .sure = true };
	s->in = (struct infer){ .a = &s->a,
				.q = &s->q,
				.f = s->f,
				.width = 6,
				.filler = STORE,
				.n_classes = 1 };
	s->in.classes[0].form = STORE;
	s->in.solution.row[0] = PORTS_OF_STORES;
	s->w = (struct saturation){ .in = &s->in,
				    .n_targets = 1,
				    .targets = &s->target,
				    .n_forms = 1,
				    .forms = &s->subject,
				    .seen = &s->seen,
				    .cycles = &s->cycles };
	(void)saturation_derive_uses(&s->w, 0, false);
}

TEST(one_uop)
{
	struct scene s = { .cycles = 0 };
	const struct form_state *f = &s.f[SUBJECT];

	derive(&s, 0.5, 0.5);
	assert_int_equal(f->verdict, PORTS_OK);
	assert_int_equal(f->n_uses, 1);
	assert_true(f->uses[0].n_uops == 1 && f->uses[0].cycles == 1);
	arena_free(&s.a);
}

/* The form alone is twice as fast as what the kernel seems to show. */
TEST(uops_that_exceed_the_time_alone)
{
	struct scene s = { .cycles = 0 };

	derive(&s, 1, 0.5);
	assert_int_equal(s.f[SUBJECT].verdict, PORTS_UNSURE);
	arena_free(&s.a);
}

/* A uop that keeps a store port for two cycles, or a store to another line. */
TEST(stores_to_other_lines)
{
	struct scene s = { .cycles = 0 };

	derive(&s, 1, 1);
	assert_int_equal(s.f[SUBJECT].verdict, PORTS_OK);
	s.forms[SUBJECT].stores_apart = true;
	derive(&s, 1, 1);
	assert_int_equal(s.f[SUBJECT].verdict, PORTS_OPEN);
	derive(&s, 0.5, 0.5);
	assert_int_equal(s.f[SUBJECT].verdict, PORTS_OK);
	arena_free(&s.a);
}
