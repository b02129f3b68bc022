/* What is compared with a chain: broken chains with its helpers, and the chain
 * through one register. */
#include "tests/unit/judge_bench.h"
#include "tests/unit/unit.h"

EACH_NEW(struct judge_bench, judge_end);

/* The halves of a bent line bound the cost of a chain only if it shows. */
TEST(bent_chain_has_controls)
{
	struct judge_bench *b = *state;

	judge_add(b, "latency:A@1>0", 4, 4.4)->estimate.state =
		VERDICT_NOT_LINEAR;
	(void)judge_add(b, "control:A@1>0", 1, 1);
	judge_add(b, "latency:B@1>0", 4, 4.4)->estimate.state =
		VERDICT_NOT_LINEAR;
	(void)judge_add(b, "control:B@1>0", 4, 4);
	judge_add(b, "latency:C@1>0", 0.25, 0.5)->estimate.state =
		VERDICT_NOT_LINEAR;
	judge_claims(b, 0, "A", "not-linear", 4, 4.4);
	judge_claims(b, 1, "B", "throughput-bound", 1, 4.4);
	judge_claims(b, 2, "C", "eliminated", 0.25, 0.5);
}

/* A chain with another helper is compared with its instances and this
 * helper. */
TEST_ON(controls_have_the_same_helpers, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0+~H", 6, 6);
	(void)judge_add(b, "latency:A@1>0+~G", 3, 3);
	(void)judge_add(b, "throughput:A+~H", 3, 3);
	(void)judge_add(b, "throughput:A+~G", 1, 1);
	judge_claims(b, 0, "A", "ok", 3, 3);
}

/* A chain through two operands is known only with one through one register. */
TEST_ON(joint_chain_without_value, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 3, 3);
	(void)judge_add(b, "joint:A@1>0", 0, -1);
	(void)judge_add(b, "throughput:A", 0.5, 0.5);
	(void)judge_add(b, "latency:B@1>0", 3, 3);
	(void)judge_add(b, "joint:B@1>0", 2, 2);
	(void)judge_add(b, "throughput:B", 0.5, 0.5);
	(void)judge_add(b, "latency:C@1>0", 3, 3);
	(void)judge_add(b, "joint:C@1>0", 2, 3);
	(void)judge_add(b, "throughput:C", 0.5, 0.5);
	judge_claims(b, 0, "A", "no-control", 1, 3);
	judge_claims(b, 2, "B", "ok", 2, 2);
	judge_claims(b, 4, "C", "no-control", 2, 3);
}
