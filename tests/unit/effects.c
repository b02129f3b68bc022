/* The list of effects: what every entry must have, whatever it does. */
#include "host/effect/effect.h"
#include "tests/unit/unit.h"

/* Arrays of models and completions have room for so many. */
TEST(there_is_room_for_all)
{
	size_t n = 0;

	while (effects[n])
		n++;
	assert_in_range(n, 1, EFFECT_MAX);
}

TEST(an_effect_is_found_by_name_number_and_kind)
{
	for (size_t i = 0; effects[i]; i++) {
		const struct effect *x = effects[i];

		assert_ptr_equal(effect_find(x->name), x);
		assert_int_equal(effect_number(x), i);
		assert_ptr_equal(effect_of_kind(effect_kind(x)), x);
	}
	assert_null(effect_find("nothing"));
	assert_null(effect_of_kind(EXPERIMENT_LATENCY));
	assert_null(effect_of_kind(EXPERIMENT_N));
}

/* The word of a kind names one effect, and its claims have a judge. */
TEST(kinds_are_read_back)
{
	for (size_t i = 0; effects[i]; i++) {
		const struct effect *x = effects[i];

		if (!x->kind)
			continue;
		assert_int_equal(experiment_kind_of(x->kind->word,
						    strlen(x->kind->word)),
				 effect_kind(x));
		assert_true(x->kind->rank < EXPERIMENT_N_RANKS);
		if (x->kind->facts & EXPERIMENT_CLAIMED)
			assert_non_null(x->judge);
		if (x->pairs)
			assert_true(x->kind->facts & EXPERIMENT_PAIRED);
	}
}

/* Functions that are of use together only. */
TEST(no_part_is_missing)
{
	for (size_t i = 0; effects[i]; i++) {
		const struct effect *x = effects[i];

		assert_true(!x->judges || x->judge);
		assert_true(!x->note || (x->note->key && x->note->value));
		assert_true(!x->bound || (x->bound->cycles &&
					  x->bound->reason && x->bound->json));
		assert_true(!x->list || x->read_claims);
		assert_true(!x->complete == (x->completed_bytes == 0));
		assert_true(!x->class_of || x->complete);
		for (size_t k = 0; k < i; k++)
			if (x->list && effects[k]->list)
				assert_string_not_equal(x->list->key,
							effects[k]->list->key);
	}
}
