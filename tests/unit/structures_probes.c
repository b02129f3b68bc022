/* Each probe of structures is code of each instruction set. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "host/campaign/campaign.h"
#include "host/campaign/snippet.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "host/structures/chases.h"
#include "tests/unit/catalogue_load.h"

static void encode(struct campaign *c, struct mc_parser *parser,
		   struct core_probe p)
{
	struct snippet code;
	struct err e = { .code = ERR_OK };

	p.chain = chases_probe(65536, 64).chain;
	if (!probe_exists(c, p.kind))
		return;
	if (probe_code(c, parser, &p, &code, &e) != ERR_OK)
		print_error("%s, kind %u, n %u\n", c->isa->name,
			    (unsigned)p.kind, (unsigned)p.n);
	assert_ok(e.code, &e);
	assert_true(code.gen.n > 0);
	assert_true(probe_per_body(c, &p) > 0);
}

static void encode_all(const char *isa, const char *cpu)
{
	/* Powers of two, for the kinds that need one. */
	static const uint32_t numbers[] = { 16, 64, 1024 };
	struct campaign c = { .isa = isa_find(isa) };
	struct mc_parser *parser = NULL;
	struct err e = { .code = ERR_OK };

	assert_ok(catalogue_load(&c.arena, c.isa, cpu, &c.catalogue, &e), &e);
	assert_ok(mc_parser_open(c.isa->triple, c.isa->default_cpu,
				 c.isa->features, &parser, &e),
		  &e);
	for (enum probe_kind k = 0; k < PROBE_N_KINDS; k++) {
		if (k == PROBE_FORWARD)
			for (uint32_t n = 0; n < FORWARD_N; n++)
				encode(&c, parser,
				       (struct core_probe){ .kind = k,
							    .n = n });
		for (size_t i = 0; k != PROBE_FORWARD && i < ARRAY_LEN(numbers);
		     i++)
			encode(&c, parser,
			       (struct core_probe){
				       .kind = k,
				       .n = k == PROBE_ALIAS ? 8
							     : numbers[i] });
	}
	mc_parser_close(parser);
	catalogue_free(c.catalogue);
	arena_free(&c.arena);
}

TEST(probes_are_code_of_x86)
{
	encode_all("x86_64", "znver4");
}

TEST(probes_are_code_of_aarch64)
{
	encode_all("aarch64", "neoverse-n1");
}

TEST(probes_are_code_of_riscv)
{
	encode_all("riscv64", "spacemit-x60");
}

/* Three codes of 1, 2 and 3 parts go on through a sequence: each place of it that a
 * code comes to is one. */
TEST(a_pattern_is_learned_by_each_length)
{
	enum { FIRST = 1024 * 16, MOST = 1 << 17, ROWS = 64 };
	bool *seen = calloc(PACK_LENGTHS, MOST);

	for (uint32_t n = 1 << 9; n <= MOST; n *= 2) {
		uint64_t at = 0, all = 0;

		memset(seen, 0, (size_t)PACK_LENGTHS * MOST);
		for (uint32_t row = 0; row < ROWS; row++)
			for (uint32_t k = 0; k < PACK_LENGTHS; k++)
				for (uint32_t i = 0; i < FIRST * (k + 1); i++) {
					bool *one = &seen[k * MOST + at++ % n];

					all += !*one;
					*one = true;
				}
		assert_int_equal(probe_pattern_entries(n), all);
	}
	free(seen);
}
