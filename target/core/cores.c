/* See cores.h. */
#include "target/core/cores.h"

#include "target/boot.h"
#include "target/core/options.h"

enum {
	MAX_KINDS = 16,
	RANGES_BYTES = 256,
};

static struct {
	bool has_begun, is_asked;
	uint64_t asked, before;
	size_t at; /* of the machine's list */
	size_t n_kinds;
	uint64_t kinds[MAX_KINDS];
} cores;

static bool has_many(void)
{
	uint64_t wanted = options()->core;

	return wanted == OPTIONS_ALL || wanted == OPTIONS_EACH_KIND;
}

/* The first core comes first. */
static uint64_t begin(void)
{
	uint64_t wanted = options()->core;

	cores.has_begun = true;
	return has_many() || wanted == OPTIONS_ANY ? boot_first_core() : wanted;
}

/* The next core of the list, which was not the first one; BOOT_NO_CORE: none. */
static uint64_t in_list(void)
{
	uint64_t core = boot_core_at(cores.at);

	if (core == boot_first_core() && core != BOOT_NO_CORE)
		core = boot_core_at(++cores.at);
	return core;
}

bool cores_next(uint64_t *ret)
{
	if (cores.is_asked) {
		*ret = cores.asked;
		cores.asked = cores.before;
		cores.before = boot_first_core();
		return true;
	}
	if (!cores.has_begun) {
		*ret = begin();
		return true;
	}
	*ret = has_many() ? in_list() : BOOT_NO_CORE;
	cores.at++;
	return *ret != BOOT_NO_CORE;
}

bool cores_leave_out(void)
{
	uint64_t kind;

	if (options()->core != OPTIONS_EACH_KIND || cores.is_asked)
		return false;
	kind = boot_core_kind();
	for (size_t i = 0; i < cores.n_kinds; i++)
		if (cores.kinds[i] == kind)
			return true;
	if (cores.n_kinds < MAX_KINDS)
		cores.kinds[cores.n_kinds++] = kind;
	return false;
}

bool cores_is_last(void)
{
	return !has_many() || in_list() == BOOT_NO_CORE;
}

void cores_ask(uint64_t core)
{
	cores.is_asked = true;
	cores.before = boot_core();
	cores.asked = core;
}

/* ---- INFO ---------------------------------------------------------------- */

static char *put_number(char *to, uint64_t n)
{
	char digits[20];
	size_t i = 0;

	do
		digits[i++] = (char)('0' + n % 10);
	while (n /= 10);
	while (i > 0)
		*to++ = digits[--i];
	return to;
}

/* "0-3,8": as many ranges as fit. */
static void put_ranges(char *to, const char *end)
{
	enum { RANGE_BYTES = 44 }; /* a comma, two numbers, a dash, the 0 */
	const char *begin = to;

	for (size_t i = 0; boot_core_at(i) != BOOT_NO_CORE; i++) {
		uint64_t from = boot_core_at(i), last = from;

		if (end - to < RANGE_BYTES)
			break;
		while (boot_core_at(i + 1) == last + 1) {
			last++;
			i++;
		}
		if (to != begin)
			*to++ = ',';
		to = put_number(to, from);
		if (last != from) {
			*to++ = '-';
			to = put_number(to, last);
		}
	}
	*to = '\0';
}

void cores_describe(struct wire_line *w)
{
	char ranges[RANGES_BYTES] = "";

	if (boot_core() == BOOT_NO_CORE)
		return;
	wire_u64(w, "core", boot_core());
	if (boot_core_at(1) == BOOT_NO_CORE)
		return;
	put_ranges(ranges, ranges + sizeof(ranges));
	wire_word(w, "cores", ranges);
	wire_hex(w, "kind", boot_core_kind());
	if (boot_core() != boot_first_core())
		wire_u64(w, "first_core", boot_first_core());
}

void cores_mark(struct wire_line *w)
{
	if (boot_core() != boot_first_core())
		wire_u64(w, "core", boot_core());
}
