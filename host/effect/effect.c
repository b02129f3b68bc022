/* See effect.h. */
#include "host/effect/effect.h"

#include <assert.h>
#include <string.h>

size_t effect_number(const struct effect *x)
{
	size_t i = 0;

	while (effects[i] != x)
		i++;
	assert(i < EFFECT_MAX);
	return i;
}

const struct effect *effect_find(const char *name)
{
	size_t i = 0;

	while (effects[i] && strcmp(effects[i]->name, name) != 0)
		i++;
	return effects[i];
}

enum experiment_kind effect_kind(const struct effect *x)
{
	return (enum experiment_kind)(EXPERIMENT_N_CORE + effect_number(x));
}

const struct effect *effect_of_kind(enum experiment_kind kind)
{
	size_t i = 0;

	if (kind < EXPERIMENT_N_CORE || kind >= EXPERIMENT_N)
		return NULL;
	while (effects[i] && EXPERIMENT_N_CORE + i < kind)
		i++;
	return effects[i];
}
