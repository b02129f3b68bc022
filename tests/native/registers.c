/* Does an x86-64 kernel find in its registers what its image says?  Kernels
 * that look for themselves, and fault when they see something else.
 *
 *	registers <runtime file>
 */
#include <unistd.h>

#include "tests/native/child.h"
#include "tests/native/pack.h"
#include "tests/unit/unit.h"

enum {
	RSP = 4,
	COUNTER = 15,
	SCRATCH = 15, /* xmm15 */
	N_VECTORS = 16,
	N_WIDE_VECTORS = 32,
	CF = 1,
	KERNEL = PACK_N_CALIB,
};

static const char *runtime;
static struct hand_pack pack;
static struct child child;
static struct code code;
static char pack_path[] = "/tmp/anechoic-native-XXXXXX";

static void emit(const unsigned char *bytes, size_t n)
{
	code_append(&code, bytes, n);
}

#define EMIT(...)                                    \
	emit((const unsigned char[]){ __VA_ARGS__ }, \
	     sizeof((const unsigned char[]){ __VA_ARGS__ }))

static void emit_u32(uint32_t value)
{
	code_append(&code, &value, sizeof(value));
}

static void emit_u64(uint64_t value)
{
	code_append(&code, &value, sizeof(value));
}

/* je +2; ud2 */
static void fault_unless_equal(void)
{
	EMIT(0x74, 0x02, 0x0f, 0x0b);
}

/* cmp rax, value */
static void expect_rax(uint32_t value)
{
	EMIT(0x48, 0x3d);
	emit_u32(value);
	fault_unless_equal();
}

/* Run one kernel made of `code`; true when it did not fault. */
static bool runs(const struct pack_image *image, uint32_t flags)
{
	const struct hand_kernel kernel = {
		.label = "registers",
		.body = code.bytes,
		.n_body = code.n,
		.image = *image,
		.flags = flags,
	};
	FILE *f = fopen(pack_path, "wb");

	hand_build(&pack, hand_isa("x86_64"), &kernel, 1);
	code.n = 0;
	assert_int_equal(pack_check(pack.bytes, pack.n), PACK_OK);
	assert_non_null(f);
	assert_int_equal(fwrite(pack.bytes, 1, pack.n, f), pack.n);
	assert_int_equal(fclose(f), 0);
	child_start(&child, "", runtime, pack_path);
	child_close_input(&child);
	assert_int_equal(child_finish(&child), 0);

	bool sample = child_nth(&child, "sample", 0);
	bool fault = child_nth(&child, "fault", 0);

	assert_true(sample != fault);
	return sample;
}

static struct pack_image numbered_image(void)
{
	struct pack_image image = { .flags_bits = 0 };

	for (unsigned i = 0; i < 16; i++)
		image.gpr[i] = 0x100 + i;
	for (unsigned i = 0; i < 32; i++) {
		image.vector[i][0] = (unsigned char)(0x40 + i);
		image.vector[i][8] = (unsigned char)(0x80 + i);
	}
	for (unsigned i = 0; i < 8; i++) {
		image.fp[i] = 0x300 + i;
		image.mask[i] = 0x500 + i;
	}
	return image;
}

TEST(general_registers)
{
	struct pack_image image = numbered_image();

	for (unsigned i = 0; i < COUNTER; i++) {
		if (i == RSP)
			continue;
		/* cmp r64, imm32 */
		EMIT((unsigned char)(i < 8 ? 0x48 : 0x49), 0x81,
		     (unsigned char)(0xf8 | (i & 7)));
		emit_u32(0x100 + i);
		fault_unless_equal();
	}
	assert_true(runs(&image, 0));
}

/* The other tests are valid only if a wrong value is detected. */
TEST(a_wrong_value_is_noticed)
{
	struct pack_image image = numbered_image();

	expect_rax(0x100 + 1);
	assert_false(runs(&image, 0));
}

TEST(carry_flag)
{
	struct pack_image image = numbered_image();

	/* The loop's DEC preserves CF.  jc +2; ud2 */
	EMIT(0x72, 0x02, 0x0f, 0x0b);
	image.flags_bits = CF;
	assert_true(runs(&image, 0));
	/* jnc +2; ud2 */
	EMIT(0x73, 0x02, 0x0f, 0x0b);
	image.flags_bits = 0;
	assert_true(runs(&image, 0));
}

/* movq rax, xmm_i */
static void read_low(unsigned i)
{
	EMIT(0x66, (unsigned char)(i < 8 ? 0x48 : 0x4c), 0x0f, 0x7e,
	     (unsigned char)(0xc0 | (i & 7) << 3));
}

TEST(vector_registers)
{
	struct pack_image image = numbered_image();

	for (unsigned i = 0; i < N_VECTORS; i++) {
		read_low(i);
		expect_rax(0x40 + i);
		/* pextrq rax, xmm_i, 1 */
		EMIT(0x66, (unsigned char)(i < 8 ? 0x48 : 0x4c), 0x0f, 0x3a,
		     0x16, (unsigned char)(0xc0 | (i & 7) << 3), 1);
		expect_rax(0x80 + i);
	}
	assert_true(runs(&image, PACK_KERNEL_VECTOR));
}

TEST(mmx_registers)
{
	struct pack_image image = numbered_image();

	for (unsigned i = 0; i < 8; i++) {
		/* movq rax, mm_i */
		EMIT(0x48, 0x0f, 0x7e, (unsigned char)(0xc0 | i << 3));
		expect_rax(0x300 + i);
	}
	assert_true(runs(&image, PACK_KERNEL_VECTOR));
}

TEST(x87_registers)
{
	struct pack_image image = numbered_image();

	for (unsigned i = 0; i < 8; i++) {
		double value = 1.5 + i;
		uint64_t bits;

		memcpy(&bits, &value, sizeof(bits));
		image.fp[i] = bits;
		/* fst qword ptr [rsp - 8]; mov rax, [rsp - 8] */
		EMIT(0xdd, 0x54, 0x24, 0xf8, 0x48, 0x8b, 0x44, 0x24, 0xf8);
		/* mov rcx, bits; cmp rax, rcx */
		EMIT(0x48, 0xb9);
		emit_u64(bits);
		EMIT(0x48, 0x39, 0xc8);
		fault_unless_equal();
		EMIT(0xd9, 0xf7); /* fincstp */
	}
	assert_true(runs(&image, PACK_KERNEL_VECTOR | PACK_KERNEL_X87));
}

/* vextractf128 xmm15, ymm_i, 1; movq rax, xmm15 */
static void read_upper_ymm(unsigned i)
{
	EMIT(0xc4, (unsigned char)((i < 8) << 7 | 0x43), 0x7d, 0x19,
	     (unsigned char)(0xc7 | (i & 7) << 3), 1);
	read_low(SCRATCH);
}

static void check_ymm(bool wide)
{
	struct pack_image image = numbered_image();

	if (!__builtin_cpu_supports("avx"))
		skip();
	for (unsigned i = 0; i < SCRATCH; i++) {
		read_upper_ymm(i);
		expect_rax(wide ? 0x40 + i : 0);
	}
	assert_true(runs(&image,
			 PACK_KERNEL_VECTOR | (wide ? PACK_KERNEL_WIDE : 0)));
}

TEST(upper_halves_are_clean)
{
	check_ymm(false);
}

TEST(wide_kernels_have_them_filled)
{
	check_ymm(true);
}

/* vextracti32x4 xmm15, zmm_i, 3; movq rax, xmm15 */
static void read_top_zmm(unsigned i)
{
	unsigned char p0 = 0x43;

	p0 |= (unsigned char)(!(i & 8) << 7 | !(i & 16) << 4);
	EMIT(0x62, p0, 0x7d, 0x48, 0x39, (unsigned char)(0xc7 | (i & 7) << 3),
	     3);
	read_low(SCRATCH);
}

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl");
}

static void check_zmm(uint32_t wide, unsigned first)
{
	struct pack_image image = numbered_image();

	if (!has_avx512())
		skip();
	for (unsigned i = 0; i < N_WIDE_VECTORS; i++) {
		if (i == SCRATCH)
			continue;
		read_top_zmm(i);
		expect_rax(first ? first + i : 0);
	}
	assert_true(runs(&image, PACK_KERNEL_VECTOR | wide));
}

TEST(zmm_is_clean)
{
	check_zmm(0, 0);
}

TEST(zmm_is_clean_in_wide_kernels)
{
	check_zmm(PACK_KERNEL_WIDE, 0);
}

TEST(widest_kernels_have_zmm_filled)
{
	check_zmm(PACK_KERNEL_WIDE | PACK_KERNEL_WIDEST, 0x40);
}

TEST(mask_registers)
{
	struct pack_image image = numbered_image();

	if (!has_avx512())
		skip();
	for (unsigned i = 0; i < 8; i++) {
		/* kmovq rax, k_i */
		EMIT(0xc4, 0xe1, 0xfb, 0x93, (unsigned char)(0xc0 | i));
		expect_rax(0x500 + i);
	}
	assert_true(runs(&image, PACK_KERNEL_VECTOR));
}

/* stmxcsr [rsp - 8]; mov eax, [rsp - 8]; compared with what was loaded */
TEST(control_word)
{
	enum { MXCSR_DEFAULT = 0x1f80, MXCSR_FTZ = 0x9f80 };
	const uint32_t words[] = { MXCSR_DEFAULT, MXCSR_FTZ };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct pack_image image = numbered_image();

		image.control = words[i] == MXCSR_DEFAULT ? 0 : words[i];
		EMIT(0x0f, 0xae, 0x5c, 0x24, 0xf8, 0x8b, 0x44, 0x24, 0xf8);
		expect_rax(words[i]);
		assert_true(runs(&image, PACK_KERNEL_VECTOR));
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		(void)fprintf(stderr, "%s: expected RUNTIME\n", argv[0]);
		return 2;
	}
	runtime = argv[1];

	int fd = mkstemp(pack_path);

	if (fd < 0) {
		perror(pack_path);
		return 1;
	}
	(void)close(fd);

	int failed = unit_run(NULL);

	(void)unlink(pack_path);
	return failed;
}
