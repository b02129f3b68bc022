/* See kinds.h. */
#include "host/experiment/kinds.h"

#include <stdint.h>
#include <string.h>

static const struct {
	const char *word, *claim;
	uint8_t rank, facts;
} kinds[EXPERIMENT_N] = {
#define EXPERIMENT_ROW(name, word, claim, rank, facts) \
	[EXPERIMENT_##name] = { word, claim, rank, facts },
	EXPERIMENT_KINDS(EXPERIMENT_ROW)
#undef EXPERIMENT_ROW
};

/* The rank of a mix with an address that has an index: it counts slots. */
enum { SLOTS_RANK = 2 };

enum experiment_kind experiment_kind_of(const char *word, size_t n)
{
	enum experiment_kind kind = 0;

	while (kind < EXPERIMENT_N && (strlen(kinds[kind].word) != n ||
				       strncmp(kinds[kind].word, word, n) != 0))
		kind++;
	return kind;
}

const char *experiment_kind_word(enum experiment_kind kind)
{
	return kinds[kind].word;
}

const char *experiment_claim_word(enum experiment_kind kind)
{
	return kinds[kind].claim;
}

bool experiment_kind_is(enum experiment_kind kind, enum experiment_facts fact)
{
	return kind < EXPERIMENT_N && (kinds[kind].facts & fact) != 0;
}

unsigned experiment_rank(const char *label)
{
	enum experiment_kind kind =
		experiment_kind_of(label, strcspn(label, ":"));

	if (kind == EXPERIMENT_N)
		return EXPERIMENT_N_RANKS - 1;
	if (kind == EXPERIMENT_MIX && strstr(label, "/index+"))
		return SLOTS_RANK;
	return kinds[kind].rank;
}
