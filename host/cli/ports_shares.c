/* How a search for ports shares its budget among its phases; see
 * ports_hunt.h. */
#include "host/cli/ports_hunt.h"
#include "host/cli/timing.h"

/* What a phase and those before it may spend.  A search that spends all it has
 * on floods draws the fit from forms that nobody has tried; one that spends it
 * on who belongs to which class has no matrix. */
static const double shares[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = 0.45, [PORTS_SLOTS] = 0.45, [PORTS_MERGE] = 0.45,
	[PORTS_MATRIX] = 0.50,  [PORTS_CHECK] = 0.55, [PORTS_FLOOD] = 0.78,
	[PORTS_UNITS] = 0.82,   [PORTS_TRIAL] = 0.88, [PORTS_FIT] = 1,
};

size_t hunt_left(const struct hunt *h, enum ports_phase phase)
{
	double left = shares[phase] * (double)h->most - (double)h->n_measured;

	return h->most == 0 ? SIZE_MAX : left < 1 ? 1 : (size_t)left;
}

bool hunt_is_over(struct hunt *h, enum ports_phase phase)
{
	double share = shares[phase];

	if (h->only_old)
		return true;
	if (h->seconds > 0 && timing_now() - h->started > share * h->seconds)
		h->ended = true;
	else if (h->most > 0 &&
		 (double)h->n_measured >= share * (double)h->most)
		h->ended = true;
	else
		return false;
	return true;
}
