/* The CPU that a machine's features name, whatever a hypervisor says it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/isa/mc.h"

static void expect_cpu(const char *named, const char *features,
		       const char *expected)
{
	char cpu[100];

	mc_nearest_cpu("x86_64-unknown-linux-gnu", named, features, cpu,
		       sizeof(cpu));
	assert_string_equal(cpu, expected);
}

/* What a hypervisor hides is no reason to name another CPU. */
static void test_hidden_features(void **state)
{
	(void)state;
	expect_cpu("sapphirerapids", "+avx512fp16,-amx-tile,-amx-int8,-pku",
		   "sapphirerapids");
	expect_cpu("znver5", "+avx512f,-pku,-shstk", "znver5");
	expect_cpu("znver5", "", "znver5");
}

/* An Emerald Rapids whose hypervisor hides eleven features and shows one, RTM,
 * that LLVM's CPU lacks: every other CPU lacks more. */
static void test_one_more_feature(void **state)
{
	(void)state;
	expect_cpu(
		"sapphirerapids",
		"+rtm,+avx512fp16,+avx512bf16,+avxvnni,+serialize,+cldemote,"
		"+tsxldtrk,+movdiri,+movdir64b,+avx512f,+avx512vl,-ptwrite,"
		"-amx-int8,-uintr,-amx-tile,-amx-bf16,-pku,-wbnoinvd,-enqcmd,"
		"-pconfig,-shstk,-waitpkg",
		"sapphirerapids");
}

/* A server with AVX-512 FP16 that is said to be a Rocket Lake.  LLVM's
 * Emerald and Sapphire Rapids have the same features; the first in its table
 * is taken. */
static void test_other_model(void **state)
{
	(void)state;
	expect_cpu("rocketlake",
		   "+avx512fp16,+avx512bf16,+avxvnni,+serialize,+cldemote,"
		   "+tsxldtrk,+movdiri,+movdir64b,+avx512f,+avx512vl,+amx-tile,"
		   "+amx-int8,+amx-bf16,-amx-fp16,-prefetchi,-shstk",
		   "emeraldrapids");
}

/* Features that LLVM does not know do not count. */
static void test_unknown_feature(void **state)
{
	(void)state;
	expect_cpu("haswell", "+avx2,+no-such-feature", "haswell");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hidden_features),
		cmocka_unit_test(test_one_more_feature),
		cmocka_unit_test(test_other_model),
		cmocka_unit_test(test_unknown_feature),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
