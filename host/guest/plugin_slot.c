/* The plugin's state, and the slot of this process in the memory file. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/guest/plugin.h"

struct plugin plugin = {
	.translating = PTHREAD_MUTEX_INITIALIZER,
	.accessing = PTHREAD_MUTEX_INITIALIZER,
	.child = EXCHANGE_NONE,
};

/* The descriptor does not stay open. */
void *plugin_map_slot(uint32_t i, void *at, int flags)
{
	int fd = open(plugin.path, O_RDWR | O_CLOEXEC);
	void *p = MAP_FAILED;

	if (fd >= 0) {
		p = mmap(at, plugin.x->slot_bytes, PROT_READ | PROT_WRITE,
			 MAP_SHARED | flags, fd,
			 (off_t)exchange_slot_at(plugin.x, i));
		(void)close(fd);
		if (p != MAP_FAILED)
			(void)madvise(p, plugin.x->slot_bytes, MADV_DONTDUMP);
	}
	return p;
}

void plugin_part_counters(void)
{
	struct exchange *x = plugin.x;
	int fd = open(plugin.path, O_RDWR | O_CLOEXEC);
	off_t at = (off_t)(exchange_slot_at(x, plugin.number) + x->counts_at);
	void *p =
		fd < 0 ? MAP_FAILED
		       : mmap((char *)plugin.slot + x->counts_at,
			      x->slot_bytes - x->counts_at,
			      PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, at);

	if (fd >= 0)
		(void)close(fd);
	if (p != MAP_FAILED)
		plugin.ended = true;
}
