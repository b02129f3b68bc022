/* Memory images, and catalogues and models in the user's cache directory: what
 * comes from there is what was built, and nothing damaged, stale or foreign
 * does. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/base/cache.h"
#include "host/base/image.h"
#include "host/codec/source.h"
#include "host/isa/catalogue_image.h"
#include "host/isa/variant.h"
#include "host/predict/print.h"
#include "tests/unit/cache_folder.h"
#include "tests/unit/predict_world.h"

/* ---- images ------------------------------------------------------------ */

struct node {
	const char *name;
	const struct node *next;
	const int *constant;
	const double *item;
	const uint32_t *list;
	uint32_t n;
};

IMAGE_TYPE(node_type, struct node, 48);

static const int constants[3] = { 1, 2, 3 };

/* Two nodes that point to each other. */
static void write_nodes(struct arena *a, const char *path)
{
	static const uint32_t list[] = { 7, 8, 9 };
	struct node nodes[2] = {
		{ "first", NULL, &constants[2], NULL, list, 3 },
		{ "second", NULL, NULL, NULL, NULL, 0 },
	};
	struct image_writer *w = image_begin(a);
	struct err e = { 0 };
	size_t at, numbers, second = sizeof(*nodes);

	assert_non_null(w);
	nodes[0].next = &nodes[1];
	nodes[1].next = &nodes[0];
	assert_true(image_add(w, nodes, 2, &node_type, &at));
	for (int i = 0; i < 2; i++) {
		size_t node = at + i * second;

		image_string(w, node + offsetof(struct node, name),
			     nodes[i].name);
		image_link(w, node + offsetof(struct node, next),
			   nodes[i].next);
		image_link(w, node + offsetof(struct node, constant),
			   nodes[i].constant);
	}
	image_link_item(w, at + offsetof(struct node, item), 1);
	assert_true(image_share(w, list, ARRAY_LEN(list), IMAGE_PLAIN(*list),
				&numbers));
	image_link_offset(w, at + offsetof(struct node, list), numbers);
	assert_false(image_add(w, nodes, 2, &node_type, &numbers));
	assert_int_equal(image_write(w, path, "a key", at, &e), ERR_OK);
}

static const double items[2] = { 0.5, 1.5 };
static const struct image_items reader = { items, sizeof(*items), 2 };

static const struct node *map_nodes(struct arena *a, const char *path)
{
	return image_map(a, path, "a key", sizeof(struct node), &reader);
}

TEST(image)
{
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	const char *path = arena_printf(&a, "%s/x.image", f.path);
	const struct image_items one = { items, sizeof(*items), 1 };
	const struct node *x;

	assert_null(map_nodes(&a, path));
	write_nodes(&a, path);
	x = map_nodes(&a, path);
	assert_non_null(x);
	assert_string_equal(x->name, "first");
	assert_string_equal(x->next->name, "second");
	assert_ptr_equal(x->next->next, x);
	assert_ptr_equal(x->constant, &constants[2]);
	assert_ptr_equal(x->item, &items[1]);
	assert_null(x->next->constant);
	assert_int_equal(x->list[2], 9);
	assert_null(image_map(&a, path, "another", sizeof(*x), &reader));
	assert_null(image_map(&a, path, "a key", sizeof(*x), &one));
	assert_null(image_map(&a, path, "a key", 1 << 20, &reader));
}

/* No byte can change, and none can be missing. */
TEST(damaged_image)
{
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	const char *path = arena_printf(&a, "%s/x.image", f.path);
	unsigned char *bytes;
	struct err e = { 0 };
	size_t n;

	write_nodes(&a, path);
	assert_int_equal(file_read(&a, path, 1 << 20, &bytes, &n, &e), ERR_OK);
	for (size_t i = 0; i < n; i++) {
		bytes[i] ^= 0x10;
		assert_int_equal(file_write(path, bytes, n, &e), ERR_OK);
		assert_int_equal(chmod(path, 0600), 0);
		if (map_nodes(&a, path))
			fail_msg("byte %zu of %zu changed unseen", i, n);
		bytes[i] ^= 0x10;
	}
	for (size_t i = 0; i < n; i += 7) {
		assert_int_equal(file_write(path, bytes, i, &e), ERR_OK);
		assert_int_equal(chmod(path, 0600), 0);
		assert_null(map_nodes(&a, path));
	}
	assert_int_equal(file_write(path, bytes, n, &e), ERR_OK);
	assert_int_equal(chmod(path, 0600), 0);
	assert_non_null(map_nodes(&a, path));
	assert_int_equal(chmod(path, 0622), 0);
	assert_null(map_nodes(&a, path));
}

TEST(pointer_out_of_image)
{
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	struct image_writer *w = image_begin(&a);
	struct node x = { .next = arena_alloc(&a, 1, sizeof(x)) };
	struct err e = { 0 };
	size_t at;

	(void)image_add(w, &x, 1, &node_type, &at);
	image_link(w, at + offsetof(struct node, next), x.next);
	assert_int_equal(
		image_write(w, arena_printf(&a, "%s/x", f.path), "k", at, &e),
		ERR_SYSTEM);
}

/* ---- the directory ----------------------------------------------------- */

TEST(switched_off)
{
	struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };

	assert_int_equal(setenv("ANECHOIC_NO_CACHE", "1", 1), 0);
	assert_null(cache_path(&a, "model x"));
	assert_int_equal(unsetenv("ANECHOIC_NO_CACHE"), 0);
	assert_int_equal(rmdir(f.path), 0); /* nothing was made */
	assert_int_equal(setenv("XDG_CACHE_HOME", "/proc/nowhere", 1), 0);
	assert_null(cache_path(&a, "model x"));
}

/* The files that were used last stay, and foreign files do. */
TEST(trim)
{
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	const char *path = cache_path(&a, "model x");
	const char *foreign = arena_printf(&a, "%s/anechoic/notes", f.path);
	struct err e = { 0 };

	assert_non_null(path);
	for (int i = 0; i < 2 * CACHE_MAX_FILES; i++) {
		struct timespec times[2] = { { .tv_sec = 1000 + i },
					     { .tv_sec = 1000 + i } };
		const char *name =
			arena_printf(&a, "%s/anechoic/%d.image", f.path, i);

		assert_int_equal(file_write(name, "x", 1, &e), ERR_OK);
		assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
	}
	assert_int_equal(file_write(foreign, "x", 1, &e), ERR_OK);
	cache_touch(arena_printf(&a, "%s/anechoic/0.image", f.path));
	cache_trim(path);
	for (int i = 0; i < 2 * CACHE_MAX_FILES; i++)
		assert_int_equal(access(arena_printf(&a, "%s/anechoic/%d.image",
						     f.path, i),
					F_OK) == 0,
				 i == 0 || i > CACHE_MAX_FILES);
	assert_int_equal(access(foreign, F_OK), 0);
}

static const char *identity(struct arena *a, const char *path, bool *ret_good)
{
	SCOPED(buffer_free) struct buffer key = { 0 };
	const char *text;

	*ret_good = cache_identify(&key, path);
	buffer_add(&key, "", 1);
	text = arena_strdup(a, (const char *)key.bytes);
	return text;
}

/* Databases are told by SQLite's counter, other files by their times, which
 * must have settled. */
TEST(identity)
{
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	const char *path = arena_printf(&a, "%s/x", f.path), *before;
	struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char db[100] = "SQLite format 3";
	struct err e = { 0 };
	bool good;

	(void)identity(&a, path, &good);
	assert_false(good);
	assert_int_equal(file_write(path, "ab", 2, &e), ERR_OK);
	(void)identity(&a, path, &good);
	assert_false(good);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	before = identity(&a, path, &good);
	assert_true(good);
	old[1].tv_nsec = 1;
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	assert_string_not_equal(before, identity(&a, path, &good));
	db[27] = 1;
	assert_int_equal(file_write(path, db, sizeof(db), &e), ERR_OK);
	before = identity(&a, path, &good);
	assert_true(good);
	db[27] = 2;
	assert_int_equal(file_write(path, db, sizeof(db), &e), ERR_OK);
	assert_string_not_equal(before, identity(&a, path, &good));
}

/* ---- catalogues and models --------------------------------------------- */

static void assert_same_form(const struct catalogue *c, const struct form *x,
			     const struct form *y)
{
	assert_string_equal(x->name, y->name);
	assert_string_equal(x->mnemonic, y->mnemonic);
	assert_string_equal(x->example, y->example);
	assert_int_equal(x->opcode, y->opcode);
	assert_int_equal(x->status, y->status);
	assert_int_equal(x->n_operands, y->n_operands);
	for (size_t i = 0; i < x->n_operands; i++) {
		struct operand is = x->operands[i], was = y->operands[i];

		IMAGE_CLEAR_PADDING(&is);
		IMAGE_CLEAR_PADDING(&was);
		assert_memory_equal(&is, &was, sizeof(is));
	}
	assert_int_equal(x->variant == NULL, y->variant == NULL);
	if (x->variant) {
		assert_string_equal(x->variant->suffix, y->variant->suffix);
		assert_int_equal(x->variant->vector_type,
				 y->variant->vector_type);
		assert_ptr_equal(x->variant->unchained, y->variant->unchained);
	}
	/* Constant variants keep their address. */
	if (x->variant && form_family(x) != FAMILY_VECTOR &&
	    !strchr(x->name, ','))
		assert_ptr_equal(x->variant, y->variant);
	(void)c;
}

TEST(catalogue)
{
	static const char *const names[] = { "x86_64", "aarch64", "riscv64" };
	SCOPED(folder_remove) struct folder f = folder_make();

	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct catalogue *built = load(&a, names[k], NULL), *c[2];
		struct err e = { 0 };

		for (int i = 0; i < 2; i++)
			assert_ok(catalogue_open(&a, isa_find(names[k]), true,
						 &c[i], &e),
				  &e);
		/* The second one was not built. */
		assert_ptr_not_equal(c[1]->forms, built->forms);
		assert_ptr_equal(c[1]->isa, built->isa);
		assert_string_equal(c[1]->cpu, built->cpu);
		assert_int_equal(c[1]->n_forms, built->n_forms);
		for (size_t i = 0; i < built->n_forms; i++)
			assert_same_form(built, &built->forms[i],
					 &c[1]->forms[i]);
		assert_int_equal(c[1]->n_regs, built->n_regs);
		for (size_t i = 0; i < built->n_regs; i++)
			assert_string_equal(c[1]->regs[i].name,
					    built->regs[i].name);
		for (size_t i = 0; i < built->n_classes; i++)
			assert_memory_equal(c[1]->classes[i].regs,
					    built->classes[i].regs,
					    built->classes[i].n_regs * 2);
		assert_memory_equal(c[1]->by_opcode, built->by_opcode,
				    built->n_opcodes * sizeof(uint32_t));
		catalogue_free(c[1]);
		catalogue_free(built);
	}
}

static const char *predicted(struct arena *a, const struct model_source *s,
			     bool cached)
{
	static const char text[] = "vaddpd (%rdi,%rax), %ymm1, %ymm1\n"
				   "imulq %rcx, %rbx\nvdivsd %xmm2, %xmm3, "
				   "%xmm3\nmovq %rbx, 8(%rdi)\naddq $8, %rax\n";
	struct world w = { .source = { 0 } };
	const struct loop_choice any = { .marker = MARKER_AUTO };
	struct completion *k = NULL;
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };
	const char *ret;

	if (model_open(&w.a, s, cached, &w.c, &k, &e) != ERR_OK ||
	    mc_parser_open(w.c->isa->triple, w.c->isa->default_cpu,
			   w.c->isa->features, &w.parser, &e) != ERR_OK)
		fail_msg("%s", e.message);
	if (world_find(&w, text, &any, &e) != ERR_OK ||
	    world_predict_on(&w, k, &(struct predict_options){ 0 }, &e) !=
		    ERR_OK)
		fail_msg("%s", e.message);
	print_json(&b, &w.p);
	buffer_add(&b, "", 1);
	ret = arena_strdup(a, (const char *)b.bytes);
	mc_parser_close(w.parser);
	catalogue_free(w.c);
	arena_free(&w.a);
	return ret;
}

/* The only file of the cache whose name begins so. */
static const char *cached_file(struct arena *a, const struct folder *f,
			       const char *begin)
{
	const char *path = arena_printf(a, "%s/anechoic", f->path), *ret = NULL;
	DIR *d = opendir(path);
	const struct dirent *x;

	assert_non_null(d);
	while ((x = readdir(d)) != NULL)
		if (strncmp(x->d_name, begin, strlen(begin)) == 0)
			ret = arena_printf(a, "%s/%s", path, x->d_name);
	(void)closedir(d);
	assert_non_null(ret);
	return ret;
}

/* The same prediction without the cache, into it, from it, and after each of
 * its files was damaged. */
TEST(model)
{
	static const char *const files[] = { "catalogue", "model" };
	const struct model_source s = { .cpu = "skylake", .isa = "x86_64" };
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	const char *plain = predicted(&a, &s, false);
	struct err e = { 0 };

	assert_int_equal(access(arena_printf(&a, "%s/anechoic", f.path), F_OK),
			 -1);
	assert_string_equal(predicted(&a, &s, true), plain);
	assert_string_equal(predicted(&a, &s, true), plain);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		const char *path = cached_file(&a, &f, files[i]);
		unsigned char *bytes, *again;
		size_t n, m;

		assert_ok(file_read(&a, path, 1 << 28, &bytes, &n, &e), &e);
		bytes[n / 2] ^= 1;
		assert_int_equal(file_write(path, bytes, n, &e), ERR_OK);
		assert_string_equal(predicted(&a, &s, true), plain);
		/* It was written again. */
		assert_ok(file_read(&a, path, 1 << 28, &again, &m, &e), &e);
		bytes[n / 2] ^= 1;
		assert_int_equal(m, n);
		assert_int_equal(again[n / 2], bytes[n / 2]);
	}
}

/* A model file that changes is read again. */
TEST(stale_model)
{
	static const char *const texts[] = { "skylake", "znver4" };
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
	const char *path = arena_printf(&a, "%s/m.json", f.path);
	const struct model_source s = { .file = path, .isa = "x86_64" };
	const char *plain[2];

	for (int i = 0; i < 2; i++) {
		struct timespec t[2] = { { .tv_sec = 1000 + i },
					 { .tv_sec = 1000 + i } };
		const char *text = arena_printf(
			&a,
			"{\"format\": \"anechoic model 1\", \"isa\": "
			"\"x86_64\", \"cpu\": \"generic\", \"source\": "
			"\"%s\", \"width\": [%d, 6], \"ports\": [], "
			"\"forms\": []}",
			texts[i], 4 + i);
		struct err e = { 0 };

		assert_ok(file_write(path, text, strlen(text), &e), &e);
		assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
		plain[i] = predicted(&a, &s, false);
		assert_string_equal(predicted(&a, &s, true), plain[i]);
		assert_string_equal(predicted(&a, &s, true), plain[i]);
	}
	assert_string_not_equal(plain[0], plain[1]);
}
