/* See observe.h. */
#include "target/core/observe.h"

#include "target/boot.h"
#include "target/core/report.h"
#include "target/core/slot.h"

static struct {
	uint64_t k, n, length;
	struct slot kernel;
} request;

const char *observe_request(const struct wire_record *r, uint32_t n_kernels)
{
	if (!wire_get_u64(r, "k", &request.k) ||
	    !wire_get_u64(r, "n", &request.n) ||
	    !wire_get_u64(r, "length", &request.length) ||
	    request.k >= n_kernels || request.n == 0 ||
	    request.length >= PACK_LENGTHS)
		return "registers: expected numbers k, n, length within their "
		       "limits";
	return NULL;
}

static void say_registers(const struct arch_registers *a)
{
	struct wire_line *w = report_begin("registers");

	wire_u64(w, "k", request.k);
	wire_u64(w, "n", request.n);
	wire_u64(w, "length", request.length);
	wire_bytes(w, "g", a->gpr, sizeof(a->gpr));
	wire_bytes(w, "v", a->vector, sizeof(a->vector));
	wire_bytes(w, "f", a->fp, sizeof(a->fp));
	(void)report_send();
}

static void say_fault(void)
{
	struct wire_line *w = report_begin("fault");

	wire_u64(w, "k", request.k);
	report_fault(w, slot_fault());
	(void)report_send();
}

void observe_run(void)
{
	bool ok;

	slot_load(&request.kernel, (uint32_t)request.k);
	slot_iterations(&request.kernel, request.n);
	boot_quiet_begin();
	ok = slot_observe(&request.kernel, (int)request.length);
	boot_quiet_end();
	if (ok)
		say_registers(&arch_registers);
	else
		say_fault();
}
