/* The plugin's start, and the processes and threads of the guest. */
#include "host/guest/plugin.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/guest/heap.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static int refuse(const char *reason)
{
	if (plugin.x)
		(void)snprintf(plugin.x->reason, EXCHANGE_REASON, "%s", reason);
	return 1;
}

/* ---- slots --------------------------------------------------------------- */

static void open_heap(void)
{
	const struct exchange *x = plugin.x;

	heap_open((char *)plugin.slot + x->heap_at, x->slot_bytes - x->heap_at,
		  &plugin.slot->heap_used);
}

/* Before fork(): the child's slot gets the caches as they are.  All other
 * threads stand still. */
static void before_fork(void)
{
	uint32_t i = atomic_fetch_add(&plugin.x->slots_taken, 1);
	struct exchange_slot *s = MAP_FAILED;

	plugin.child = EXCHANGE_NONE;
	plugin_flush_all();
	if (i < EXCHANGE_SLOTS)
		s = plugin_map_slot(i, NULL, 0);
	if (s == MAP_FAILED)
		return;
	memcpy((char *)s + plugin.x->heap_at,
	       (char *)plugin.slot + plugin.x->heap_at, plugin.slot->heap_used);
	s->heap_used = plugin.slot->heap_used;
	s->sim = plugin.slot->sim;
	(void)munmap(s, plugin.x->slot_bytes);
	plugin.child = i;
}

/* In the child: its slot takes the place of its parent's.  Without one, what
 * it counts is private to it and goes nowhere. */
static void after_fork(void)
{
	void *p = MAP_FAILED;

	if (plugin.child != EXCHANGE_NONE)
		p = plugin_map_slot(plugin.child, plugin.slot, MAP_FIXED);
	if (p == MAP_FAILED) {
		atomic_fetch_add(&plugin.x->unseen_processes, 1);
		p = mmap(plugin.slot, plugin.x->slot_bytes,
			 PROT_READ | PROT_WRITE,
			 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS |
				 MAP_NORESERVE,
			 -1, 0);
		if (p == MAP_FAILED)
			abort();
		for (unsigned k = 0; k < PLUGIN_VCPUS; k++)
			if (plugin.vcpus[k])
				plugin.vcpus[k]->cache = NULL;
	}
	plugin.number = plugin.child;
	atomic_store(&plugin.slot->pid, (uint32_t)getpid());
	if (plugin.slot->sim)
		cache_sim_forget(plugin.slot->sim);
	if (plugin.ended)
		plugin_part_counters();
	for (unsigned k = 0; k < PLUGIN_VCPUS; k++)
		if (plugin.vcpus[k])
			plugin.vcpus[k]->site = NULL;
	(void)pthread_mutex_init(&plugin.translating, NULL);
	(void)pthread_mutex_init(&plugin.accessing, NULL);
}

/* ---- callbacks ----------------------------------------------------------- */

static struct vcpu *vcpu_new(void)
{
	struct vcpu *v = calloc(1, sizeof(*v));

	if (v && plugin.slot->sim)
		v->cache = cache_cpu_new(plugin.slot->sim);
	if (v)
		v->predictor = plugin_predictor();
	return v;
}

/* QEMU translates all blocks again before a second thread runs. */
static void on_thread(qemu_plugin_id_t id, unsigned index)
{
	struct vcpu **v = &plugin.vcpus[index % PLUGIN_VCPUS];

	(void)id;
	if (atomic_fetch_add(&plugin.n_vcpus, 1) > 0)
		plugin.parallel = true;
	(void)pthread_mutex_lock(&plugin.accessing);
	if (!*v)
		*v = vcpu_new();
	if (*v && plugin.x->functions)
		plugin_function_thread(*v);
	(void)pthread_mutex_unlock(&plugin.accessing);
	if (!*v)
		abort();
}

/* NOLINTNEXTLINE(*function-size): the parameters that QEMU gives. */
static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
		       uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
		       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)vcpu, (void)a1, (void)a2, (void)a3, (void)a4;
	(void)a5, (void)a6, (void)a7, (void)a8;
	for (size_t i = 0; i < EXCHANGE_CALLS; i++)
		if (number > 0 && plugin.x->exec_calls[i] == number)
			atomic_fetch_add(&plugin.x->execs, 1);
}

static void on_end(qemu_plugin_id_t id, void *data)
{
	(void)id, (void)data;
	plugin_flush_all();
}

/* ---- start --------------------------------------------------------------- */

static int open_exchange(const char *path)
{
	enum { HEAD = 1 << 12 };
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct exchange *x;
	size_t n;

	if (fd < 0)
		return 1;
	x = mmap(NULL, HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	n = x == MAP_FAILED ? 0 : x->slots_at;
	if (n > 0) {
		(void)munmap(x, HEAD);
		x = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	(void)close(fd);
	if (n == 0 || x == MAP_FAILED)
		return 1;
	plugin.x = x;
	(void)snprintf(plugin.path, sizeof(plugin.path), "%s", path);
	return x->version == EXCHANGE_VERSION
		       ? 0
		       : refuse("the plugin is of another version");
}

static int open_caches(void)
{
	const struct exchange *x = plugin.x;
	const struct cache_hierarchy *h =
		(const void *)((const char *)x + x->hierarchies_at);
	struct cache_options o = { .classes = x->classes, .trace = x->trace };

	plugin.line_shift = x->line_shift;
	if (x->n_hierarchies == 0)
		return 0;
	plugin.slot->sim = cache_sim_new(h, x->n_hierarchies, &o);
	return plugin.slot->sim ? 0 : refuse("no memory for the caches");
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
			       const struct qemu_info *info, int argc,
			       char **argv)
{
	static const char key[] = "exchange=";

	if (argc != 1 || strncmp(argv[0], key, sizeof(key) - 1) != 0 ||
	    info->system_emulation ||
	    open_exchange(argv[0] + sizeof(key) - 1) != 0)
		return 1;
	plugin.id = id;
	plugin.sites = calloc(EXCHANGE_RECORDS, sizeof(struct access_site *));
	plugin.slot = plugin_map_slot(0, (void *)plugin.x->window,
				      MAP_FIXED_NOREPLACE);
	if (!plugin.sites || plugin.slot != (void *)plugin.x->window)
		return refuse("no memory for the counters");
	open_heap();
	if (open_caches() != 0)
		return 1;
	atomic_store(&plugin.slot->pid, (uint32_t)getpid());
	atomic_store(&plugin.x->slots_taken, 1);
	if (pthread_atfork(before_fork, NULL, after_fork) != 0)
		return refuse("no memory for the fork handlers");
	qemu_plugin_register_vcpu_init_cb(id, on_thread);
	qemu_plugin_register_vcpu_tb_trans_cb(id, plugin_on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
