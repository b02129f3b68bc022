/* Memory of a process: the pack is mapped from its file; code pages are written
 * first and then made executable, never both at once. */
#include "target/boot/linux/linux.h"

enum {
	AT_FDCWD = -100,
	O_RDONLY = 0,
	O_CLOEXEC = 02000000,
	PROT_READ = 1,
	PROT_WRITE = 2,
	PROT_EXEC = 4,
	MAP_PRIVATE = 0x02,
	MAP_FIXED = 0x10,
	MAP_ANONYMOUS = 0x20,
	MAP_LOCKED = 0x2000,
	MAP_POPULATE = 0x8000,
	MCL_CURRENT = 1,
	MADV_HUGEPAGE = 14,
	MADV_NOHUGEPAGE = 15,
	ENTRY = 8, /* bytes, of a table of pages */
	MREMAP_MAYMOVE = 1,
	MREMAP_FIXED = 2,
	PAGE_SHIFT = 12,
	LARGE_PAGE = 2 << 20, /* of pages of 4 KiB */
	STAT_BYTES = 256,     /* struct stat is at most 144 */
};

static struct {
	const void *pack;
	size_t n;
	uintptr_t
		first_code; /* where code was before it first moved; 0: it did not */
	void *data;         /* of boot_memory() */
	size_t n_data;
	uintptr_t huge; /* bytes of a large page */
} memory = { .huge = LARGE_PAGE };

static void *map(size_t n, int prot, int flags, long fd)
{
	long at = linux_call(LINUX_MMAP, 0, (long)n, prot, flags, fd, 0);

	return at < 0 && at > -4096 ? NULL : (void *)at;
}

void linux_use_pages(uint64_t page_bytes)
{
	if (page_bytes)
		memory.huge = page_bytes * (page_bytes / ENTRY);
}

bool linux_map_pack(const char *path)
{
	unsigned char stat[STAT_BYTES] __attribute__((aligned(8)));
	long fd = linux_call(LINUX_OPENAT, AT_FDCWD, (long)path,
			     O_RDONLY | O_CLOEXEC, 0, 0, 0);

	if (fd < 0 || linux_call(LINUX_FSTAT, fd, (long)stat, 0, 0, 0, 0) < 0) {
		linux_complain("pack", path, "a file that can be read");
		return false;
	}

	int64_t n = *(const int64_t *)(stat + linux_stat_size_offset);

	if (n > 0 && n <= PACK_MAX_BYTES)
		memory.pack = map((size_t)n, PROT_READ,
				  MAP_PRIVATE | MAP_POPULATE, fd);
	linux_call(LINUX_CLOSE, fd, 0, 0, 0, 0, 0);
	if (!memory.pack) {
		linux_complain("pack", path, "a file of 1 byte to 256 MiB");
		return false;
	}
	memory.n = (size_t)n;
	return true;
}

const void *boot_pack(size_t *ret_bytes)
{
	*ret_bytes = memory.n;
	return memory.pack;
}

void *boot_code_alloc(size_t n)
{
	return map(n, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1);
}

/* Addresses for n bytes from a large page on, in place of the last; n is 0: none. */
static bool use_data(size_t n)
{
	if (memory.data)
		(void)linux_call(LINUX_MUNMAP, (long)memory.data,
				 (long)memory.n_data, 0, 0, 0, 0);
	memory.n_data = n + memory.huge;
	memory.data = n ? map(memory.n_data, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1)
			: NULL;
	return memory.data != NULL;
}

/* Pages of a mapping have their size when they are first touched, so it is not
 * populated before the kernel knows which are wanted. */
void *boot_memory(size_t n, bool huge)
{
	uintptr_t at;

	if (!use_data(n))
		return NULL;
	at = ((uintptr_t)memory.data + memory.huge - 1) & ~(memory.huge - 1);
	/* Without such pages there are others. */
	(void)linux_call(LINUX_MADVISE, (long)at, (long)n,
			 huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE, 0, 0, 0);
	for (size_t i = 0; i < n; i += 1u << PAGE_SHIFT)
		((volatile unsigned char *)at)[i] = 0;
	return (void *)at;
}

size_t boot_memory_most(void)
{
	size_t n = PACK_MOST_MEMORY;

	while (n > PACK_MAX_MEMORY && !use_data(n))
		n /= 2;
	(void)use_data(0);
	return n > PACK_MAX_MEMORY ? n : 0;
}

/* A system says it to programs. */
uint64_t boot_page_bytes(void)
{
	return 0;
}

/* An address that is free for n bytes, drawn from 64 GiB below where code was first;
 * NULL: none was found.  The pages there are given up: nothing else maps memory
 * meanwhile. */
static void *draw_address(const void *code, size_t n)
{
	/* Steps of pages; the counter's low bits are as good as random. */
	const uint64_t draw = arch_ref_now() * UINT64_C(0x9e3779b97f4a7c15);
	const uint64_t back = (draw >> (64 - 24)) << PAGE_SHIFT;
	uintptr_t at = memory.first_code ? memory.first_code : (uintptr_t)code;

	memory.first_code = at;
	at &= ~(uintptr_t)((1u << PAGE_SHIFT) - 1);
	if (back + n >= at)
		return NULL;
	long got = linux_call(LINUX_MMAP, (long)(at - back - n), (long)n, 0,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (got < 0 && got > -4096)
		return NULL;
	(void)linux_call(LINUX_MUNMAP, got, (long)n, 0, 0, 0, 0);
	return (void *)got;
}

void *boot_move(void *code, size_t n_code, void *data, size_t n_data)
{
	void *to = draw_address(code, n_code);
	long moved = to ? linux_call(LINUX_MREMAP, (long)code, (long)n_code,
				     (long)n_code,
				     MREMAP_MAYMOVE | MREMAP_FIXED, (long)to, 0)
			: -1;

	const long flags =
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_FIXED;

	/* Locked like the rest, where that is allowed.  Without a page behind
	 * it the process ends at its next kernel: a death of the board like any
	 * other. */
	if (linux_call(LINUX_MMAP, (long)data, (long)n_data,
		       PROT_READ | PROT_WRITE, flags | MAP_LOCKED, -1, 0) < 0)
		(void)linux_call(LINUX_MMAP, (long)data, (long)n_data,
				 PROT_READ | PROT_WRITE, flags, -1, 0);
	return moved < 0 && moved > -4096 ? code : (void *)moved;
}

int boot_code_seal(void *p, size_t n)
{
	arch_sync_code(p, n);
	if (linux_call(LINUX_MPROTECT, (long)p, (long)n, PROT_READ | PROT_EXEC,
		       0, 0, 0) < 0)
		return -1;
	/* All memory is mapped at this point.  Without the right to lock it,
	 * measuring continues unlocked. */
	(void)linux_call(LINUX_MLOCKALL, MCL_CURRENT, 0, 0, 0, 0, 0);
	return 0;
}
