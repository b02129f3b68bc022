/* Accesses from the CPU state; see plugin.h and host/isa/guest.h. */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "host/guest/plugin.h"

static uint64_t gpr(const char *cpu, uint8_t number)
{
	const struct exchange_layout *l = &plugin.x->layout;

	return number == GUEST_NONE ? 0
				    : load_u64(cpu + l->gpr.at +
					       (size_t)number * l->gpr.step);
}

static const unsigned char *vector(const char *cpu, uint8_t number)
{
	const struct exchange_layout *l = &plugin.x->layout;

	return (const unsigned char *)cpu + l->vector.at +
	       (size_t)number * l->vector.step;
}

static const unsigned char *mask(const char *cpu, const struct guest_state *g)
{
	const struct exchange_layout *l = &plugin.x->layout;

	return g->mask_signs ? vector(cpu, g->mask)
			     : (const unsigned char *)cpu + l->mask.at +
				       (size_t)g->mask * l->mask.step;
}

static bool is_active(const struct guest_state *g, const unsigned char *m,
		      uint32_t i)
{
	uint32_t at = i * g->element_bytes;

	if (g->mask_signs)
		return m[at + g->element_bytes - 1] >> 7;
	return m[at / 8] >> at % 8 & 1;
}

/* The address or offset in element i of a vector. */
static uint64_t address_of(const struct guest_state *g, const unsigned char *v,
			   uint32_t i)
{
	uint64_t x = 0;

	memcpy(&x, v + (size_t)i * g->element_bytes, g->element_bytes);
	if (g->address_bits == 32)
		x = g->address_signed ? (uint64_t)(int64_t)(int32_t)x
				      : (uint32_t)x;
	return x << g->address_shift;
}

static void gather(struct vcpu *v, const struct access_site *s, const char *cpu,
		   uint64_t base, uint32_t n)
{
	const struct guest_state *g = &s->state;
	const unsigned char *m = g->early ? v->early_mask : mask(cpu, g);
	const unsigned char *a =
		g->early ? v->early_addresses : vector(cpu, g->addresses);

	for (uint32_t i = 0; i < n; i++)
		if (is_active(g, m, i))
			plugin_piece(v, s, base + address_of(g, a, i),
				     g->memory_bytes, g->store);
}

/* Runs of active elements. */
static void contiguous(struct vcpu *v, const struct access_site *s,
		       const char *cpu, uint64_t base, uint32_t n)
{
	const struct guest_state *g = &s->state;
	const unsigned char *m = g->early ? v->early_mask : mask(cpu, g);
	uint64_t step = (uint64_t)g->memory_bytes * g->n_registers;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = i;

		while (i < n && is_active(g, m, i))
			i++;
		if (i > first)
			plugin_piece(v, s, base + first * step,
				     (i - first) * step, g->store);
	}
}

void plugin_state_early(unsigned vcpu, void *data, const char *cpu)
{
	const struct access_site *s = data;
	const struct guest_state *g = &s->state;
	struct vcpu *v = plugin_vcpu(vcpu);
	const struct exchange_layout *l = &plugin.x->layout;
	size_t n = l->vector_bytes;

	if (g->addresses != GUEST_NONE)
		memcpy(v->early_addresses, vector(cpu, g->addresses), n);
	memcpy(v->early_mask, mask(cpu, g), g->mask_signs ? n : (n + 7) / 8);
}

void plugin_state_pend(unsigned vcpu, void *data)
{
	plugin_vcpu(vcpu)->pending = data;
}

void plugin_state_settle(unsigned vcpu, void *data, const char *cpu)
{
	struct vcpu *v = plugin_vcpu(vcpu);
	const struct access_site *s = data ? data : v->pending;
	const struct guest_state *g;
	uint64_t base;
	uint32_t bytes, n;

	if (!data)
		v->pending = NULL;
	if (!s)
		return;
	g = &s->state;
	bytes = plugin.x->layout.vector_bytes;
	n = bytes / g->element_bytes;
	base = gpr(cpu, g->base) + (gpr(cpu, g->index) << g->index_shift) +
	       (uint64_t)g->displacement +
	       (uint64_t)((int64_t)g->vectors * n * g->memory_bytes);
	if (g->limit_bytes && g->limit_bytes < bytes)
		n = g->limit_bytes / g->element_bytes;
	(g->addresses != GUEST_NONE ? gather : contiguous)(v, s, cpu, base, n);
}

/* What lies behind the state may not be mapped: page by page. */
void plugin_state_probe(unsigned vcpu, void *data, const char *cpu)
{
	enum { STEP = 1 << 12 };

	(void)vcpu, (void)data;
	for (size_t at = 0; at < EXCHANGE_PROBE; at += STEP) {
		struct iovec to = { plugin.slot->probe + at, STEP };
		struct iovec from = { (char *)(uintptr_t)cpu + at, STEP };

		if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) <= 0)
			break;
	}
	plugin.slot->probed = true;
}
