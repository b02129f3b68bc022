/* Lists of variants keep everything that the hooks of struct isa add. */
#include "host/isa/catalogue.h"
#include "host/isa/variant.h"
#include "tests/unit/unit.h"

TEST(a_list_keeps_every_variant)
{
	enum { MANY = 1000 };
	static struct variant variants[MANY];
	struct variant_list l = { 0 };

	for (size_t i = 0; i < MANY; i++)
		variant_add(&l, &variants[i]);
	assert_int_equal(l.n, MANY);
	for (size_t i = 0; i < MANY; i++)
		assert_ptr_equal(l.list[i], &variants[i]);
	held_free(l.list);
}
