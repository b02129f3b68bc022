/* The memory file on the collector's side; its layout is in exchange.h. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/guest/run.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum { PAGE = 1 << 12 };

static uint64_t pages(uint64_t n)
{
	return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* Reserve an address range that the emulator has free, too: far from where
 * Linux places programs, libraries and stacks on any of its machines. */
static uint64_t reserve_window(uint64_t bytes)
{
	enum { FIRST = 0x60, LAST = 0x68 };

	for (uint64_t i = FIRST; i < LAST; i++) {
		char *at = (char *)(i << 40);
		char *p = mmap(at, bytes, PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				       MAP_FIXED_NOREPLACE,
			       -1, 0);

		if (p == at)
			return (uint64_t)p;
		if (p != MAP_FAILED)
			(void)munmap(p, bytes);
	}
	return 0;
}

static void lay_out(const struct guest_request *q, struct exchange *x)
{
	enum { USUAL_LINE = 64 };
	uint32_t line = q->n_hierarchies ? cache_shortest_line(q->hierarchies,
							       q->n_hierarchies)
					 : USUAL_LINE;

	x->version = EXCHANGE_VERSION;
	x->host_pid = (uint32_t)getpid();
	_Static_assert((int)EXCHANGE_CALLS == (int)GUEST_CALLS, "one list");
	for (size_t i = 0; i < EXCHANGE_CALLS; i++)
		x->exec_calls[i] = q->c->isa->guest->exec_calls[i];
	x->fixed_size = q->c->isa->loop->code_unit == EXCHANGE_BEFORE;
	x->line_shift = (uint32_t)__builtin_ctz(line);
	x->n_hierarchies = (uint32_t)q->n_hierarchies;
	x->hierarchies_at = pages(sizeof(*x));
	x->accesses = q->accesses || q->probe;
	x->classes = q->classes;
	x->trace = q->trace;
	if (q->predict)
		x->core = q->core;
	x->functions = q->functions != NULL;
	x->slots_at = x->hierarchies_at +
		      pages(q->n_hierarchies * sizeof(*q->hierarchies));
	x->counts_at = pages(sizeof(struct exchange_slot));
	x->mispredicted_at = x->counts_at + EXCHANGE_BLOCKS * sizeof(uint64_t);
	x->records_at = x->mispredicted_at + EXCHANGE_BLOCKS * sizeof(uint64_t);
	x->heap_at =
		x->records_at + EXCHANGE_RECORDS * sizeof(struct access_counts);
	x->slot_bytes = x->heap_at +
			(q->heap_bytes ? pages(q->heap_bytes) : EXCHANGE_HEAP);
}

int run_open_exchange(struct guest_run *r, struct err *e)
{
	const struct guest_request *q = &r->request;
	struct exchange layout = { 0 };

	lay_out(q, &layout);
	r->head_bytes = layout.slots_at;
	r->mapped = EXCHANGE_NONE;
	r->fd = memfd_create("anechoic", MFD_CLOEXEC);
	if (r->fd < 0 ||
	    ftruncate(r->fd,
		      (off_t)exchange_slot_at(&layout, EXCHANGE_SLOTS)) != 0)
		return err_set(e, ERR_SYSTEM,
			       "cannot create the memory that the emulator "
			       "shares: %s",
			       strerror(errno));
	r->x = mmap(NULL, r->head_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		    r->fd, 0);
	layout.window = reserve_window(layout.slot_bytes);
	if (r->x == MAP_FAILED || layout.window == 0) {
		r->x = r->x == MAP_FAILED ? NULL : r->x;
		return err_set(e, ERR_SYSTEM,
			       "cannot map the memory that the emulator "
			       "shares: %s",
			       strerror(errno));
	}
	r->window = true;
	memcpy(r->x, &layout, sizeof(layout));
	if (q->n_hierarchies)
		memcpy((char *)r->x + layout.hierarchies_at, q->hierarchies,
		       q->n_hierarchies * sizeof(*q->hierarchies));
	return ERR_OK;
}

void run_close_exchange(struct guest_run *r)
{
	for (size_t i = 0; r->x && i < EXCHANGE_SLOTS; i++)
		if (r->slots[i])
			(void)munmap(r->slots[i], r->x->heap_at);
	if (r->window)
		(void)munmap((void *)r->x->window, r->x->slot_bytes);
	if (r->x)
		(void)munmap(r->x, r->head_bytes);
	if (r->fd >= 0)
		(void)close(r->fd);
}

uint32_t run_n_slots(const struct guest_run *r)
{
	uint32_t n = atomic_load(&r->x->slots_taken);

	return n < EXCHANGE_SLOTS ? n : EXCHANGE_SLOTS;
}

struct exchange_slot *run_slot(struct guest_run *r, uint32_t i)
{
	void *p;

	if (r->slots[i])
		return r->slots[i];
	p = mmap(NULL, r->x->heap_at, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd,
		 (off_t)exchange_slot_at(r->x, i));
	r->slots[i] = p == MAP_FAILED ? NULL : p;
	return r->slots[i];
}

const struct cache_sim *guest_caches(struct guest_run *r, uint32_t process)
{
	const struct exchange_slot *s = (const void *)r->x->window;
	void *p;

	if (process >= run_n_slots(r))
		return NULL;
	if (r->mapped != process) {
		p = mmap((void *)r->x->window, r->x->slot_bytes,
			 PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, r->fd,
			 (off_t)exchange_slot_at(r->x, process));
		if (p == MAP_FAILED)
			return NULL;
		r->mapped = process;
	}
	return s->sim;
}
