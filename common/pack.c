/* Validates packs.  All rules are checked here once, so runtime and host tools
 * can then use the tables without further checks. */
#include "common/pack.h"

#include "common/crc32.h"

#define PACK_STRING(macro) PACK_STRING_OF(macro)
#define PACK_STRING_OF(x)  #x

enum {
	SUM_START = 16, /* first byte the checksum covers */
	TABLE_ALIGN = 8,
	CODE_ALIGN = 64,
	MAX_IMAGES = 1 << 14,
	MAX_UNROLL = 1 << 22,
	MAX_REPEATS = 64,
	MAX_SANDWICHES = 64,
	MAX_VISITS = 1024,
	MAX_MS = 60 * 1000,
	MAX_SANDWICH_NS = 10 * 1000 * 1000,
	MAX_CYCLES = 1000 * 1000 * 1000,
};

/* Does [offset, offset + count * size) lie within the pack? */
static bool inside(const struct pack_header *h, uint64_t offset, uint64_t count,
		   uint64_t size)
{
	return offset >= sizeof(*h) && offset <= h->total_bytes &&
	       count * size <= h->total_bytes - offset;
}

static int check_limits(const struct pack_header *h)
{
	if (h->n_kernels == 0 || h->n_kernels > PACK_MAX_KERNELS ||
	    h->n_images == 0 || h->n_images > MAX_IMAGES ||
	    h->memory_bytes > PACK_MOST_MEMORY)
		return PACK_BAD_LIMIT;
	if (h->n_repeats == 0 || h->n_repeats > MAX_REPEATS ||
	    h->n_sandwiches == 0 || h->n_sandwiches > MAX_SANDWICHES ||
	    h->n_visits == 0 || h->n_visits > MAX_VISITS ||
	    h->ready_ms > MAX_MS || h->sandwich_ns > MAX_SANDWICH_NS ||
	    h->kernel_cycles == 0 || h->kernel_cycles > MAX_CYCLES)
		return PACK_BAD_LIMIT;
	return PACK_OK;
}

static int check_layout(const struct pack_header *h)
{
	if (h->kernels_offset % TABLE_ALIGN || h->images_offset % TABLE_ALIGN ||
	    h->code_offset % CODE_ALIGN)
		return PACK_MISALIGNED;
	if (!inside(h, h->kernels_offset, h->n_kernels,
		    sizeof(struct pack_kernel)) ||
	    !inside(h, h->images_offset, h->n_images,
		    sizeof(struct pack_image)) ||
	    !inside(h, h->labels_offset, h->labels_bytes, 1) ||
	    !inside(h, h->code_offset, h->code_bytes, 1) || h->code_bytes == 0)
		return PACK_BAD_LAYOUT;
	return PACK_OK;
}

/* Is the label NUL-terminated within its region and PACK_MAX_LABEL? */
static bool label_ok(const void *p, const struct pack_kernel *k)
{
	const struct pack_header *h = p;

	if (k->label_offset >= h->labels_bytes)
		return false;

	const char *label = pack_label(p, k);
	uint32_t room = h->labels_bytes - k->label_offset;

	for (uint32_t i = 0; i < room && i < PACK_MAX_LABEL; i++) {
		if (label[i] == '\0')
			return true;
		/* The label is a value of a wire record: printable, without
		 * spaces and stars. */
		if (label[i] <= ' ' || label[i] > '~' || label[i] == '*')
			return false;
	}
	return false;
}

/* Each piece of data is behind the one before it, so a list ends. */
static bool data_ok(const void *p, const struct pack_kernel *k)
{
	const struct pack_header *h = p;
	uint32_t before = 0;

	for (uint32_t at = k->data; at != 0;) {
		const struct pack_data *d;

		if (at % TABLE_ALIGN != 0 || at <= before ||
		    at > h->code_bytes || sizeof(*d) > h->code_bytes - at)
			return false;
		d = pack_data_at(p, at);
		if (d->value_bytes == 0 || d->value_bytes > d->bytes ||
		    d->value_bytes > h->code_bytes - at - sizeof(*d) ||
		    d->bytes > PACK_MOST_MEMORY || d->is_address > 1 ||
		    d->at > UINT64_MAX - d->bytes ||
		    (!d->is_address && d->at + d->bytes > h->memory_bytes))
			return false;
		before = at;
		at = d->next;
	}
	return true;
}

static bool kernel_ok(const void *p, const struct pack_kernel *k)
{
	const struct pack_header *h = p;

	if (k->image >= h->n_images || k->counter >= 32 || !label_ok(p, k) ||
	    !data_ok(p, k))
		return false;
	for (int i = 0; i < PACK_LENGTHS; i++) {
		if (k->code_bytes[i] == 0 ||
		    k->code_offset[i] > h->code_bytes ||
		    k->code_bytes[i] > h->code_bytes - k->code_offset[i])
			return false;
		if (k->unroll[i] == 0 || k->unroll[i] > MAX_UNROLL ||
		    (i > 0 && k->unroll[i] <= k->unroll[i - 1]))
			return false;
	}
	return true;
}

/* Do all addresses start inside the pack's data memory? */
static bool image_ok(const struct pack_header *h, const struct pack_image *i)
{
	struct chain chain;

	if (i->memory_fill >= PACK_N_FILLS)
		return false;
	__builtin_memcpy(&chain, i->memory, sizeof(chain));
	if (i->memory_fill == PACK_FILL_CHAIN &&
	    !chain_fits(&chain, h->memory_bytes))
		return false;
	for (uint32_t r = 0; r < ARRAY_LEN(i->gpr); r++)
		if ((i->gpr_is_memory >> r & 1) && i->gpr[r] >= h->memory_bytes)
			return false;
	return true;
}

/* Fletcher's two sums over words of 32 bits, in 64 bits: a word counts by its
 * value and by its place.  An in-order core takes 1 cycle a byte for them, and
 * 5 for a CRC by tables; a pack in a simulation is a million bytes. */
struct sums {
	uint64_t plain, placed;
};

static void sums_add(struct sums *s, uint64_t two)
{
	s->plain += (uint32_t)two;
	s->placed += s->plain;
	s->plain += two >> 32;
	s->placed += s->plain;
}

uint32_t pack_sum(const void *p)
{
	const unsigned char *at = (const unsigned char *)p + SUM_START;
	const unsigned char *end =
		(const unsigned char *)p + pack_header(p)->total_bytes;
	struct sums s = { .plain = 1 };
	uint64_t last = 0;

	for (; end - at >= (ptrdiff_t)sizeof(last); at += sizeof(last))
		sums_add(&s, load_u64(at));
	for (unsigned shift = 0; at < end; at++, shift += 8)
		last |= (uint64_t)*at << shift;
	sums_add(&s, last);
	return crc32_update(crc32_update(0, &s.plain, sizeof(s.plain)),
			    &s.placed, sizeof(s.placed));
}

int pack_check(const void *p, size_t n)
{
	const struct pack_header *h = p;

	if ((uintptr_t)p % TABLE_ALIGN)
		return PACK_MISALIGNED;
	if (n < sizeof(*h))
		return PACK_TRUNCATED;
	for (size_t i = 0; i < sizeof(h->magic); i++)
		if (h->magic[i] != PACK_MAGIC[i])
			return PACK_BAD_MAGIC;
	if (h->version != PACK_VERSION)
		return PACK_BAD_VERSION;
	if (h->total_bytes > PACK_MAX_BYTES || h->total_bytes < sizeof(*h))
		return PACK_BAD_LIMIT;
	if (h->total_bytes > n)
		return PACK_TRUNCATED;
	if (h->sum != pack_sum(p))
		return PACK_BAD_SUM;
	if (h->isa < PACK_ISA_X86_64 || h->isa > PACK_ISA_RISCV64)
		return PACK_BAD_ISA;

	int ret = check_limits(h);

	if (ret == PACK_OK)
		ret = check_layout(h);
	if (ret != PACK_OK)
		return ret;
	for (int i = 0; i < PACK_N_CALIB; i++)
		if (h->calib[i] != PACK_NO_KERNEL &&
		    h->calib[i] >= h->n_kernels)
			return PACK_BAD_CALIB;
	if (h->loads > h->n_kernels)
		return PACK_BAD_CALIB;
	for (int i = 0; i < PACK_N_WAKE; i++)
		if (h->wake[i] > h->n_kernels)
			return PACK_BAD_CALIB;
	for (uint32_t i = 0; i < h->n_images; i++)
		if (!image_ok(h, &pack_images(p)[i]))
			return PACK_BAD_IMAGE;
	for (uint32_t i = 0; i < h->n_kernels; i++)
		if (!kernel_ok(p, &pack_kernels(p)[i]))
			return PACK_BAD_KERNEL;
	return PACK_OK;
}

const char *pack_strerror(int error)
{
	static const char *const words[] = {
		[-PACK_OK] = "no error",
		[-PACK_TRUNCATED] = "the file is cut short",
		[-PACK_BAD_MAGIC] =
			"not a pack: the file does not start with '" PACK_MAGIC
			"'",
		[-PACK_BAD_VERSION] = "its version is not " PACK_STRING(
			PACK_VERSION) "; make image and pack with the same anechoic",
		[-PACK_BAD_SUM] = "wrong checksum: the pack is corrupt",
		[-PACK_BAD_ISA] = "unknown ISA",
		[-PACK_BAD_LAYOUT] = "a table lies outside the file",
		[-PACK_BAD_KERNEL] =
			"a kernel refers to data outside its tables",
		[-PACK_BAD_CALIB] = "a calibration kernel is not in the kernel "
				    "table",
		[-PACK_BAD_LIMIT] = "a count or parameter is beyond its limit",
		[-PACK_MISALIGNED] = "tables must be 8-byte aligned and code "
				     "64-byte aligned",
		[-PACK_BAD_IMAGE] =
			"a register image has an address outside the "
			"memory",
	};

	if (error > 0 || -error >= (int)ARRAY_LEN(words) || !words[-error])
		return "unknown error";
	return words[-error];
}
