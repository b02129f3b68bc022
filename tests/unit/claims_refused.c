/* Ports of a search that does not explain its own random mixes are not used. */
#include "tests/unit/claims_bench.h"

#include <string.h>

EACH(set_up, tear_down);

TEST(ports_with_a_large_error_are_refused)
{
	static const struct {
		double mean;
		size_t n_ports, n_notes;
	} rows[] = { { 0.033, 1, 0 }, { 0.3, 0, 1 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct word found[] = {
			{ "", "width", "", "", 4, 4, "ok" },
			{ "", "error", "", "", .01, rows[i].mean, "ok" },
			{ "", "port", "x", "", 0, 0, "ok" },
			{ "ADD", "ports", "x", "", 1, 1, "ok" },
			{ "ADD", "throughput", "", "", 1, 1, "ok" },
		};
		struct scratch *t = *state;
		struct catalogue *c = NULL;
		struct model m;

		ok(t, catalogue_load(&t->arena, isa_find("riscv64"), NULL, &c,
				     &t->err));
		(void)ports(t, found, ARRAY_LEN(found));
		ok(t, model_from_store(t->s, &t->arena, NULL, c, &m, &t->err));
		assert_int_equal(m.n_ports, rows[i].n_ports);
		assert_int_equal(model_find(&m, "ADD")->has_ports,
				 rows[i].n_ports > 0);
		assert_float_equal(m.width.low, 4, 0);
		assert_int_equal(m.n_notes, rows[i].n_notes);
		if (m.n_notes > 0)
			assert_part(m.notes[0], "off by 30 %");
	}
}
