/* Model files of a megabyte that are made to take long: nested, repeated, with
 * many names. Each ends with a message or a model, in time that grows with the
 * text. A reader whose time grows with its square takes minutes. */
#include <time.h>

#include "host/base/csv.h"
#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

enum { MEGABYTE = 1 << 20, MOST_SECONDS = 20 };

#define OSACA                                                               \
	"isa: riscv\nports: ['0']\nload_throughput: []\nstore_throughput: " \
	"[]\n"                                                              \
	"instruction_forms:\n"
#define ENTRY "{name: add, operands: [], port_pressure: [[1, '0']]}"

static const struct hostile {
	const char *what, *reader;
	/* The text: before, then n times middle with '@' as a number, up to a
	 * megabyte, then after. */
	const char *before, *middle, *after;
	const char *says; /* of the message; NULL: any, or none */
} cases[] = {
	{ "brackets", "osaca", OSACA "- ", "[", "", ":6: expected at most 32" },
	{ "closed brackets", "osaca", OSACA "- ", "[ ]", "", NULL },
	{ "braces", "osaca", OSACA "- ", "{a: ", "", "expected at most 32" },
	{ "maps in blocks", "osaca", OSACA "- ", "? ", "", "at most 32" },
	{ "lists in blocks", "osaca", OSACA, "- ", "", "at most 32 nested" },
	{ "anchors", "osaca", OSACA, "- &a@ x\n", "", "1024 anchors" },
	{ "aliases", "osaca", OSACA "- &a " ENTRY "\n", "- *a\n", "",
	  "1048576 values that aliases" },
	{ "directives", "osaca", "", "%TAG !t@! tag:x\n",
	  "---\n" OSACA "- " ENTRY "\n", ":65: expected at most 64" },
	{ "entries", "osaca", OSACA, "- " ENTRY "\n", "", NULL },
	{ "names", "osaca", OSACA "- {operands: [], name: [", "add, ",
	  "add], throughput: 1}", NULL },
	{ "keys", "osaca", OSACA "- {", "k@: 1, ", "name: add}\n", NULL },
	{ "a long key", "osaca", OSACA "- {", "key",
	  ": 1, name: add, throughput: 1}\n", NULL },
	{ "ports", "osaca", OSACA "- {name: add, port_pressure: [", "[1, '0'],",
	  "[1, '0']]}\n", NULL },
	{ "letters of ports", "osaca",
	  OSACA "- {name: add, port_pressure: [[1, '", "0", "']]}\n", NULL },
	{ "LLVM's names", "osaca",
	  OSACA "- {name: add, throughput: 1, llvm_name: '", "ADD ", "'}\n",
	  NULL },
	{ "brackets", "winic", "- llvmName: ADD\n  x: ", "[", "",
	  "at most 32 nested" },
	{ "documents", "winic", "", "---\n[]\n", "", NULL },
	{ "instructions", "winic", "",
	  "- {llvmName: ADD, throughputMin: 1, throughputMax: 1}\n", "", NULL },
	{ "aliases", "winic", "- &a {llvmName: ADD}\n", "- *a\n", "", NULL },
	{ "elements", "uops", "<root>", "<a>", "", "at most 32 nested" },
	{ "attributes", "uops", "<root><instruction ", "a@='1' ", "/></root>",
	  NULL },
	{ "the same attribute", "uops", "<root><instruction ", "a='1' ",
	  "/></root>", "duplicate attribute" },
	{ "a long attribute", "uops", "<root><instruction iform='", "ADD",
	  "'/></root>", NULL },
	{ "entities", "uops", "<!DOCTYPE r [<!ENTITY a0 'x'>",
	  "<!ENTITY a@ '&a0;&a0;'>", "]><r>&a9;</r>", "no document type" },
	{ "architectures", "uops", "<root><instruction iform='ADD'>",
	  "<architecture name='c@'></architecture>", "</instruction></root>",
	  NULL },
	{ "latencies", "uops",
	  "<root><instruction iform='ADD'><architecture name='c'><measurement "
	  "TP_unrolled='1'>",
	  "<latency start_op='2' target_op='1' cycles='1'/>",
	  "</measurement></architecture></instruction></root>", NULL },
	{ "ports", "uops",
	  "<root><instruction iform='ADD'><architecture name='c'><measurement "
	  "TP_unrolled='1' ports='1*p0",
	  "+1*p0", "'/></architecture></instruction></root>", NULL },
	{ "brackets", "model", "{\"format\": ", "[", "", "expected" },
	{ "brackets of no key", "model", "{\"forms\": ", "[", "", "expected" },
	{ "keys", "model", "{", "\"k@\": 1,", "\"isa\": \"riscv64\"}",
	  "unknown or repeated key" },
	{ "a long string", "model", "{\"format\": \"", "\\u0041", "\"}", NULL },
	{ "forms", "model",
	  "{\"format\": \"anechoic model 1\", \"isa\": \"riscv64\", \"cpu\": \"x\", "
	  "\"source\": \"x\", \"ports\": [], \"forms\": [",
	  "{\"name\": \"ADD\"},", "{\"name\": \"LD\"}]}", NULL },
};

static void add_text(struct buffer *b, const struct hostile *x)
{
	buffer_printf(b, "%s", x->before);
	for (unsigned n = 1; b->n < MEGABYTE; n++) {
		const char *at = strchr(x->middle, '@');

		if (at)
			buffer_printf(b, "%.*s%u%s", (int)(at - x->middle),
				      x->middle, n, at + 1);
		else
			buffer_printf(b, "%s", x->middle);
	}
	buffer_printf(b, "%s", x->after);
	buffer_add(b, "", 1);
}

/* Seconds of the processor, which other programs do not change. */
static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void read_case(const struct catalogue *c, const struct hostile *x)
{
	const struct importer *reader = importer(x->reader);
	SCOPED(arena_free) struct arena a = { 0 };
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct model *m;
	struct err e = { 0 };
	const char *isa = NULL;
	struct import_text text = { .path = "x" };
	double from;

	add_text(&b, x);
	from = seconds();
	text.text = (const char *)b.bytes;
	text.n = b.n - 1;
	(void)reader->is(text.text, text.n);
	if (reader->isa)
		(void)reader->isa(&a, &text, &isa, &e);
	e = (struct err){ 0 };
	(void)reader->read(&a, c, &text, &m, &e);
	if (x->says && !strstr(e.message, x->says))
		fail_msg("%s of %s: '%s', expected '%s'", x->what, x->reader,
			 e.message, x->says);
	if (e.code != ERR_OK && e.message[0] == '\0')
		fail_msg("%s of %s: no message", x->what, x->reader);
	if (seconds() - from > MOST_SECONDS)
		fail_msg("%s of %s: %.0f s", x->what, x->reader,
			 seconds() - from);
}

TEST(models)
{
	struct catalogue *c = catalogue_of("riscv64");

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		read_case(c, &cases[i]);
}

/* Below the limits of nesting and of anchors a file is read as before. */
TEST(aliases_are_read)
{
	static const char text[] =
		OSACA "- &a {name: add, operands: [], throughput: 2,\n"
		      "  port_pressure: &p [[1, '0']]}\n"
		      "- {name: sub, operands: [], port_pressure: *p}\n- *a\n";
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const struct model *m = read_text(&w, "osaca", text);

	assert_int_equal(m->n_entries, 3);
	assert_int_equal(m->n_skipped, 0);
}

/* Rows of one long field, and of many. */
TEST(csv)
{
	static const char *const middles[] = { "\"\"", "a", ",", "\n",
					       "a,b\n" };
	static const char *const names[] = { "a", "b" };

	for (size_t i = 0; i < ARRAY_LEN(middles); i++) {
		struct hostile x = { .before = "a,b\n\"",
				     .middle = middles[i],
				     .after = "\",1\n" };
		SCOPED(arena_free) struct arena a = { 0 };
		SCOPED(buffer_free) struct buffer b = { 0 };
		struct err e = { 0 };
		double from = seconds();
		size_t places[2];
		bool more = true;
		struct csv r;

		add_text(&b, &x);
		csv_begin(&r, &a, "x", (const char *)b.bytes, b.n - 1, &e);
		assert_int_equal(csv_header(&r, names, 2, places), ERR_OK);
		while (more && csv_next(&r, &more) == ERR_OK)
			;
		assert_true(seconds() - from < MOST_SECONDS);
	}
}
