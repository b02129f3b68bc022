#include "target/core/sustain.h"

#include "target/boot.h"
#include "target/core/clock.h"
#include "target/core/report.h"
#include "target/core/slot.h"

enum {
	MAX_REGS = 4,
	N_GPRS = 32,
	NO_REGISTER = N_GPRS,
	PAGE = 4096,
	MIN_LINE = 8,
	MAX_CHUNK_NS = 20 * 1000 * 1000,
	/* A chain takes this many steps of the clock or more: reading it is
	 * then exact to 0.2 %. */
	CHAIN_STEPS = 500,
	RECORD_ROWS = 40, /* fit a record */
	MAX_ROUNDS = 40,
};

enum fill { FILL_NOTHING, FILL_NUMBERS, FILL_CHASE, N_FILLS };

static const uint64_t one = 0x3ff0000000000000; /* 1.0 as a double */
static const uint64_t max_memory = UINT64_C(1) << 40;

static struct {
	uint64_t k, bytes, fill, walk, masked, mask, step, line, chunk_ns,
		chain_ns;
	uint64_t regs[MAX_REGS], at[MAX_REGS];
	int n_regs;
} request;

static struct {
	unsigned char *memory;
	uint64_t room;
	const void *staged; /* the pack, or NULL */
	struct slot kernel, chain;
	uint64_t n, n_chain;
	uint64_t offset; /* of the walk */
	uint64_t random;
	uint64_t rows[SUSTAIN_MAX_ROWS][SUSTAIN_ROW];
	uint32_t n_rows;
} job;

/* xorshift64 (Marsaglia, 2003). */
static uint64_t draw(void)
{
	enum { A = 13, B = 7, C = 17 };

	job.random ^= job.random << A;
	job.random ^= job.random >> B;
	job.random ^= job.random << C;
	return job.random;
}

/* ---- the request ------------------------------------------------------ */

static bool registers_ok(void)
{
	for (int i = 0; i < request.n_regs; i++)
		if (request.regs[i] >= N_GPRS || request.at[i] >= request.bytes)
			return false;
	return true;
}

static bool sizes_ok(void)
{
	uint64_t size = request.mask + 1;

	if (request.bytes > max_memory || request.bytes % PAGE ||
	    request.fill >= N_FILLS || request.walk > NO_REGISTER ||
	    request.masked > NO_REGISTER || request.chunk_ns == 0 ||
	    request.chunk_ns > MAX_CHUNK_NS || request.chain_ns > MAX_CHUNK_NS)
		return false;
	if (request.fill == FILL_CHASE)
		return request.line >= MIN_LINE &&
		       request.line % MIN_LINE == 0 &&
		       request.bytes / request.line > 1;
	return (size & request.mask) == 0;
}

/* A list that is absent is empty. */
static int get_list(const struct wire_record *r, const char *key,
		    uint64_t values[MAX_REGS])
{
	char word[2];

	if (wire_get_word(r, key, word, sizeof(word)) && word[0] == '-')
		return 0;
	return wire_get_list(r, key, values, MAX_REGS);
}

const char *sustain_request(const struct wire_record *r, uint32_t n_kernels)
{
	int n_at;

	job.staged = NULL;
	request.n_regs = get_list(r, "regs", request.regs);
	n_at = get_list(r, "at", request.at);
	if (!wire_get_u64(r, "k", &request.k) ||
	    !wire_get_u64(r, "memory", &request.bytes) ||
	    !wire_get_u64(r, "fill", &request.fill) ||
	    !wire_get_u64(r, "walk", &request.walk) ||
	    !wire_get_u64(r, "masked", &request.masked) ||
	    !wire_get_u64(r, "mask", &request.mask) ||
	    !wire_get_u64(r, "step", &request.step) ||
	    !wire_get_u64(r, "line", &request.line) ||
	    !wire_get_u64(r, "chunk_ns", &request.chunk_ns) ||
	    !wire_get_u64(r, "chain_ns", &request.chain_ns))
		return "stage: expected numbers k, memory, fill, walk, "
		       "masked, mask, step, line, chunk_ns, chain_ns";
	if (request.n_regs < 0 || n_at != request.n_regs)
		return "stage: expected lists regs and at of one length";
	if (request.k >= n_kernels || !sizes_ok() || !registers_ok())
		return "stage: expected numbers within their limits";
	return NULL;
}

/* ---- memory ----------------------------------------------------------- */

static void fill_numbers(void)
{
	uint64_t *p = (uint64_t *)(void *)job.memory;

	for (uint64_t i = 0; i < request.bytes / sizeof(*p); i++)
		p[i] = one;
}

static uint64_t *node(uint64_t i)
{
	return (uint64_t *)(void *)(job.memory + i * request.line);
}

/* One cycle through all lines in random order (Sattolo, 1986). */
static void fill_chase(void)
{
	uint64_t n = request.bytes / request.line;

	for (uint64_t i = 0; i < n; i++)
		*node(i) = (uintptr_t)node(i);
	for (uint64_t i = n - 1; i > 0; i--) {
		uint64_t *other = node(draw() % i);
		uint64_t kept = *node(i);

		*node(i) = *other;
		*other = kept;
	}
}

static bool get_memory(void *(*allocate)(size_t n))
{
	uintptr_t at;

	if (request.bytes <= job.room)
		return true;
	job.room = 0;
	at = (uintptr_t)allocate(request.bytes + PAGE);
	if (!at)
		return false;
	job.memory =
		(unsigned char *)((at + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	job.room = request.bytes;
	return true;
}

/* ---- running ---------------------------------------------------------- */

static void say_fault(void)
{
	struct wire_line *w = report_begin("fault");

	wire_u64(w, "k", request.k);
	report_fault(w, slot_fault());
	(void)report_send();
}

/* A stream continues where it was; a chase begins anywhere in its cycle. */
static bool run_kernel(uint64_t *ret_ticks)
{
	uint64_t *gpr = job.kernel.image.gpr;
	uint64_t ticks, begin;
	bool ok;

	if (request.walk < N_GPRS && request.fill == FILL_CHASE)
		gpr[request.walk] = (uintptr_t)node(
			draw() % (request.bytes / request.line));
	else if (request.walk < N_GPRS)
		gpr[request.walk] = job.offset & request.mask;
	job.offset += job.n * request.step;
	begin = arch_ref_now();
	ok = slot_run(&job.kernel, SLOT_SHORT, &ticks);
	*ret_ticks = arch_ref_now() - begin;
	return ok;
}

static bool run_chain(int length, uint64_t *ret_ticks)
{
	uint64_t ticks, begin = arch_ref_now();
	bool ok = slot_run(&job.chain, length, &ticks);

	*ret_ticks = arch_ref_now() - begin;
	return ok;
}

static bool run_either(bool chain, uint64_t *ret_ticks)
{
	return chain ? run_chain(SLOT_LONG, ret_ticks) : run_kernel(ret_ticks);
}

/* Double the iterations until a run takes the time.  The smaller of two runs
 * counts: a process may be off its core for longer than the time. */
static bool tune(struct slot *s, bool chain, uint64_t target, uint64_t *n)
{
	*n = 1;
	for (int round = 0; round < MAX_ROUNDS; round++) {
		uint64_t first, second;

		slot_iterations(s, *n);
		if (!run_either(chain, &first) || !run_either(chain, &second))
			return false;
		if (first >= target / 2 && second >= target / 2)
			break;
		*n *= 2;
	}
	return true;
}

static bool tune_all(void)
{
	uint64_t chain = clock_ticks(request.chain_ns);
	uint64_t least = CHAIN_STEPS * clock_step();

	if (!tune(&job.kernel, false, clock_ticks(request.chunk_ns), &job.n))
		return false;
	return request.chain_ns == 0 ||
	       tune(&job.chain, true, chain > least ? chain : least,
		    &job.n_chain);
}

static void load_slots(const void *pack)
{
	/* Its image was changed by the request before. */
	job.kernel = (struct slot){ .kernel = NULL };
	slot_load(&job.kernel, (uint32_t)request.k);
	for (int i = 0; i < request.n_regs; i++)
		job.kernel.image.gpr[request.regs[i]] =
			(uintptr_t)job.memory + request.at[i];
	if (request.masked < N_GPRS)
		job.kernel.image.gpr[request.masked] = request.mask;
	slot_load(&job.chain, pack_header(pack)->calib[PACK_CALIB_CHAIN_A]);
}

void sustain_stage(const void *pack, void *(*allocate)(size_t n))
{
	struct wire_line *w;
	bool ok;

	if (pack_header(pack)->calib[PACK_CALIB_CHAIN_A] == PACK_NO_KERNEL) {
		report_message("error", "stage: the pack has no chain");
		return;
	}
	if (!get_memory(allocate)) {
		report_message("error", "no memory of this size");
		return;
	}
	job.offset = 0;
	job.random = one; /* any seed but 0 */
	if (request.fill == FILL_NUMBERS)
		fill_numbers();
	if (request.fill == FILL_CHASE)
		fill_chase();
	load_slots(pack);
	boot_quiet_begin();
	ok = tune_all();
	boot_quiet_end();
	if (!ok) {
		say_fault();
		return;
	}
	job.staged = pack;
	w = report_begin("staged");
	wire_u64(w, "n", job.n);
	wire_u64(w, "chain", job.n_chain);
	wire_u64(w, "now", arch_ref_now());
	(void)report_send();
}

static bool run_row(uint64_t begin, uint64_t *row)
{
	row[0] = arch_ref_now() - begin;
	if (!run_kernel(&row[1]))
		return false;
	row[2] = row[3] = 0;
	return request.chain_ns == 0 || (run_chain(SLOT_LONG, &row[2]) &&
					 run_chain(SLOT_SHORT, &row[3]));
}

/* Also runs after the last row that fits, until the time is over: other cores
 * are not to have the memory for themselves. */
static bool run_rows(uint64_t begin, uint64_t ticks)
{
	uint64_t spare[SUSTAIN_ROW];

	job.n_rows = 0;
	if (ticks == 0)
		return true;
	while ((int64_t)(arch_ref_now() - begin) < 0)
		continue;
	while (arch_ref_now() - begin < ticks) {
		bool room = job.n_rows < SUSTAIN_MAX_ROWS;

		if (!run_row(begin, room ? job.rows[job.n_rows] : spare))
			return false;
		job.n_rows += room;
	}
	return true;
}

static void say_rows(void)
{
	for (uint32_t i = 0; i < job.n_rows; i += RECORD_ROWS) {
		uint32_t n = job.n_rows - i < RECORD_ROWS ? job.n_rows - i
							  : RECORD_ROWS;
		struct wire_line *w = report_begin("rows");

		wire_u64(w, "from", i);
		wire_list(w, "d", job.rows[i], (size_t)n * SUSTAIN_ROW);
		(void)report_send();
	}
}

void sustain_run(const void *pack, uint64_t begin, uint64_t ticks)
{
	struct wire_line *w;
	bool ok;

	if (ticks > 0 && job.staged != pack) {
		report_message("error", "sustain: nothing is staged");
		return;
	}
	boot_quiet_begin();
	ok = run_rows(begin ? begin : arch_ref_now(), ticks);
	boot_quiet_end();
	if (!ok) {
		say_fault();
		return;
	}
	say_rows();
	w = report_begin("sustained");
	wire_u64(w, "rows", job.n_rows);
	wire_u64(w, "now", arch_ref_now());
	(void)report_send();
}
