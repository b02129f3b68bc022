/* See slot.h.  All slots share the code of one pack and one data memory. */
#include "target/core/slot.h"

#include <string.h>

#include "target/boot.h"

/* At least one of this many empty runs is undisturbed. */
enum { EMPTY_RUNS = 8, PAGE = 4096 };

struct arch_registers arch_registers;
const void *arch_observed;

static struct {
	const void *pack;
	uint64_t id;       /* of the pack whose code is at `code` */
	uint32_t n_opened; /* calls of slot_open() */
	unsigned char *code;
	enum arch_clock clock;
	uint64_t limit;
	uint64_t inside; /* ticks of runs, until they are asked for */
	struct arch_fault fault;
	/* The kernels' memory: `own`, or more where a pack wants more. */
	uint64_t *memory;
	uint64_t memory_bytes;
	uint64_t own[PACK_MAX_MEMORY / sizeof(uint64_t)]
		__attribute__((aligned(PAGE)));
} all;

/* The empty kernel: gives the cost of a measurement. */
static void nothing(void)
{
}

static bool place_code(const void *pack)
{
	const struct pack_header *h = pack_header(pack);
	void *code = boot_code_alloc(h->code_bytes);

	all.pack = NULL;
	if (!code)
		return false;
	memcpy(code, pack_code(pack), h->code_bytes);
	all.code = code;
	if (boot_code_seal(code, h->code_bytes) != 0)
		return false;
	all.pack = pack;
	all.id = h->id;
	return true;
}

static bool place_memory(const void *pack)
{
	uint64_t bytes = pack_header(pack)->memory_bytes;
	bool huge = pack_header(pack)->memory_flags & PACK_MEMORY_HUGE;

	if (bytes > sizeof(all.own)) {
		all.memory = boot_memory(bytes, huge);
		all.memory_bytes = bytes;
		return all.memory != NULL;
	}
	all.memory = all.own;
	all.memory_bytes = sizeof(all.own);
	return true;
}

/* The code of a pack stays where an earlier core has put it. */
bool slot_open(const void *pack, enum arch_clock clock, uint64_t limit)
{
	all.clock = clock;
	all.limit = limit;
	all.n_opened++;
	if (all.pack != pack || all.id != pack_header(pack)->id)
		return place_memory(pack) && place_code(pack);
	arch_sync_code(all.code, pack_header(pack)->code_bytes);
	return true;
}

void slot_move(void)
{
	all.code = boot_move(all.code, pack_header(all.pack)->code_bytes,
			     all.own, sizeof(all.own));
}

uint64_t slot_code_address(uint32_t index, uint32_t length)
{
	const struct pack_kernel *k = &pack_kernels(all.pack)[index];

	return (uintptr_t)all.code + k->code_offset[length];
}

/* Word by word: this precedes each kernel that has memory. */
static void fill_pattern(const struct pack_image *image, size_t n)
{
	uint64_t pattern[sizeof(image->memory) / sizeof(uint64_t)];

	memcpy(pattern, image->memory, sizeof(pattern));
	_Static_assert(ARRAY_LEN(pattern) == 2, "words of the pattern");
	for (size_t i = 0; i + 1 < n; i += 2) {
		all.memory[i] = pattern[0];
		all.memory[i + 1] = pattern[1];
	}
	if (n % 2)
		all.memory[n - 1] = pattern[0];
}

/* Numbers half a word apart span two words each. */
static void fill_self(size_t n, bool odd)
{
	enum { HALF = 32 };
	uint64_t self = (uintptr_t)all.memory;

	for (size_t i = 0; i < n; i++, self += sizeof(self)) {
		uint64_t before = self - sizeof(self) / 2;
		uint64_t here = self + sizeof(self) / 2;

		all.memory[i] = odd ? before >> HALF | here << HALF : self;
	}
}

/* One pass through the cycle puts the caches into the state of a chase. */
static void fill_chain(const struct pack_image *image)
{
	enum { MOST_STEPS = 1 << 20 };
	struct chain chain;
	const uint64_t *at;

	memcpy(&chain, image->memory, sizeof(chain));
	chain_fill(&chain, all.memory, (uintptr_t)all.memory);
	at = (const uint64_t *)(uintptr_t)all.memory[0];
	for (uint32_t i = 0; i < chain.places && i < MOST_STEPS; i++)
		at = *(const uint64_t *const volatile *)(const void *)at;
}

static void fill_memory(const struct pack_image *image)
{
	size_t n = pack_header(all.pack)->memory_bytes / sizeof(uint64_t);

	if (image->memory_fill == PACK_FILL_PATTERN)
		fill_pattern(image, n);
	else if (image->memory_fill == PACK_FILL_CHAIN)
		fill_chain(image);
	else
		fill_self(n, image->memory_fill == PACK_FILL_SELF_ODD);
}

static void fill_bytes(unsigned char *to, const struct pack_data *d)
{
	const unsigned char *value = (const void *)(d + 1);

	for (uint32_t i = 0; i < d->bytes; i += d->value_bytes) {
		uint32_t rest = d->bytes - i;

		memcpy(to + i, value,
		       d->value_bytes < rest ? d->value_bytes : rest);
	}
}

/* Place the kernel's data; NULL, or a piece for which there is no memory. */
static const struct pack_data *place_data(const struct pack_kernel *k,
					  uint32_t owner)
{
	const struct pack_data *d = pack_data_at(all.pack, k->data);

	for (; d; d = pack_data_at(all.pack, d->next)) {
		if (d->is_address && !boot_appear(owner, d->at, d->bytes))
			return d;
		fill_bytes(d->is_address ? (unsigned char *)(uintptr_t)d->at
					 : (unsigned char *)all.memory + d->at,
			   d);
	}
	return NULL;
}

static bool has_image(const struct slot *s, const struct pack_kernel *k)
{
	return s->n_opened == all.n_opened && s->image_index == k->image &&
	       s->counter == k->counter;
}

/* Addresses are in the registers that hold them, so that the measuring routine only
 * loads. */
static void load_image(struct slot *s, const struct pack_kernel *k)
{
	struct pack_image *image = &s->image;

	*image = pack_images(all.pack)[k->image];
	for (unsigned i = 0; i < ARRAY_LEN(image->gpr); i++)
		if (image->gpr_is_memory >> i & 1)
			image->gpr[i] += (uintptr_t)all.memory;
	s->n_opened = all.n_opened;
	s->image_index = k->image;
	s->counter = k->counter;
}

void slot_load(struct slot *s, uint32_t index)
{
	const struct pack_kernel *k = &pack_kernels(all.pack)[index];
	struct pack_image *image = &s->image;
	const struct pack_data *missing;

	if (!has_image(s, k))
		load_image(s, k);
	/* A kernel must not see what an earlier one stored. */
	if (image->gpr_is_memory)
		fill_memory(image);
	missing = place_data(k, 1 + index);
	s->refused = missing ? "map" : NULL;
	s->refused_at = missing ? missing->at : 0;
	/* Own code has no business with the system. */
	if ((k->flags & PACK_KERNEL_PAGES) && !boot_refuse_calls() &&
	    (k->flags & PACK_KERNEL_CALLS))
		s->refused = "syscall";
	s->kernel = k;
	for (int i = 0; i < PACK_LENGTHS; i++) {
		s->run[i] = (struct arch_run){
			.code = all.code + k->code_offset[i],
			.image = image,
			.memory = (uintptr_t)all.memory,
			.memory_end = (uintptr_t)all.memory + all.memory_bytes,
		};
		if (k->flags & PACK_KERNEL_VECTOR)
			s->run[i].vector = k->flags;
		if (k->flags & PACK_KERNEL_PAGES)
			s->run[i].pages = 1 + index;
	}
}

void slot_iterations(struct slot *s, uint64_t n)
{
	s->image.gpr[s->kernel->counter] = n;
}

static bool slot_run_once(struct arch_run *r, uint64_t *ret_ticks)
{
	if (boot_run(r, all.clock, all.limit, &all.fault))
		return false;
	*ret_ticks = r->end - r->begin;
	all.inside += *ret_ticks;
	return true;
}

uint64_t slot_inside(void)
{
	uint64_t ticks = all.inside;

	all.inside = 0;
	return ticks;
}

bool slot_run(struct slot *s, int length, uint64_t *ret_ticks)
{
	if (s->refused) {
		all.fault = (struct arch_fault){ .cause = s->refused,
						 .address = s->refused_at };
		return false;
	}
	return slot_run_once(&s->run[length], ret_ticks);
}

bool slot_observe(const struct slot *s, int length)
{
	struct arch_run r = s->run[length];
	uint64_t ticks;

	memset(&arch_registers, 0, sizeof(arch_registers));
	arch_observed = r.code;
	r.code = arch_observe;
	return slot_run_once(&r, &ticks);
}

bool slot_run_empty(const struct slot *s, uint64_t *ret_ticks)
{
	struct arch_run r = s->run[0];
	uint64_t best = UINT64_MAX;

	r.code = (const void *)(uintptr_t)nothing;
	for (int i = 0; i < EMPTY_RUNS; i++) {
		uint64_t ticks;

		if (!slot_run_once(&r, &ticks))
			return false;
		if (ticks < best)
			best = ticks;
	}
	*ret_ticks = best;
	return true;
}

const struct arch_fault *slot_fault(void)
{
	return &all.fault;
}
