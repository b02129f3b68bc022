/* Translated blocks: asks the collector what their instructions access, and
 * places the counters and callbacks. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "host/guest/plugin.h"

/* ---- questions ----------------------------------------------------------- */

static bool host_lives(void)
{
	return kill((pid_t)plugin.x->host_pid, 0) == 0 || errno == EPERM;
}

/* False if the collector is gone. */
static bool ask(void)
{
	enum { PATIENCE_MS = 200 };
	struct exchange_slot *s = plugin.slot;
	int saved = errno;
	bool lives = true;

	atomic_store(&s->state, SLOT_ASKING);
	atomic_fetch_add(&plugin.x->bell, 1);
	exchange_wake(&plugin.x->bell);
	while (lives && atomic_load(&s->state) == SLOT_ASKING) {
		exchange_wait(&s->state, SLOT_ASKING, PATIENCE_MS);
		lives = host_lives();
	}
	errno = saved;
	return atomic_load(&s->state) == SLOT_ANSWERED;
}

/* The page before the code may not be there. */
static void read_before(struct exchange_slot *s)
{
	struct iovec to = { s->before, sizeof(s->before) };
	struct iovec from = { (void *)(s->question[0].address + s->guest_base -
				       sizeof(s->before)),
			      sizeof(s->before) };

	memset(s->before, 0, sizeof(s->before));
	(void)process_vm_readv(getpid(), &to, 1, &from, 1, 0);
}

/* About the instructions from `first` on as a block of their own.  False if it
 * has no number. */
static bool ask_about(struct qemu_plugin_tb *tb, size_t first, size_t n)
{
	struct exchange_slot *s = plugin.slot;
	bool ret;

	if (n == 0 || n > EXCHANGE_INSNS)
		return false;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *x =
			qemu_plugin_tb_get_insn(tb, first + i);
		struct question_insn *q = &s->question[i];
		size_t n_code = qemu_plugin_insn_size(x);

		q->address = qemu_plugin_insn_vaddr(x);
		if (i == 0)
			s->guest_base = (uint64_t)qemu_plugin_insn_haddr(x) -
					q->address;
		q->n_code = (uint8_t)(n_code < EXCHANGE_CODE ? n_code
							     : EXCHANGE_CODE);
		memcpy(q->code, qemu_plugin_insn_data(x), q->n_code);
	}
	read_before(s);
	s->n_insns = (uint32_t)n;
	ret = ask() && s->block < EXCHANGE_BLOCKS;
	atomic_store(&s->state, SLOT_IDLE);
	return ret;
}

/* ---- instrumentation ----------------------------------------------------- */

static void on_block(unsigned vcpu, void *data)
{
	const struct plugin_block *b = data;
	struct vcpu *v = plugin_vcpu(vcpu);

	plugin_predict(v, b);
	v->blocks++;
	v->now += b->n_insns;
	plugin_count(b->count, 1);
}

/* The first n instructions from `first` on, from the slot's question and
 * answer. NULL if memory is short. */
static struct plugin_block *block_of(struct qemu_plugin_tb *tb, size_t first,
				     size_t n)
{
	const struct exchange_slot *s = plugin.slot;
	struct qemu_plugin_insn *last =
		qemu_plugin_tb_get_insn(tb, first + n - 1);
	struct plugin_block *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	*b = (struct plugin_block){
		.count = &slot_counts(plugin.x, plugin.slot)[s->block],
		.n_insns = n,
		.begin = s->question[0].address,
		.last = qemu_plugin_insn_vaddr(last),
		.number = s->block,
		.jump = s->jump,
		.leaves = s->leaves,
		.enters = s->answer[0].enters,
	};
	b->end = b->last + qemu_plugin_insn_size(last);
	return b;
}

static void count_block(struct qemu_plugin_tb *tb, uint64_t *count, size_t n)
{
	bool functions = plugin.x->functions;
	struct plugin_block *b;

	if (!functions && !plugin.parallel && !plugin.x->core.history) {
		qemu_plugin_register_vcpu_tb_exec_inline(
			tb, QEMU_PLUGIN_INLINE_ADD_U64, count, 1);
		if (!plugin.x->accesses)
			return;
		qemu_plugin_register_vcpu_tb_exec_inline(
			tb, QEMU_PLUGIN_INLINE_ADD_U64, &plugin.vcpus[0]->now,
			n);
		return;
	}
	b = block_of(tb, 0, n);
	if (b)
		qemu_plugin_register_vcpu_tb_exec_cb(
			tb, functions ? plugin_on_function_block : on_block,
			QEMU_PLUGIN_CB_NO_REGS, b);
}

/* The site of a record: the same after another translation.
 * NOLINTNEXTLINE(*non-const-parameter): callbacks of the site count there. */
static struct access_site *site_of(const struct answer_insn *a, uint64_t *count,
				   size_t behind)
{
	struct access_site **s = &plugin.sites[a->record];

	if (!*s)
		*s = malloc(sizeof(**s));
	if (*s)
		**s = (struct access_site){
			.count = count,
			.record =
				&slot_records(plugin.x, plugin.slot)[a->record],
			.place = a->record,
			.behind = (uint16_t)behind,
			.bytes = a->bytes,
			.loads = a->loads,
			.stores = a->stores,
			.modifies = a->modifies,
			.state = a->state,
		};
	return *s;
}

static void call(struct qemu_plugin_insn *insn, qemu_exec_cb *cb, void *data)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, cb, QEMU_PLUGIN_CB_NO_REGS,
					       data);
}

/* An access found from the CPU state; `next` settles it, NULL: the next block
 * does. */
static void watch_state(struct qemu_plugin_insn *insn,
			struct qemu_plugin_insn *next, struct access_site *s)
{
	if (s->state.early)
		call(insn, plugin_frame_early, s);
	if (next)
		call(next, plugin_frame_settle, s);
	else if (plugin.x->fixed_size)
		call(insn, plugin_state_pend, s);
	else
		qemu_plugin_register_vcpu_mem_inline(
			insn, QEMU_PLUGIN_MEM_RW, QEMU_PLUGIN_INLINE_ADD_U64,
			&plugin.x->stray_accesses, 1);
}

static void watch(struct qemu_plugin_insn *insn, struct qemu_plugin_insn *next,
		  const struct answer_insn *a, uint64_t *count, size_t behind)
{
	struct access_site *s =
		a->record < EXCHANGE_RECORDS ? site_of(a, count, behind) : NULL;

	if (a->probe)
		call(insn, plugin_frame_probe, NULL);
	if (!s)
		qemu_plugin_register_vcpu_mem_inline(
			insn, QEMU_PLUGIN_MEM_RW, QEMU_PLUGIN_INLINE_ADD_U64,
			&plugin.x->stray_accesses, 1);
	else if (s->state.any)
		watch_state(insn, next, s);
	else
		qemu_plugin_register_vcpu_mem_cb(insn, plugin_on_access,
						 QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_RW, s);
}

static void watch_all(struct qemu_plugin_tb *tb, size_t n, uint64_t *count)
{
	const struct answer_insn *a = plugin.slot->answer;
	struct qemu_plugin_insn *x = qemu_plugin_tb_get_insn(tb, 0), *next;

	if (plugin.slot->settles)
		call(x, plugin_frame_settle, NULL);
	for (size_t i = 0; i < n; i++, x = next) {
		next = i + 1 < n ? qemu_plugin_tb_get_insn(tb, i + 1) : NULL;
		watch(x, next, &a[i], count, n - 1 - i);
	}
}

static void watch_regions(struct qemu_plugin_tb *tb, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (plugin.slot->answer[i].region == REGION_BEGINS)
			call(qemu_plugin_tb_get_insn(tb, i),
			     plugin_region_begin, NULL);
		else if (plugin.slot->answer[i].region == REGION_ENDS)
			call(qemu_plugin_tb_get_insn(tb, i), plugin_region_end,
			     NULL);
}

/* Functions that begin within a block.  What the slot answered about the block
 * is overwritten. */
static void watch_entries(struct qemu_plugin_tb *tb, size_t n)
{
	const struct exchange_slot *s = plugin.slot;
	bool enters[EXCHANGE_INSNS];

	for (size_t i = 1; i < n; i++)
		enters[i] = s->answer[i].enters;
	for (size_t i = 1; i < n; i++) {
		struct plugin_block *b = enters[i] && ask_about(tb, i, n - i)
						 ? block_of(tb, i, s->n_insns)
						 : NULL;

		if (b)
			call(qemu_plugin_tb_get_insn(tb, i),
			     plugin_on_function_entry, b);
	}
}

void plugin_on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	uint64_t *count;

	(void)id;
	(void)pthread_mutex_lock(&plugin.translating);
	if (ask_about(tb, 0, n)) {
		count = &slot_counts(plugin.x, plugin.slot)[plugin.slot->block];
		n = plugin.slot->n_insns;
		count_block(tb, count, n);
		watch_regions(tb, n);
		if (plugin.x->accesses)
			watch_all(tb, n, count);
		if (plugin.x->functions)
			watch_entries(tb, n);
	} else {
		qemu_plugin_register_vcpu_tb_exec_inline(
			tb, QEMU_PLUGIN_INLINE_ADD_U64, &plugin.x->lost_blocks,
			1);
	}
	(void)pthread_mutex_unlock(&plugin.translating);
}
