/* pack_check(): every rule has a row that breaks it and nothing else. */
#include "tests/unit/pack_maker.h"
#include "tests/unit/unit.h"

static const struct pack_maker_kernel kernels[] = {
	{ .label = "throughput:A" },
	{ .label = "latency:B@1>0" },
	{ .label = "calibrate:C", .flags = PACK_KERNEL_CALIB },
};

static void *make(void)
{
	const struct pack_maker m = {
		.isa = PACK_ISA_RISCV64,
		.n = ARRAY_LEN(kernels),
		.kernels = kernels,
	};

	return pack_maker_make(&m);
}

static size_t bytes_of(const void *p)
{
	return pack_header(p)->total_bytes;
}

/* One field of the pack set to a value that breaks a rule. */
enum where { HEADER, KERNEL, IMAGE, IN_LABELS };

static const struct rule {
	const char *name;
	enum where where; /* `at` counts from here; KERNEL is the last one */
	size_t at, n;
	uint64_t value;
	int error;
	bool seal;
} rules[] = {
#define H(field, v, e, s) \
	HEADER, offsetof(struct pack_header, field), sizeof(uint32_t), v, e, s
#define K(field, i, v)                                                     \
	KERNEL,                                                            \
		offsetof(struct pack_kernel, field) +                      \
			(i) * sizeof(((struct pack_kernel *)0)->field[0]), \
		sizeof(((struct pack_kernel *)0)->field[0]), v,            \
		PACK_BAD_KERNEL, true
#define K1(field, v)                                                          \
	KERNEL, offsetof(struct pack_kernel, field),                          \
		sizeof(((struct pack_kernel *)0)->field), v, PACK_BAD_KERNEL, \
		true
#define I(field, v)                                                         \
	IMAGE, offsetof(struct pack_image, field),                          \
		sizeof(((struct pack_image *)0)->field), v, PACK_BAD_IMAGE, \
		true
	{ "magic", H(magic, 0x41414141, PACK_BAD_MAGIC, true) },
	{ "last byte of the magic", HEADER, 7, 1, 'X', PACK_BAD_MAGIC, true },
	{ "version 0", H(version, 0, PACK_BAD_VERSION, true) },
	{ "version 1", H(version, 1, PACK_BAD_VERSION, true) },
	{ "checksum", H(sum, 1, PACK_BAD_SUM, false) },
	{ "byte under the checksum", H(ready_ms, 7, PACK_BAD_SUM, false) },
	{ "isa 0", H(isa, 0, PACK_BAD_ISA, true) },
	{ "isa 4", H(isa, 4, PACK_BAD_ISA, true) },
	{ "total beyond the file",
	  H(total_bytes, 1 << 20, PACK_TRUNCATED, false) },
	{ "total beyond the limit",
	  H(total_bytes, PACK_MAX_BYTES + 1, PACK_BAD_LIMIT, false) },
	{ "total inside the header",
	  H(total_bytes, 111, PACK_BAD_LIMIT, false) },
	{ "no kernels", H(n_kernels, 0, PACK_BAD_LIMIT, true) },
	{ "too many kernels",
	  H(n_kernels, PACK_MAX_KERNELS + 1, PACK_BAD_LIMIT, true) },
	{ "kernels beyond the file",
	  H(n_kernels, PACK_MAX_KERNELS, PACK_BAD_LAYOUT, true) },
	{ "kernel table in the header",
	  H(kernels_offset, 104, PACK_BAD_LAYOUT, true) },
	{ "kernel table past the end",
	  H(kernels_offset, 0xfffffff8, PACK_BAD_LAYOUT, true) },
	{ "kernel table misaligned",
	  H(kernels_offset, 116, PACK_MISALIGNED, true) },
	{ "no images", H(n_images, 0, PACK_BAD_LIMIT, true) },
	{ "too many images", H(n_images, (1 << 14) + 1, PACK_BAD_LIMIT, true) },
	{ "images beyond the file",
	  H(n_images, 1 << 14, PACK_BAD_LAYOUT, true) },
	{ "images in the header", H(images_offset, 0, PACK_BAD_LAYOUT, true) },
	{ "images past the end",
	  H(images_offset, 0x7ffffff8, PACK_BAD_LAYOUT, true) },
	{ "images misaligned", H(images_offset, 281, PACK_MISALIGNED, true) },
	{ "labels in the header",
	  H(labels_offset, 111, PACK_BAD_LAYOUT, true) },
	{ "labels past the end",
	  H(labels_offset, 0xffffffff, PACK_BAD_LAYOUT, true) },
	{ "labels beyond the file",
	  H(labels_bytes, 0xffffffff, PACK_BAD_LAYOUT, true) },
	{ "code misaligned", H(code_offset, 1480, PACK_MISALIGNED, true) },
	{ "code in the header", H(code_offset, 64, PACK_BAD_LAYOUT, true) },
	{ "code past the end",
	  H(code_offset, 0xffffffc0, PACK_BAD_LAYOUT, true) },
	{ "code beyond the file",
	  H(code_bytes, 0xffffffff, PACK_BAD_LAYOUT, true) },
	{ "no code", H(code_bytes, 0, PACK_BAD_LAYOUT, true) },
	{ "too much memory",
	  H(memory_bytes, PACK_MOST_MEMORY + 1, PACK_BAD_LIMIT, true) },
	{ "calibration kernel beyond the table",
	  H(calib[2], 3, PACK_BAD_CALIB, true) },
	{ "kernel that wakes beyond the table",
	  H(wake[1], 4, PACK_BAD_CALIB, true) },
	{ "loads beyond the table", H(loads, 4, PACK_BAD_CALIB, true) },
	{ "kernel cycles 0", H(kernel_cycles, 0, PACK_BAD_LIMIT, true) },
	{ "kernel cycles", H(kernel_cycles, 1000000001, PACK_BAD_LIMIT, true) },
	{ "repeats 0", H(n_repeats, 0, PACK_BAD_LIMIT, true) },
	{ "repeats", H(n_repeats, 65, PACK_BAD_LIMIT, true) },
	{ "sandwich time", H(sandwich_ns, 10000001, PACK_BAD_LIMIT, true) },
	{ "sandwiches 0", H(n_sandwiches, 0, PACK_BAD_LIMIT, true) },
	{ "sandwiches", H(n_sandwiches, 65, PACK_BAD_LIMIT, true) },
	{ "visits 0", H(n_visits, 0, PACK_BAD_LIMIT, true) },
	{ "visits", H(n_visits, 1025, PACK_BAD_LIMIT, true) },
	{ "ready time", H(ready_ms, 60001, PACK_BAD_LIMIT, true) },
	{ "image of a kernel", K1(image, 1) },
	{ "counter of a kernel", K1(counter, 32) },
	{ "empty code", K(code_bytes, 1, 0) },
	{ "code offset past the code", K(code_offset, 2, 0xffffffff) },
	{ "code length past the code", K(code_bytes, 0, 0xffffffff) },
	{ "unroll 0", K(unroll, 0, 0) },
	{ "unroll beyond the limit", K(unroll, 2, (1 << 22) + 1) },
	{ "data misaligned", K1(data, 4) },
	{ "data past the code", K1(data, 0xfffffff8) },
	{ "unroll not ascending", K(unroll, 1, 1) },
	{ "unroll descending", K(unroll, 2, 1) },
	{ "unknown fill of memory", I(memory_fill, PACK_N_FILLS) },
	/* The pattern of this image is no chain. */
	{ "an impossible chain", I(memory_fill, PACK_FILL_CHAIN) },
	{ "label outside the labels", K1(label_offset, 1000) },
	{ "label without an end", IN_LABELS, 38, 1, 'x', PACK_BAD_KERNEL,
	  true },
	{ "label with a space", IN_LABELS, 2, 1, ' ', PACK_BAD_KERNEL, true },
	{ "label with a star", IN_LABELS, 2, 1, '*', PACK_BAD_KERNEL, true },
	{ "label with a newline", IN_LABELS, 2, 1, '\n', PACK_BAD_KERNEL,
	  true },
	{ "label with a high byte", IN_LABELS, 2, 1, 0x80, PACK_BAD_KERNEL,
	  true },
};

TEST_ROWS(rule_holds, rules, name, const struct rule *r)
{
	unsigned char *p = make();
	size_t n = bytes_of(p);
	const struct pack_header *h = pack_header(p);
	const size_t start[] = {
		[HEADER] = 0,
		[KERNEL] = h->kernels_offset + (ARRAY_LEN(kernels) -
						1) * sizeof(struct pack_kernel),
		[IMAGE] = h->images_offset,
		[IN_LABELS] = h->labels_offset,
	};

	assert_int_equal(pack_check(p, n), PACK_OK);
	memcpy(p + start[r->where] + r->at, &r->value, r->n);
	if (r->seal)
		pack_maker_seal(p);
	assert_int_equal(pack_check(p, n), r->error);
	free(p);
}

TEST(a_good_pack_is_accepted)
{
	void *p = make();

	assert_int_equal(pack_check(p, bytes_of(p)), PACK_OK);
	assert_string_equal(pack_label(p, &pack_kernels(p)[1]),
			    "latency:B@1>0");
	free(p);
}

TEST(bytes_after_the_pack_do_not_matter)
{
	unsigned char *p = make();
	size_t n = bytes_of(p);
	unsigned char *longer = aligned_alloc(64, n + 128);

	memset(longer, 0xee, n + 128);
	memcpy(longer, p, n);
	assert_int_equal(pack_check(longer, n + 100), PACK_OK);
	free(longer);
	free(p);
}

TEST(every_shorter_file_is_refused)
{
	unsigned char *p = make();
	size_t n = bytes_of(p);

	for (size_t cut = 0; cut < n; cut++) {
		/* Its own allocation, so that a sanitizer sees overreads. */
		unsigned char *part = malloc(cut ? cut : 1);

		memcpy(part, p, cut);
		assert_int_equal(pack_check(part, cut), PACK_TRUNCATED);
		free(part);
	}
	free(p);
}

TEST(every_changed_byte_is_noticed)
{
	unsigned char *p = make();
	size_t n = bytes_of(p);

	for (size_t i = 0; i < n; i++) {
		p[i] ^= 0x41;
		assert_int_not_equal(pack_check(p, n), PACK_OK);
		p[i] ^= 0x41;
	}
	free(p);
}

TEST(an_unaligned_buffer_is_refused)
{
	unsigned char *p = make();
	size_t n = bytes_of(p);
	unsigned char *odd = aligned_alloc(64, n + 128);

	memcpy(odd + 4, p, n);
	assert_int_equal(pack_check(odd + 4, n), PACK_MISALIGNED);
	free(odd);
	free(p);
}

TEST(a_label_beyond_its_limit_is_refused)
{
	char label[PACK_MAX_LABEL + 1];
	const struct pack_maker_kernel one = { .label = label };
	const struct pack_maker m = {
		.isa = PACK_ISA_AARCH64,
		.n = 1,
		.kernels = &one,
	};

	memset(label, 'a', sizeof(label));
	for (size_t n = PACK_MAX_LABEL - 1; n <= PACK_MAX_LABEL; n++) {
		label[n] = '\0';

		void *p = pack_maker_make(&m);

		assert_int_equal(pack_check(p, bytes_of(p)),
				 n < PACK_MAX_LABEL ? PACK_OK
						    : PACK_BAD_KERNEL);
		free(p);
		label[n] = 'a';
	}
}

TEST(an_address_lies_inside_the_memory)
{
	unsigned char *p = make();
	struct pack_image *image = (void *)(p + pack_header(p)->images_offset);

	image->gpr_is_memory = 1u << 3;
	image->gpr[3] = pack_header(p)->memory_bytes - 1;
	image->gpr[4] = UINT64_MAX;
	pack_maker_seal(p);
	assert_int_equal(pack_check(p, bytes_of(p)), PACK_OK);
	image->gpr[3]++;
	pack_maker_seal(p);
	assert_int_equal(pack_check(p, bytes_of(p)), PACK_BAD_IMAGE);
	free(p);
}

/* A kernel's data, each piece behind the one before, inside code and memory. */
TEST(data_is_checked)
{
	static const struct {
		struct pack_data data;
		int error;
	} rows[] = {
		{ { .bytes = 16, .value_bytes = 8 }, PACK_OK },
		{ { .at = 0x10000,
		    .bytes = 64,
		    .value_bytes = 1,
		    .is_address = 1 },
		  PACK_OK },
		{ { .bytes = 16, .value_bytes = 0 }, PACK_BAD_KERNEL },
		{ { .bytes = 4, .value_bytes = 8 }, PACK_BAD_KERNEL },
		{ { .bytes = 1 << 20, .value_bytes = 8 }, PACK_BAD_KERNEL },
		{ { .bytes = 1 << 20, .value_bytes = 1 << 20 },
		  PACK_BAD_KERNEL },
		{ { .at = UINT64_MAX, .bytes = 8, .value_bytes = 8 },
		  PACK_BAD_KERNEL },
		{ { .at = UINT64_MAX,
		    .bytes = 8,
		    .value_bytes = 8,
		    .is_address = 1 },
		  PACK_BAD_KERNEL },
		{ { .bytes = 8, .value_bytes = 8, .is_address = 2 },
		  PACK_BAD_KERNEL },
		{ { .bytes = 8, .value_bytes = 8, .next = 8 },
		  PACK_BAD_KERNEL },
		{ { .bytes = 8, .value_bytes = 8, .next = 1 << 20 },
		  PACK_BAD_KERNEL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		unsigned char *p = make();
		struct pack_header *h = (void *)p;
		struct pack_kernel *k = (void *)(p + h->kernels_offset);

		/* The code is what holds it, and bytes behind it. */
		assert_true(h->code_bytes >= sizeof(rows[i].data) + 16);
		memcpy(p + h->code_offset + 8, &rows[i].data,
		       sizeof(rows[i].data));
		k->data = 8;
		pack_maker_seal(p);
		if (pack_check(p, bytes_of(p)) != rows[i].error)
			fail_msg("row %zu: %s", i,
				 pack_strerror(pack_check(p, bytes_of(p))));
		free(p);
	}
}

TEST(every_error_has_words)
{
	for (int i = PACK_BAD_IMAGE - 3; i <= 3; i++)
		assert_true(strlen(pack_strerror(i)) > 5);
	for (int i = PACK_BAD_IMAGE; i < PACK_OK; i++)
		assert_string_not_equal(pack_strerror(i), pack_strerror(3));
}

/* The same bit of two words, up or down: sums alone would miss it. */
TEST(two_changed_bits_are_noticed)
{
	static const size_t places[] = { 0, 4, 8, 12, 16, 24, 40, 63, 72 };
	_Alignas(8) unsigned char bytes[sizeof(struct pack_header) + 75] = {
		[sizeof(struct pack_header) + 16] = 0x80,
	};
	struct pack_header *h = (void *)bytes;
	unsigned char *from = bytes + sizeof(*h);
	uint32_t sum;

	h->total_bytes = sizeof(bytes);
	sum = pack_sum(bytes);
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		for (size_t k = 0; k < i; k++)
			for (unsigned bit = 1; bit < 256; bit <<= 1) {
				from[places[i]] ^= (unsigned char)bit;
				assert_int_not_equal(pack_sum(bytes), sum);
				from[places[k]] ^= (unsigned char)bit;
				assert_int_not_equal(pack_sum(bytes), sum);
				from[places[i]] ^= (unsigned char)bit;
				from[places[k]] ^= (unsigned char)bit;
			}
	assert_int_equal(pack_sum(bytes), sum);
}

TEST(a_refused_version_names_the_one_that_is_read)
{
	char number[] = "not 000;";

	(void)snprintf(number, sizeof(number), "not %d;", PACK_VERSION);
	assert_part(pack_strerror(PACK_BAD_VERSION), number);
}
