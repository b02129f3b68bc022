/* What is shown first exists, in some CPU of its ISA, and can be measured. */
#include "host/isa/match.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

TEST(familiar_forms_are_measurable)
{
	static const char *const names[] = { "x86_64", "aarch64", "riscv64" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct catalogue *c = catalogue_of(names[i]);
		const char *const *list = c->isa->familiar;

		for (const char *const *f = list; *f; f++) {
			assert_status(c, *f, FORM_MEASURABLE);
			assert_true(name_matches_any(list, *f));
		}
		assert_false(name_matches_any(list, "NONE"));
	}
}
