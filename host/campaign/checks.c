/* See checks.h. */
#include "host/campaign/checks.h"

#include <string.h>

size_t checks_choose(struct checks *c, const struct checks_request *q,
		     uint8_t *pass)
{
	size_t room = q->room * q->n_passes, n = 0;

	memset(pass, 0, q->n * sizeof(*pass));
	for (; n < room && c->n_seen * CHECKS_ONE_IN < q->n; c->n_seen++) {
		size_t k = c->n_seen * CHECKS_ONE_IN;

		if (q->may[k])
			pass[k] = (uint8_t)(1 + n++ % q->n_passes);
	}
	return n;
}
