/* Kernels that check their registers: a register that differs from its image
 * leads to an illegal instruction, which is reported as a fault.  Machine code
 * by hand, with its assembly. */
#include <string.h>

#include "tests/qemu/checks.h"

#define LOW  UINT64_C(0x3ff0123456789abc)
#define HIGH UINT64_C(0xbff0fedcba987654)
#define ALL  UINT64_MAX

enum {
	RV_FCSR = 0x20,        /* round towards zero */
	RV_VTYPE = 0xd8,       /* e64, m1, ta, ma */
	RV_VL = 4,             /* VLEN 256 */
	ARM_FPCR = 0x00c00000, /* round towards zero */
	ARM_NZCV = 0x60000000, /* Z and C */
	ARM_SVE_DOUBLES = 32,  /* 256 bytes: the longest of -cpu max */
	N_REGISTERS = 2,
	N_VECTORS = 1,
};

struct words {
	size_t n;
	uint32_t at[64];
};

static void add_word(struct words *w, uint32_t word)
{
	w->at[w->n++] = word;
}

/* beq a0, <with>, over; unimp; over: */
static void riscv_same(struct words *w, uint32_t with)
{
	add_word(w, 0x00050463 | with << 20);
	add_word(w, 0xc0001073);
}

/* sub x0, x0, x<with>; cbz x0, over; udf #0; over: */
static void arm_same(struct words *w, uint32_t with)
{
	add_word(w, 0xcb000000 | with << 16);
	add_word(w, 0xb4000040);
	add_word(w, 0x00000000);
}

/* Registers that the loop and the comparison do not need. */
static bool riscv_is_free(uint32_t r)
{
	return r >= 3 && r != 5 && r != 10 && r != 11;
}

static bool arm_is_free(uint32_t r)
{
	return r >= 2 && r <= 29 && r != 15;
}

/* Sum of all free general registers into a0, compared with a1. */
static void riscv_general(struct words *w, struct pack_image *image)
{
	add_word(w, 0x00000513); /* li a0, 0 */
	for (uint32_t r = 0; r < 32; r++) {
		if (!riscv_is_free(r))
			continue;
		add_word(w, 0x00050533 | r << 20); /* add a0, a0, r */
		image->gpr[r] = LOW << r;
		image->gpr[11] += image->gpr[r];
	}
	riscv_same(w, 11);
}

static void arm_general(struct words *w, struct pack_image *image)
{
	add_word(w, 0xd53b4200); /* mrs x0, nzcv */
	for (uint32_t r = 0; r < 31; r++) {
		if (!arm_is_free(r))
			continue;
		add_word(w, 0x8b000000 | r << 16); /* add x0, x0, r */
		image->gpr[r] = LOW << r;
		image->gpr[1] += image->gpr[r];
	}
	image->gpr[1] += ARM_NZCV;
	image->flags_bits = ARM_NZCV;
	arm_same(w, 1);
}

static void riscv_fp(struct words *w, struct pack_image *image)
{
	add_word(w, 0xe20f8553); /* fmv.x.d a0, f31 */
	riscv_same(w, 11);
	add_word(w, 0xe2000553); /* fmv.x.d a0, f0 */
	riscv_same(w, 13);
	add_word(w, 0x00302573); /* frcsr a0 */
	riscv_same(w, 12);
	image->fp[31] = image->gpr[11] = LOW;
	image->fp[0] = image->gpr[13] = HIGH;
	image->control = image->gpr[12] = RV_FCSR;
}

static void set_pattern(struct pack_image *image, int r)
{
	const uint64_t pattern[] = { LOW, HIGH };

	memcpy(image->vector[r], pattern, sizeof(pattern));
}

static void arm_fp(struct words *w, struct pack_image *image)
{
	add_word(w, 0x4e083fe0); /* mov x0, v31.d[0] */
	arm_same(w, 1);
	add_word(w, 0x4e183fe0); /* mov x0, v31.d[1] */
	arm_same(w, 2);
	add_word(w, 0x4e183c00); /* mov x0, v0.d[1] */
	arm_same(w, 2);
	add_word(w, 0xd53b4400); /* mrs x0, fpcr */
	arm_same(w, 3);
	set_pattern(image, 0);
	set_pattern(image, 31);
	image->gpr[1] = LOW;
	image->gpr[2] = HIGH;
	image->control = image->gpr[3] = ARM_FPCR;
}

static void riscv_vector(struct words *w, struct pack_image *image)
{
	add_word(w, 0x43f02557); /* vmv.x.s a0, v31 */
	riscv_same(w, 11);
	add_word(w, 0x3ff1bf57); /* vslidedown.vi v30, v31, 3 */
	add_word(w, 0x43e02557); /* vmv.x.s a0, v30 */
	riscv_same(w, 12);
	add_word(w, 0xc2002573); /* csrr a0, vl */
	riscv_same(w, 13);
	add_word(w, 0x42002557); /* vmv.x.s a0, v0 */
	riscv_same(w, 14);
	set_pattern(image, 31);
	image->gpr[11] = LOW;
	image->gpr[12] = HIGH;
	image->gpr[13] = RV_VL;
	image->gpr[14] = ALL;
	image->vtype = RV_VTYPE;
}

static void arm_vector(struct words *w, struct pack_image *image)
{
	add_word(w, 0x05e1bfe0); /* lastb x0, p7, z31.d */
	arm_same(w, 2);
	add_word(w, 0x04e0e3e0); /* cntd x0 */
	arm_same(w, 3);
	set_pattern(image, 31);
	image->gpr[2] = HIGH;
	image->gpr[3] = ARM_SVE_DOUBLES;
}

typedef void write_kernel(struct words *w, struct pack_image *image);

static void build(struct hand_pack *p, const struct hand_isa *isa,
		  write_kernel *const *writers, size_t n, const char *label)
{
	static struct hand_kernel kernels[4];
	static struct words words[4];

	for (size_t i = 0; i < n; i++) {
		words[i].n = 0;
		kernels[i] = (struct hand_kernel){
			.label = label,
			.body = words[i].at,
			.flags = PACK_KERNEL_VECTOR,
		};
		writers[i](&words[i], &kernels[i].image);
		kernels[i].n_body = words[i].n * sizeof(words[i].at[0]);
	}
	checks_build(p, isa, kernels, n);
}

static void judge(const struct console *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		(void)about(c, "sample", N_CALIB + i);
}

void registers_pack(struct hand_pack *p, const struct hand_isa *isa)
{
	static write_kernel *const riscv[] = { riscv_general, riscv_fp };
	static write_kernel *const arm[] = { arm_general, arm_fp };

	build(p, isa, isa->id == PACK_ISA_RISCV64 ? riscv : arm, N_REGISTERS,
	      "registers");
}

void registers_judge(const struct console *c, const struct hand_isa *isa)
{
	(void)isa;
	judge(c, N_REGISTERS);
}

void vectors_pack(struct hand_pack *p, const struct hand_isa *isa)
{
	static write_kernel *const riscv[] = { riscv_vector };
	static write_kernel *const arm[] = { arm_vector };

	build(p, isa, isa->id == PACK_ISA_RISCV64 ? riscv : arm, N_VECTORS,
	      "vectors");
}

void vectors_judge(const struct console *c, const struct hand_isa *isa)
{
	(void)isa;
	judge(c, N_VECTORS);
}
