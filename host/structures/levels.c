/* What chases and searches share; see chases.h. */
#include "host/structures/chases.h"

enum {
	USUAL_LINE = 64, /* until it is known */
	GROUP = 65536,   /* bytes that are in use at once: few pages */
};

uint32_t levels_line(const struct levels_found *f)
{
	return f->line ? f->line : USUAL_LINE;
}

struct core_probe chases_probe(uint64_t bytes, uint32_t step)
{
	uint64_t places = bytes / step;

	return (struct core_probe){
		.kind = PROBE_CHASE,
		.chain = { .places = places ? (uint32_t)places : 1,
			   .step = step,
			   .group = (uint16_t)(GROUP / step) },
		.huge = true,
	};
}
