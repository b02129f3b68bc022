/* LLVM's parser executes no directive that reads files, repeats lines or
 * defines macros, whatever the statement starts with. */
#include "host/isa/directive.h"
#include "tests/unit/parse_bench.h"

/* What LLVM takes before a directive, which is the gap (?). */
static const char *const starts[] = {
	"?",          "x: ?",          "\"x\": ?",
	"\"a b\": ?", "1: ?",          "x: \"y\": 2: ?",
	"nop; ?",     "nop\n\t \t?",   "/* a */ ?",
	".L1 : ?",    "$x: ?",         "x:/**/?",
	"nop\r\n?",   ".p2align 4; ?", ".intel_syntax_of_nobody noprefix; ?",
	"x = 1; ?",   "@x: ?",         ".ascii \"a;\\\"\"; ?",
	"\"?\"", /* a quoted name */
};

/* Of x86: parts of a statement that LLVM makes statements of their own. */
static const char *const prefixes[] = {
	"lock ?",         "rep ?",    "lock rep ?", "rex64 ?",
	"data16 lock; ?", "lock / ?", "{vex} ?",
};

static void refused(struct mc_parser *p, const char *start, const char *name)
{
	size_t before = strcspn(start, "?");
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };

	buffer_printf(&b, "%.*s%s%s \"%s/CMakeLists.txt\"\n\tnop\n",
		      (int)before, start, name, start + before + 1,
		      TEST_SOURCE_DIR);
	buffer_add(&b, "", 1);
	if (parse(p, (const char *)b.bytes, 0, &e) != ERR_INPUT)
		fail_msg("not refused: %s", (const char *)b.bytes);
	if (strncmp(e.message, "x.s:", 4) != 0 ||
	    strstr(e.message, "CMakeLists") ||
	    (start == starts[0] && !strstr(e.message, name)))
		fail_msg("%s: %s", (const char *)b.bytes, e.message);
}

static void upper(char *to, const char *from)
{
	for (; *from != '\0'; from++)
		*to++ = *from >= 'a' && *from <= 'z' ? (char)(*from - 32)
						     : *from;
	*to = '\0';
}

static void refused_anywhere(struct mc_parser *p, const char *directive,
			     bool with_prefixes)
{
	char name[64];

	upper(name, directive);
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		refused(p, starts[i], directive);
		refused(p, starts[i], name);
	}
	for (size_t i = 0; with_prefixes && i < ARRAY_LEN(prefixes); i++)
		refused(p, prefixes[i], directive);
}

TEST(directives_are_refused)
{
	static const char *const names[] = { "x86_64", "aarch64", "riscv64" };

	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		struct mc_parser *p = open_parser(names[k]);

		for (const struct refused_directives *d = refused_directives;
		     d->names; d++)
			for (const char *const *x = d->names; *x; x++)
				refused_anywhere(p, *x, k == 0);
		mc_parser_close(p);
	}
}

/* What costs memory or time in an assembler, and what is defined. */
TEST(directives_are_skipped)
{
	static const char *const lines[] = {
		".org 1000000000000",
		".fill 1000000000, 8, 1",
		".space 1 << 40",
		".zero 1 << 40",
		".skip 1000000000",
		".align 1 << 30",
		".p2align 30",
		".ds.x 1000000000",
		".dcb.x 1000000000",
		".nops 1000000000",
		".byte 1/0",
		".long (-9223372036854775807-1)/-1",
		".set x, 1/0",
		"x = 5 / 0",
		".Lx = 5 % 0",
		"\"x y\" = 5/0",
		".equ x, 1/0",
		".bundle_align_mode 30",
		".cfi_def_cfa_offset 1/0",
		".pseudoprobe 1 2 3 4",
		".linker_option \"-x\"",
		".file 1 \"/etc/passwd\"",
		".loc 1 1/0",
		".cv_file 1 \"/etc/passwd\"",
		".arch nonsense",
		".end",
	};

	for (size_t k = 0; k < 2; k++) {
		struct mc_parser *p = open_parser(k ? "aarch64" : "x86_64");

		for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
			char text[200];
			struct err e = { 0 };
			unsigned n = 0;

			(void)snprintf(text, sizeof(text), "x: %s\n\tnop\n",
				       lines[i]);
			if (mc_parse(p,
				     &(struct mc_text){ "x.s", text,
							strlen(text), 0 },
				     count, &n, &e) != ERR_OK)
				fail_msg("%s: %s", lines[i], e.message);
			assert_int_equal(n, 2); /* the label, the nop */
		}
		mc_parser_close(p);
	}
}
