/* The pack: kernels as data.  One flat file with machine code, initial register
 * contents and measuring parameters.  The generator writes it; the runtime uses
 * it in place and copies only the code.
 *
 *	+------------------+ 0
 *	| header           | struct pack_header
 *	+------------------+ kernels_offset
 *	| kernel table     | n_kernels * struct pack_kernel
 *	+------------------+ images_offset
 *	| register images  | n_images * struct pack_image
 *	+------------------+ labels_offset
 *	| labels           | NUL-terminated experiment specs, for the log
 *	+------------------+ code_offset (64-byte aligned)
 *	| code             | position-independent, entries 64-byte aligned
 *	+------------------+ total_bytes
 *
 * Little-endian, offsets only, no pointers.  pack_check() validates every
 * offset before anything is used; after it accepts, the accessors are plain
 * arithmetic.
 *
 * A kernel's calling convention.  The runtime loads every register from the
 * kernel's image, puts the iteration count into GPR `counter`, and calls the
 * code.  The code runs its loop that many times and returns with the ISA's
 * return instruction (x86-64 `ret`, AArch64 `ret x30`, RISC-V `ret` through
 * x1).  It may change every register but the stack pointer, and the link
 * register where the ISA has one.  GPRs are numbered as the hardware encodes
 * them (rax 0 .. r15 15, x0..x30, x0..x31).
 */
#ifndef COMMON_PACK_H
#define COMMON_PACK_H

#include "common/chain.h"
#include "common/types.h"

#define PACK_MAGIC       "ANECPACK"
#define PACK_LENGTHS     3 /* unroll lengths measured of each kernel */
#define PACK_MAX_BYTES   (256u << 20)
#define PACK_MAX_KERNELS (1u << 20)
#define PACK_MAX_LABEL   160 /* bytes of a label with its NUL */
#define PACK_NO_KERNEL   0xffffffffu
/* Most data memory of a pack that every runtime takes, from a static buffer. */
#define PACK_MAX_MEMORY (64u << 10)
/* Most data memory of any pack, and of one pack_data.  Above PACK_MAX_MEMORY a
 * runtime that cannot have so much refuses the pack. */
#define PACK_MOST_MEMORY (256u << 20)

/* A macro, because messages name it. */
#define PACK_VERSION 4

enum pack_isa {
	PACK_ISA_X86_64 = 1,
	PACK_ISA_AARCH64 = 2,
	PACK_ISA_RISCV64 = 3,
};

/* Indices of pack_header.calib. */
enum pack_calib {
	PACK_CALIB_CHAIN_A, /* chain of 1-cycle adds */
	PACK_CALIB_CHAIN_B, /* chain of another 1-cycle operation */
	PACK_CALIB_PROBE,   /* nop throughput: detects a busy SMT sibling */
	PACK_N_CALIB,
};

enum { PACK_N_WAKE = 2 };

enum pack_memory_flags {
	/* Data memory beyond PACK_MAX_MEMORY is in large pages, where the system
	 * has some; else it is in small ones.  Ignored without a system. */
	PACK_MEMORY_HUGE = 1u << 0,
};

enum pack_kernel_flags {
	/* Uses FP/vector registers, so the runtime loads them (slower). */
	PACK_KERNEL_VECTOR = 1u << 0,
	/* Calibration kernel: only measured as part of a sandwich. */
	PACK_KERNEL_CALIB = 1u << 1,
	/* x86, with VECTOR: the pattern also fills ymm registers.  Without this
	 * flag the upper halves of registers 0..15 are zero (vzeroupper), as
	 * legacy SSE code expects. */
	PACK_KERNEL_WIDE = 1u << 2,
	/* x86, with VECTOR: fp[0..7] are doubles for st(0)..st(7) instead of
	 * MMX registers. */
	PACK_KERNEL_X87 = 1u << 3,
	/* x86, with WIDE: the pattern also fills zmm registers.  Without this
	 * flag the runtime executes no 64-byte instruction, because it would
	 * slow later loads: on Ice Lake a 32-byte load takes 0.6 cycles instead
	 * of 0.5 for 0.7 ms. */
	PACK_KERNEL_WIDEST = 1u << 4,
	/* Own code: in a process, memory that it accesses and that is not there
	 * appears.  Ignored elsewhere. */
	PACK_KERNEL_PAGES = 1u << 5,
	/* Own code that calls the system: it runs where that is a fault, and is
	 * the fault "syscall" without a run elsewhere. */
	PACK_KERNEL_CALLS = 1u << 6,
	/* AArch64, with VECTOR: in streaming mode, with ZA on and zero. */
	PACK_KERNEL_STREAMING = 1u << 7,
};

/* Content of a kernel's memory at its start. */
enum pack_fill {
	PACK_FILL_PATTERN, /* pack_image.memory, repeated */
	/* Every 8 bytes hold their own address, so a load that uses its result
	 * as the next address repeats the same access. */
	PACK_FILL_SELF,
	/* The same, shifted by four bytes, for addresses 4 after a multiple of
	 * 8. */
	PACK_FILL_SELF_ODD,
	/* A cycle of addresses: pack_image.memory is a struct chain. */
	PACK_FILL_CHAIN,
	PACK_N_FILLS,
};

struct pack_header {
	char magic[8];
	uint32_t version;
	uint32_t sum; /* pack_sum() of it */
	uint32_t total_bytes;
	uint32_t isa; /* enum pack_isa */
	uint64_t id;  /* hash of all kernel ids; identifies the pack in logs */
	uint32_t n_kernels;
	uint32_t kernels_offset;
	uint32_t n_images;
	uint32_t images_offset;
	uint32_t labels_offset;
	uint32_t labels_bytes;
	uint32_t code_offset;
	uint32_t code_bytes;
	uint32_t memory_bytes;        /* data memory kernels may touch */
	uint32_t calib[PACK_N_CALIB]; /* kernel index or PACK_NO_KERNEL */
	/* Measuring parameters; see core/measure.c and common/wire.md. */
	uint32_t kernel_cycles; /* core clock: cycles one kernel may take */
	uint32_t n_repeats;     /* core clock: samples of each length */
	uint32_t sandwich_ns;   /* ref clock: time of the longest length */
	uint32_t n_sandwiches;  /* ref clock: sandwiches in one visit */
	uint32_t n_visits;      /* ref clock: visits of each kernel */
	uint32_t ready_ms;      /* wait for a host before running alone */
	/* Probes of the 64-byte units, the 32-byte units and 32-byte loads: 1 +
	 * the kernel's index, or 0 (core/probes.h). */
	uint32_t wake[PACK_N_WAKE];
	uint32_t loads;
	uint32_t memory_flags; /* enum pack_memory_flags */
};

struct pack_kernel {
	uint64_t id; /* content hash: code of all lengths, image, counts */
	uint32_t code_offset[PACK_LENGTHS]; /* from code_offset of the header */
	uint32_t code_bytes[PACK_LENGTHS];
	uint32_t unroll[PACK_LENGTHS]; /* bodies per iteration, ascending */
	uint32_t label_offset;         /* from labels_offset */
	uint16_t image;
	uint8_t counter; /* GPR that receives the iteration count */
	uint8_t flags;   /* enum pack_kernel_flags */
	/* Its first struct pack_data, from code_offset of the header; 0: none. */
	uint32_t data;
};

/* Bytes that memory holds when a kernel starts, over what the image fills it with;
 * `value_bytes` of them are behind this structure.  Among the code, at a multiple
 * of 8. */
struct pack_data {
	uint64_t at;          /* offset into the kernel's memory, or address */
	uint32_t bytes;       /* filled: the value is repeated */
	uint32_t value_bytes; /* at most `bytes` */
	/* Another one behind this one, from code_offset of the header; 0: none. */
	uint32_t next;
	/* 1: `at` is an address, at which memory of its own appears.  Only a
	 * process has that; elsewhere the kernel faults with cause "map". */
	uint32_t is_address;
};

/* Initial contents of all registers that a kernel may read.  Vector registers
 * repeat their 16-byte pattern up to their width.  `fp` holds the RISC-V f and
 * x86 MMX registers, `mask` the x86 k registers.  SVE predicates and RVV's v0
 * start all-true. */
struct pack_image {
	uint64_t gpr[32];
	uint8_t vector[32][16];
	uint64_t fp[32];
	uint64_t mask[8];
	uint32_t gpr_is_memory; /* bit i: gpr[i] is an offset into memory */
	uint32_t flags_bits;    /* arithmetic flags on entry, ISA layout */
	uint32_t vtype;         /* RVV vtype on entry, vl = VLMAX */
	uint32_t memory_fill;   /* enum pack_fill */
	uint64_t control;       /* 0 = the ABI default FP control state */
	uint8_t memory[16];     /* PACK_FILL_PATTERN, PACK_FILL_CHAIN */
};

_Static_assert(sizeof(struct pack_header) == 120, "pack header is frozen");
_Static_assert(sizeof(struct pack_kernel) == 56, "pack kernel is frozen");
_Static_assert(sizeof(struct pack_image) == 1128, "pack image is frozen");
_Static_assert(sizeof(struct pack_data) == 24, "pack data is frozen");
_Static_assert(offsetof(struct pack_image, vector) == 256, "asm offset");
_Static_assert(offsetof(struct pack_image, fp) == 768, "asm offset");
_Static_assert(offsetof(struct pack_image, mask) == 1024, "asm offset");
_Static_assert(offsetof(struct pack_image, gpr_is_memory) == 1088, "asm");
_Static_assert(offsetof(struct pack_image, flags_bits) == 1092, "asm offset");
_Static_assert(offsetof(struct pack_image, vtype) == 1096, "asm offset");

enum pack_error {
	PACK_OK = 0,
	PACK_TRUNCATED = -1,
	PACK_BAD_MAGIC = -2,
	PACK_BAD_VERSION = -3,
	PACK_BAD_SUM = -4,
	PACK_BAD_ISA = -5,
	PACK_BAD_LAYOUT = -6,  /* a table or region lies outside the file */
	PACK_BAD_KERNEL = -7,  /* a kernel entry points outside its regions */
	PACK_BAD_CALIB = -8,   /* calibration index out of range */
	PACK_BAD_LIMIT = -9,   /* a count or parameter beyond its limit */
	PACK_MISALIGNED = -10, /* buffer or table not 8-byte aligned */
	PACK_BAD_IMAGE = -11,  /* an address outside memory, an unknown fill */
};

/* Validate the n bytes at p as a pack. p must be 8-byte aligned.  Other bytes
 * may follow the pack: total_bytes <= n.  Returns PACK_OK or the error of the
 * first violated rule; reads only p[0..n-1]. */
int pack_check(const void *p, size_t n) MUST_CHECK;

/* The checksum of the pack at p: of the bytes from 16 on, up to its
 * total_bytes, which the caller has checked. */
uint32_t pack_sum(const void *p);

/* Message for an error; never NULL. */
const char *pack_strerror(int error);

/* Accessors; only for bytes that pack_check() accepted. */
static inline const struct pack_header *pack_header(const void *p)
{
	return p;
}

static inline const struct pack_kernel *pack_kernels(const void *p)
{
	return (const void *)((const char *)p + pack_header(p)->kernels_offset);
}

static inline const struct pack_image *pack_images(const void *p)
{
	return (const void *)((const char *)p + pack_header(p)->images_offset);
}

static inline const char *pack_label(const void *p, const struct pack_kernel *k)
{
	return (const char *)p + pack_header(p)->labels_offset +
	       k->label_offset;
}

/* Kernels that are measured, not only to calibrate. */
static inline uint32_t pack_n_measured(const void *p)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < pack_header(p)->n_kernels; k++)
		n += !(pack_kernels(p)[k].flags & PACK_KERNEL_CALIB);
	return n;
}

static inline const unsigned char *pack_code(const void *p)
{
	return (const unsigned char *)p + pack_header(p)->code_offset;
}

/* The data at an offset of pack_kernel.data or pack_data.next; 0: NULL. */
static inline const struct pack_data *pack_data_at(const void *p, uint32_t at)
{
	return at ? (const void *)(pack_code(p) + at) : NULL;
}

#endif
