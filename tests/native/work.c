/* Kernels in two lists, in an order of the runtime's own, and code that moves. */
#include "tests/native/fixture.h"

/* A `work` of lists of at most four pairs. */
static void send_work(uint64_t visit, uint64_t place, const uint64_t *k,
		      size_t n_k, const uint64_t *any, size_t n_any)
{
	struct wire_line w;

	wire_begin(&w, 0, "work");
	wire_u64(&w, "visit", visit);
	wire_u64(&w, "place", place);
	wire_list(&w, "k", k, n_k);
	wire_list(&w, "any", any, n_any);
	child_send(&child, w.text, wire_end(&w));
}

static void start_waiting(void)
{
	build();
	header()->ready_ms = 30 * 1000;
	hand_checksum(&pack);
	start();
	assert_int_equal(number(child_wait(&child, "info"), "work"), 1);
	assert_non_null(child_wait(&child, "ready"));
}

static void end(void)
{
	send_bye();
	assert_non_null(child_wait(&child, "bye"));
	assert_int_equal(child_finish(&child), 0);
}

/* Read until `done`; bit k of the result: kernel k began, and then had a result
 * with this number of the visit. */
static unsigned finished(uint64_t visit)
{
	size_t n_before = child.n_records;
	unsigned seen = 0;
	uint64_t began = 0;

	assert_int_equal(number(child_wait(&child, "done"), "visit"), visit);
	for (size_t i = n_before; i < child.n_records; i++) {
		const struct wire_record *r = &child.records[i].record;

		if (wire_is(r, "start")) {
			began = number(r, "k");
		} else if (wire_is(r, "sample") || wire_is(r, "fault")) {
			assert_int_equal(number(r, "k"), began);
			assert_int_equal(number(r, "visit"), visit);
			seen |= 1u << began;
		}
	}
	return seen;
}

TEST(both_lists_run)
{
	const uint64_t k[] = { ADD, NULL_LOAD, XOR, N_KERNELS };
	const uint64_t any[] = { LOAD, XOR };

	start_waiting();
	send_work(5, 0, k, 4, any, 2);
	assert_int_equal(finished(5),
			 1u << ADD | 1u << ILLEGAL | 1u << XOR | 1u << LOAD);
	send_work(6, 0, NULL, 0, any, 2);
	assert_int_equal(finished(6), 1u << LOAD);
	end();
}

/* At another place kernels run and fault as before: the address in a fault is
 * relative to the code. */
TEST(code_moves)
{
	const uint64_t all[] = { 0, HANG, LOAD, N_KERNELS };
	const struct wire_record *fault;

	start_waiting();
	for (uint64_t place = 0; place < 4; place++) {
		send_work(place, place, all, 4, NULL, 0);
		assert_int_equal(finished(place),
				 1u << ADD | 1u << ILLEGAL | 1u << NULL_LOAD |
					 1u << LOAD | 1u << XOR);
		fault = child_nth(&child, "fault", 2 * place);
		assert_word(fault, "cause", "illegal");
		assert_int_equal(number(fault, "pc"), 0);
	}
	end();
}

static void send_registers(uint64_t k, uint64_t n, uint64_t length)
{
	struct wire_line w;

	wire_begin(&w, 0, "registers");
	wire_u64(&w, "k", k);
	wire_u64(&w, "n", n);
	wire_u64(&w, "length", length);
	child_send(&child, w.text, wire_end(&w));
}

/* The counter ends at zero; a fault is said; what is beyond is refused. */
TEST(registers_are_said)
{
	const struct wire_record *r;
	uint64_t gpr[32];

	start_waiting();
	send_registers(ADD, 7, 0);
	r = child_wait(&child, "registers");
	assert_non_null(r);
	assert_int_equal(number(r, "k"), ADD);
	assert_int_equal(number(r, "n"), 7);
	assert_true(wire_get_bytes(r, "g", gpr, sizeof(gpr)));
	assert_int_equal(gpr[isa->counter], 0);
	send_registers(ILLEGAL, 1, PACK_LENGTHS - 1);
	r = child_wait(&child, "fault");
	assert_non_null(r);
	assert_word(r, "cause", "illegal");
	send_registers(N_KERNELS, 1, 0);
	assert_non_null(child_wait(&child, "error"));
	send_registers(ADD, 0, 0);
	assert_non_null(child_wait(&child, "error"));
	send_registers(ADD, 1, PACK_LENGTHS);
	assert_non_null(child_wait(&child, "error"));
	end();
}

static struct pack_image *image_of(uint64_t k)
{
	const struct pack_kernel *kernels =
		(const void *)(pack.bytes + header()->kernels_offset);
	struct pack_image *images =
		(void *)(pack.bytes + header()->images_offset);

	return &images[kernels[k].image];
}

/* What register `address`, which an addition leaves alone, holds behind one. */
static uint64_t held_behind(void)
{
	uint64_t gpr[32];

	send_registers(ADD, 1, 0);
	assert_true(wire_get_bytes(child_wait(&child, "registers"), "g", gpr,
				   sizeof(gpr)));
	return gpr[isa->address];
}

static void load_again(void)
{
	uint64_t n_chunks = (pack.n - 1) / LOAD_CHUNK + 1;

	hand_checksum(&pack);
	child_send_two(&child, "load", (uint64_t[]){ pack.n, LOAD_CHUNK });
	assert_non_null(child_wait(&child, "ack"));
	for (uint64_t i = 0; i < n_chunks; i++)
		child_send_chunk(&child, pack.bytes, pack.n, i);
	child_send_two(&child, "start", (uint64_t[]){ 0, 0 });
	assert_non_null(child_wait(&child, "ready"));
}

/* A pack that replaces another one has images of the same numbers, and lies where
 * that one lay. */
TEST(a_new_pack_has_its_own_registers)
{
	enum { N_PACKS = 3 };

	start_waiting();
	for (uint64_t i = 0; i < N_PACKS; i++) {
		image_of(ADD)->gpr[isa->address] = 40 + i;
		header()->id = 70 + i;
		load_again();
		assert_int_equal(held_behind(), 40 + i);
	}
	end();
}

TEST(refuses_other_lists)
{
	const uint64_t beyond[] = { ADD, N_KERNELS + 1 };
	const uint64_t backwards[] = { XOR, ADD };

	start_waiting();
	send_work(0, 0, beyond, 2, NULL, 0);
	assert_non_null(child_wait(&child, "error"));
	send_work(0, 0, NULL, 0, backwards, 2);
	assert_non_null(child_wait(&child, "error"));
	send_work(0, 0, beyond, 1, NULL, 0);
	assert_non_null(child_wait(&child, "error"));
	send_work(0, 0, NULL, 0, NULL, 0);
	assert_non_null(child_wait(&child, "error"));
	send_work(UINT64_MAX, 0, (const uint64_t[]){ ADD, XOR }, 2, NULL, 0);
	assert_non_null(child_wait(&child, "error"));
	end();
	assert_null(child_nth(&child, "start", 0));
}

int main(int argc, char **argv)
{
	return run_on_runtime(argc, argv);
}
