/* Budgets on the command line. */
#include "host/base/duration.h"
#include "tests/unit/unit.h"

TEST(budgets_are_times_or_kernels)
{
	static const struct {
		const char *text;
		int code;
		double seconds;
		size_t kernels;
	} rows[] = {
		{ NULL, ERR_OK, 0, 0 },      { "90s", ERR_OK, 90, 0 },
		{ "1.5m", ERR_OK, 90, 0 },   { "2h", ERR_OK, 7200, 0 },
		{ "5000", ERR_OK, 0, 5000 }, { "0", ERR_USAGE, 0, 0 },
		{ "-1s", ERR_USAGE, 0, 0 },  { "nan", ERR_USAGE, 0, 0 },
		{ "1e30", ERR_USAGE, 0, 0 }, { "10 m", ERR_USAGE, 0, 0 },
		{ "", ERR_USAGE, 0, 0 },     { "m", ERR_USAGE, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		double seconds = 0;
		size_t kernels = 0;

		assert_int_equal(
			budget_parse(rows[i].text, &seconds, &kernels, &e),
			rows[i].code);
		assert_float_equal(seconds, rows[i].seconds, 1e-9);
		assert_int_equal(kernels, rows[i].kernels);
	}
}
