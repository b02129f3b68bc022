/* Verdicts in words; see verdict.h. */
#include "host/store/verdict.h"

#include <string.h>

#include "common/types.h"

static const struct {
	const char *verdict, *meaning;
} meanings[] = {
	{ "ok", "visits agree and the line is straight" },
	{ "two-states", "the kernel runs at two speeds, both are given" },
	{ "mixture", "a mean: instances take different times" },
	{ "throughput-bound", "the chain is not slower than the throughput" },
	{ "circle", "part of a sum: lower here means higher in its partners" },
	{ "contradiction", "sums that cannot all be true, no value" },
	{ "no-chain", "the next form does not depend on the source" },
	{ "eliminated", "renamed away, or never executed" },
	{ "helper", "with and without the helpers that cut a dependency" },
	{ "register-bound", "too few registers to keep the units busy" },
	{ "dependent", "instances wait for each other, with no helper" },
	{ "decode-bound",
	  "the decoder may be the limit; a cache may be faster" },
	{ "no-control", "no control proves that this is a chain" },
	{ "open", "other ports agree as well with its times" },
	{ "unsure", "its times fit no whole numbers of uops" },
	{ "closes", "other forms have fewer ports while it runs" },
	{ "misfit", "most mixes with it are off by more than 10 %" },
	{ "noisy", "fewer than two undisturbed visits, not published" },
	{ "unstable", "visits disagree without a pattern, not published" },
	{ "not-linear", "the three lengths are not on a line: a bound" },
	{ "implausible", "not above zero, or faster than any core" },
	{ "missing", "no samples arrived" },
	{ "company", "something else ran in every sample" },
	{ "no-calibration", "the ticks of a cycle are not known" },
	{ "bad-data", "impossible samples or lengths" },
};

const char *verdict_meaning(const char *verdict)
{
	for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
		if (strcmp(meanings[i].verdict, verdict) == 0)
			return meanings[i].meaning;
	return strncmp(verdict, "fault:", 6) == 0 ? "the core stopped at it"
						  : "see docs/method.md";
}

bool verdict_is(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
		if (strcmp(meanings[i].verdict, word) == 0)
			return true;
	return strncmp(word, "fault:", 6) == 0;
}
