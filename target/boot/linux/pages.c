/* Pages for own code: wherever a kernel with PACK_KERNEL_PAGES accesses memory
 * that is not there, the same page appears.  Addresses that code computes or
 * loads then exist, and all of them together stay in a first-level cache, which
 * knows a line by its physical address. */
#include "target/boot/linux/linux.h"

enum {
	PAGE_BYTES = 4096,
	PROT_READ_WRITE = 3,
	MAP_SHARED = 0x01,
	MAP_FIXED_NOREPLACE = 0x100000,
	MFD_CLOEXEC = 1,
	MAX_PAGES = 512, /* of one kernel: more would not stay in the TLB */
	/* Null pointers with an offset stay what they are. */
	LOWEST = 1 << 16,
	MAP_PRIVATE = 0x02,
	MAP_ANONYMOUS = 0x20,
	MAP_POPULATE = 0x8000,
	MAX_OWN = 64, /* pieces of memory of their own, of one kernel */
};

static struct {
	long fd; /* of the page, -1: it could not be made, 0: not yet */
	uint64_t *page;
	uint32_t kernel; /* that has them */
	uint32_t n;
	uint64_t at[MAX_PAGES];
	/* Memory at addresses that the kernel names. */
	uint32_t owner, n_own;
	struct {
		uint64_t at, end;
	} own[MAX_OWN];
} pages;

static void *map_at(uint64_t at, long flags)
{
	long got = linux_call(LINUX_MMAP, (long)at, PAGE_BYTES, PROT_READ_WRITE,
			      flags, pages.fd, 0);

	return got < 0 && got > -PAGE_BYTES ? NULL : (void *)got;
}

static bool make_page(void)
{
	if (pages.fd == 0) {
		pages.fd = linux_call(LINUX_MEMFD_CREATE, (long)"page",
				      MFD_CLOEXEC, 0, 0, 0, 0);
		if (pages.fd > 0 && linux_call(LINUX_FTRUNCATE, pages.fd,
					       PAGE_BYTES, 0, 0, 0, 0) >= 0)
			pages.page = map_at(0, MAP_SHARED);
		if (!pages.page)
			pages.fd = -1;
	}
	return pages.fd > 0;
}

/* What the kernel's own memory holds (enum pack_fill): the pattern, or addresses
 * of that memory. */
static void fill_page(const struct arch_run *run)
{
	const struct pack_image *m = run->image;
	uint64_t bytes = run->memory_end - run->memory;

	for (uint32_t i = 0; i < PAGE_BYTES / 8; i++)
		pages.page[i] = m->memory_fill == PACK_FILL_PATTERN
					? load_u64(m->memory + i % 2 * 8)
					: run->memory + 8 * i % bytes;
}

/* A kernel sees nothing of what an earlier one accessed. */
static void drop_pages(void)
{
	for (uint32_t i = 0; i < pages.n; i++)
		(void)linux_call(LINUX_MUNMAP, (long)pages.at[i], PAGE_BYTES, 0,
				 0, 0, 0);
	pages.n = 0;
	pages.kernel = 0;
}

static void drop_own(void)
{
	for (uint32_t i = 0; i < pages.n_own; i++)
		(void)linux_call(LINUX_MUNMAP, (long)pages.own[i].at,
				 (long)(pages.own[i].end - pages.own[i].at), 0,
				 0, 0, 0);
	pages.n_own = 0;
}

static bool has_own(uint64_t at, uint64_t end)
{
	for (uint32_t i = 0; i < pages.n_own; i++)
		if (at >= pages.own[i].at && end <= pages.own[i].end)
			return true;
	return false;
}

/* Whole pages; what two pieces share appears with the first. */
bool boot_appear(uint32_t owner, uint64_t at, size_t n)
{
	uint64_t begin = at & ~(uint64_t)(PAGE_BYTES - 1);
	uint64_t end = (at + n + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
	long got;

	if (pages.owner != owner) {
		drop_pages();
		drop_own();
		pages.owner = owner;
	}
	while (begin < end && has_own(begin, begin + PAGE_BYTES))
		begin += PAGE_BYTES;
	if (begin >= end)
		return end != 0;
	if (pages.n_own == MAX_OWN)
		return false;
	got = linux_call(LINUX_MMAP, (long)begin, (long)(end - begin),
			 PROT_READ_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE |
				 MAP_FIXED_NOREPLACE,
			 -1, 0);
	if (got != (long)begin)
		return false;
	pages.own[pages.n_own].at = begin;
	pages.own[pages.n_own++].end = end;
	return true;
}

static void begin_kernel(const struct arch_run *run)
{
	drop_pages();
	if (pages.owner != run->pages) {
		drop_own();
		pages.owner = 0;
	}
	pages.kernel = run->pages;
	fill_page(run);
}

bool linux_add_page(const struct arch_run *run, uint64_t address)
{
	uint64_t at = address & ~(uint64_t)(PAGE_BYTES - 1);

	if (at < LOWEST || !make_page())
		return false;
	if (pages.kernel != run->pages)
		begin_kernel(run);
	if (pages.n == MAX_PAGES ||
	    map_at(at, MAP_SHARED | MAP_FIXED_NOREPLACE) != (void *)at)
		return false;
	pages.at[pages.n++] = at;
	return true;
}
