/* Lists of variants keep everything that the hooks of struct isa add. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "host/isa/catalogue.h"
#include "host/isa/variant.h"

static void a_list_keeps_every_variant(void **state)
{
	enum { MANY = 1000 };
	static struct variant variants[MANY];
	struct variant_list l = { 0 };

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		variant_add(&l, &variants[i]);
	assert_int_equal(l.n, MANY);
	for (size_t i = 0; i < MANY; i++)
		assert_ptr_equal(l.list[i], &variants[i]);
	held_free(l.list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_keeps_every_variant),
	};

	return cmocka_run_group_tests_name("variant_list", tests, NULL, NULL);
}
