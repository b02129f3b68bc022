/* Models of every format from the cache are the models that were stored: no
 * field is lost, and nothing of the process that stored them is left. */
#include "tests/unit/store_scratch.h"

#include <glob.h>

#include "host/base/image.h"
#include "host/codec/source.h"
#include "host/model/complete_image.h"
#include "host/predict/print.h"
#include "host/store/store_claim.h"
#include "tests/unit/predict_world.h"

static const struct {
	const char *isa, *text;
} loops[] = {
	{ "x86_64", "vaddpd (%rdi,%rax), %ymm1, %ymm1\nimulq %rcx, %rbx\n"
		    "vdivsd %xmm2, %xmm3, %xmm3\nmovq %rbx, 8(%rdi)\n"
		    "xorq %rcx, %rdx\nfadd %st(2), %st\naddq $8, %rax\n" },
	{ "aarch64", "ldr x1, [x2, x3]\nmul x4, x4, x1\nfadd d1, d1, d2\n"
		     "str x4, [x5, 8]\nadd x3, x3, 8\n" },
	{ "riscv64", "ld a1, 8(a2)\nmul a3, a3, a1\nfadd.d fa1, fa1, fa2\n"
		     "sd a3, 16(a4)\naddi a2, a2, 8\n" },
};

static const char *text_of(const char *isa)
{
	for (size_t i = 0; i < ARRAY_LEN(loops); i++)
		if (strcmp(loops[i].isa, isa) == 0)
			return loops[i].text;
	fail_msg("no loop for %s", isa);
	return NULL;
}

struct drawer {
	struct arena a;
	char folder[64];
};

static struct drawer drawer_make(void)
{
	struct drawer s = { .folder = "/tmp/anechoic-models-XXXXXX" };

	assert_non_null(mkdtemp(s.folder));
	return s;
}

static void drawer_remove(struct drawer *s)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", s->folder);
	assert_int_equal(system(command), 0);
	arena_free(&s->a);
}

/* The prediction as text and as JSON. */
static const char *predicted(struct arena *a, const struct catalogue *c,
			     struct completion *k)
{
	const struct loop_choice any = { .marker = MARKER_AUTO };
	SCOPED(world_close) struct world w = world_open(c->isa->name);
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };
	const char *ret;

	if (world_find(&w, text_of(c->isa->name), &any, &e) != ERR_OK ||
	    world_predict_on(&w, k, &(struct predict_options){ 0 }, &e) !=
		    ERR_OK)
		fail_msg("%s", e.message);
	print_text(&b, &w.p);
	print_json(&b, &w.p);
	buffer_add(&b, "", 1);
	ret = arena_strdup(a, (const char *)b.bytes);
	return ret;
}

static const char *stored(struct drawer *s, const struct completion *k,
			  const char *name, struct buffer *ret)
{
	const char *path = arena_printf(&s->a, "%s/%s", s->folder, name);
	struct err e = { 0 };
	unsigned char *bytes;
	size_t n;

	if (completion_store(k, path, "key", &e) != ERR_OK ||
	    file_read(&s->a, path, 1 << 28, &bytes, &n, &e) != ERR_OK)
		fail_msg("%s", e.message);
	buffer_add(ret, bytes, n);
	return path;
}

static void assert_same_bytes(const struct buffer *x, const struct buffer *y,
			      const char *what)
{
	size_t i = 0;

	if (x->n != y->n)
		fail_msg("%s: %zu and %zu bytes", what, x->n, y->n);
	while (i < x->n && x->bytes[i] == y->bytes[i])
		i++;
	if (i < x->n)
		fail_msg("%s: differs at byte %zu of %zu", what, i, x->n);
}

static const char *or_nothing(const char *s)
{
	return s ? s : "-";
}

/* The fields that no prediction shows. */
static void assert_same_model(const struct model *x, const struct model *y)
{
	assert_int_equal(x->n_skipped, y->n_skipped);
	assert_int_equal(x->n_entries, y->n_entries);
	assert_string_equal(or_nothing(x->skipped), or_nothing(y->skipped));
	assert_int_equal(x->n_forms, y->n_forms);
	for (size_t i = 0; i < x->n_forms; i++) {
		assert_string_equal(x->forms[i].name, y->forms[i].name);
		assert_string_equal(or_nothing(x->forms[i].values),
				    or_nothing(y->forms[i].values));
		assert_string_equal(or_nothing(x->forms[i].evidence),
				    or_nothing(y->forms[i].evidence));
	}
}

/* Models that were built at two places have the same image, which has no
 * address of either; and the image of a mapped model is the image that was
 * mapped. */
static void check_image(const struct catalogue *c, struct completion *const *k,
			const char *what)
{
	SCOPED(drawer_remove) struct drawer s = drawer_make();
	struct buffer images[3] = { { .n = 0 } };
	const char *path = stored(&s, k[0], "first", &images[0]);
	struct completion *mapped = completion_map(&s.a, c, path, "key");

	(void)stored(&s, k[1], "second", &images[1]);
	assert_same_bytes(&images[0], &images[1], what);
	assert_non_null(mapped);
	(void)stored(&s, mapped, "again", &images[2]);
	assert_same_bytes(&images[0], &images[2], what);
	assert_same_model(completed_model(mapped), completed_model(k[0]));
	assert_string_equal(predicted(&s.a, c, mapped),
			    predicted(&s.a, c, k[0]));
	for (size_t i = 0; i < ARRAY_LEN(images); i++)
		buffer_free(&images[i]);
}

/* False: it is no model. */
static bool check_source(const struct model_source *s, const char *what)
{
	struct arena a[2] = { { 0 }, { 0 } };
	struct completion *k[2];
	const struct isa *isa;
	struct err e = { 0 };
	struct catalogue *c;
	bool good = model_source_isa(&a[0], s, &isa, &e) == ERR_OK;

	if (good) {
		c = load(&a[0], isa->name, NULL);
		for (int i = 0; i < 2 && good; i++)
			good = model_load_completed(&a[i], c, s, &k[i], &e) ==
			       ERR_OK;
		if (good)
			check_image(c, k, what);
		catalogue_free(c);
	}
	for (int i = 0; i < 2; i++)
		arena_free(&a[i]);
	return good;
}

TEST(tables_of_llvm)
{
	static const char *const cpus[][2] = {
		{ "x86_64", "skylake" },      { "x86_64", "znver3" },
		{ "aarch64", "neoverse-v2" }, { "aarch64", "apple-m1" },
		{ "riscv64", "sifive-x280" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		const struct model_source s = { .isa = cpus[i][0],
						.cpu = cpus[i][1] };

		assert_true(check_source(&s, s.cpu));
	}
}

/* Every file that the readers' fuzzers begin with, and every shipped model. */
TEST(files)
{
	static const char *const patterns[] = {
		"tests/fuzz/corpus/osaca/*", "tests/fuzz/corpus/uops/*",
		"tests/fuzz/corpus/winic/*", "tests/fuzz/corpus/model_json/*",
		"models/*.json.xz"
	};

	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		char pattern[512];
		size_t n = 0;
		glob_t g;

		(void)snprintf(pattern, sizeof(pattern), "%s/%s",
			       TEST_SOURCE_DIR, patterns[i]);
		assert_int_equal(glob(pattern, 0, NULL, &g), 0);
		for (size_t k = 0; k < g.gl_pathc; k++) {
			struct model_source s = { .file = g.gl_pathv[k] };
			bool good = check_source(&s, s.file);

			/* WINIC's files do not say what they are of. */
			s.isa = "riscv64";
			n += good || check_source(&s, s.file);
		}
		globfree(&g);
		if (n == 0)
			fail_msg("%s: no model", pattern);
	}
}

/* Its entries say what the operands held and where the values come from, and it
 * has strings of the store's. */
TEST_WITH(database, set_up, tear_down)
{
	static const struct claim rows[] = {
		{ .form = "ADD", .kind = "throughput", .low_cycles = .25 },
		{ .form = "ADD",
		  .kind = "latency",
		  .source = "1",
		  .destination = "0",
		  .low_cycles = 1 },
		{ .form = "FMUL_D",
		  .kind = "latency",
		  .source = "1",
		  .destination = "0",
		  .low_cycles = 4 },
		{ .form = "2xLD+SD", .kind = "mix", .low_cycles = 1.5 },
		{ .form = "SD+LD", .kind = "latency", .low_cycles = 5 },
	};
	struct scratch *t = *state;
	int64_t run = new_run(t);

	ok(t, store_claims_begin(t->s, run, &t->err));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct claim x = rows[i];

		x.run = run;
		x.isa = "riscv64";
		x.board = "fake";
		x.source = x.source ? x.source : "";
		x.destination = x.destination ? x.destination : "";
		x.has_value = true;
		x.high_cycles = x.low_cycles;
		x.verdict = VERDICT_OK;
		x.label = x.detail = "";
		ok(t, store_claim(t->s, &x, &t->err));
	}
	ok(t, store_commit(t->s, &t->err));
	ok(t, store_run_finish(t->s, run, &t->err));
	assert_true(
		check_source(&(struct model_source){ .db = t->path }, t->path));
}
