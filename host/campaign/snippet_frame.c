/* The registers that own code leaves to its frame; see snippet.h. */
#include "host/campaign/snippet.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"

enum { N_GPRS = 32 };

/* Where nothing is in a process; see PAGES_AT in snippet_memory.c. */
static const uint64_t STACK_AT = 0x1000008800;

/* An unused register holds the number of iterations. */
int snippet_choose_counter(struct arena *a, const struct snippet_request *q,
			   struct snippet *s, struct err *e)
{
	const struct isa *isa = q->program->c->isa;
	uint32_t taken =
		s->used | isa->frame->reserved | s->init.reads | s->init.writes;

	if (isa->frame->link >= 0)
		taken |= 1u << isa->frame->link;
	if (q->counter >= 0 && (taken >> q->counter & 1))
		return err_set(e, ERR_INPUT,
			       "%s: %s cannot count the repetitions: the code "
			       "uses it, or it is reserved",
			       q->name,
			       frame_gpr(a, isa, (unsigned)q->counter));
	if (q->counter >= 0) {
		s->gen.frame.counter = (unsigned)q->counter;
		return ERR_OK;
	}
	if (!(taken >> isa->counter & 1)) {
		s->gen.frame.counter = isa->counter;
		return ERR_OK;
	}
	for (unsigned g = 0; g < N_GPRS; g++)
		if (!(taken >> g & 1)) {
			s->gen.frame.counter = g;
			return ERR_OK;
		}
	return err_set(e, ERR_INPUT,
		       "%s: the code uses every general register; one must be "
		       "free, to count the repetitions",
		       q->name);
}

/* The code gets a stack of its own, far from the runtime's, if a register is
 * there to set it through. */
void snippet_choose_stack(const struct isa *isa, struct snippet *s)
{
	uint32_t taken =
		s->used | isa->frame->reserved | 1u << s->gen.frame.counter;
	uint32_t may = ~taken | s->gen.frame.reset;

	if (isa->frame->link >= 0)
		may &= ~(1u << isa->frame->link);
	for (unsigned g = 0; g < N_GPRS; g++)
		if ((may >> g & 1) && (int)g != s->trip) {
			s->gen.frame.spare = g;
			s->gen.frame.stack = STACK_AT;
			return;
		}
}
