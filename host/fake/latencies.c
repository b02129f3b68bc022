/* What follows from the latencies of an operation; see op.h. */
#include "host/fake/op.h"

void fake_settle_latencies(struct fake_op *op)
{
	uint16_t any = op->core->eliminated ? 0 : (uint16_t)op->core->latency;

	for (size_t d = 0; d < op->n_dst; d++) {
		op->longest[d] = op->n_src ? 0 : any;
		for (size_t s = 0; s < op->n_src; s++)
			if (op->latency[s][d] > op->longest[d])
				op->longest[d] = op->latency[s][d];
	}
	for (size_t s = 0; s < op->n_src; s++) {
		uint16_t least = op->n_dst ? UINT16_MAX : 0, most = 0;

		for (size_t d = 0; d < op->n_dst; d++) {
			uint16_t slack =
				(uint16_t)(op->longest[d] - op->latency[s][d]);

			least = slack < least ? slack : least;
			most = slack > most ? slack : most;
		}
		op->slack[s] = least;
		op->most_slack[s] = most;
	}
}
