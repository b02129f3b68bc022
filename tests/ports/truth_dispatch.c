/* Cores that bind each uop at dispatch to a queue, which feeds some of its
 * ports: the uop then waits for these ports although others of its own may be
 * idle.  The queue is the one in which the fewest uops waited when the cycle
 * began, but for each eleventh uop the next one that it can have.  With this,
 * two uops of two ports and one of two, of three ports in all, take 1.24 cycles
 * and not 1, and three uops of four ports and one of one 1.09: on a Zen 3 it is
 * 1.25, and 1.03 or 1.12, which depends on their order. */
#include "tests/ports/truth.h"

enum {
	ENTRIES = 32, /* of a queue */
	BLIND = 11,
	MAX_ORDER = PORTS_MAX_PARTS * PORTS_MAX_COUNT,
	WARM_BODIES = 8,
	WARM_CYCLES = 300,
	LEAST_BODIES = 8,
	LEAST_CYCLES = 1500,
	TURNS = 64, /* sets of queues */
};

struct waiting {
	model_ports ports;
	unsigned cycles;
};

struct queue {
	unsigned n, n_before; /* now, and when the cycle began */
	struct waiting list[ENTRIES];
};

struct machine {
	const struct truth *t;
	const struct ports_mix *mix;
	size_t order[MAX_ORDER], n_order; /* parts of the mix */
	struct queue queues[TRUTH_MAX_QUEUES];
	size_t turns[TURNS];  /* uops of each set of queues */
	size_t last, n_bound; /* the queue of the last uop that was bound */
	unsigned busy_until[MODEL_MAX_PORTS], now, n_bodies;
	size_t at, use, uop; /* what is bound next */
	unsigned credit;     /* slots */
	bool open;           /* the last instance can take a fused one */
};

static const struct truth_form *next_form(const struct machine *m)
{
	return &m->t->forms[m->mix->part[m->order[m->at]].form];
}

/* The next of a uop's queues, whatever waits in it: those with the same ports take
 * them in turn. */
static size_t next_queue(struct machine *m, model_ports ports)
{
	size_t list[TRUTH_MAX_QUEUES] = { 0 }, n = 0, set = 0;

	for (size_t i = 0; i < m->t->n_queues; i++)
		if ((m->t->queues[i] & ports) != 0) {
			set |= (size_t)1 << i;
			list[n++] = i;
		}
	return list[m->turns[set % TURNS]++ % n];
}

/* The queue for a uop; TRUTH_MAX_QUEUES: it is full. */
static size_t choose(struct machine *m, model_ports ports)
{
	size_t n = m->t->n_queues, best = n;
	bool blind = m->n_bound % BLIND == BLIND - 1;

	if (m->t->in_turn)
		best = next_queue(m, ports);
	for (size_t i = 0; i < n && !m->t->in_turn; i++) {
		size_t q = blind ? (m->last + 1 + i) % n : i;

		if ((m->t->queues[q] & ports) == 0)
			continue;
		if (best == n || (!blind && m->queues[q].n_before <
						    m->queues[best].n_before))
			best = q;
	}
	return m->queues[best].n < ENTRIES ? best : TRUTH_MAX_QUEUES;
}

/* Bind the rest of an instance's uops; false: a queue is full. */
static bool bind(struct machine *m, const struct truth_form *f)
{
	for (; m->use < f->n_uses; m->use++, m->uop = 0)
		for (; m->uop < f->uses[m->use].n_uops; m->uop++) {
			const struct model_use *u = &f->uses[m->use];
			size_t q = choose(m, u->ports);

			if (q == TRUTH_MAX_QUEUES)
				return false;
			m->queues[q].list[m->queues[q].n++] =
				(struct waiting){ u->ports,
						  (unsigned)u->cycles };
			m->last = q;
			m->n_bound++;
		}
	m->use = 0;
	return true;
}

static void dispatch(struct machine *m)
{
	for (size_t q = 0; q < m->t->n_queues; q++)
		m->queues[q].n_before = m->queues[q].n;
	m->credit += m->t->width;
	for (;;) {
		const struct truth_form *f = next_form(m);
		bool joins = m->open && f->fused;
		unsigned slots = joins ? 0 : f->slots;

		/* An instance may begin in one cycle and end in the next. */
		if (m->credit < slots)
			return;
		if (!bind(m, f)) {
			m->credit = 0;
			return;
		}
		m->credit -= slots;
		m->open = !joins;
		m->at = (m->at + 1) % m->n_order;
		m->n_bodies += m->at == 0;
	}
}

/* Each port takes the oldest uop of its queue that can use it. */
static void issue(struct machine *m, struct queue *q, model_ports ports)
{
	for (; ports != 0; ports &= ports - 1) {
		model_ports port = ports & (~ports + 1);
		unsigned number = model_ports_count(port - 1), i = 0;

		if (m->busy_until[number] > m->now)
			continue;
		while (i < q->n && (q->list[i].ports & port) == 0)
			i++;
		if (i == q->n)
			continue;
		m->busy_until[number] = m->now + q->list[i].cycles;
		for (q->n--; i < q->n; i++)
			q->list[i] = q->list[i + 1];
	}
}

double truth_bound_cycles(const struct truth *t, const struct ports_mix *mix)
{
	struct machine m = { .t = t, .mix = mix };
	unsigned done[PORTS_MAX_PARTS] = { 0 }, began = 0, bodies = 0;

	for (size_t i = 0; i < mix->n; i++)
		m.n_order += mix->part[i].count;
	for (size_t i = 0; i < m.n_order; i++) {
		m.order[i] = truth_next_part(mix, done);
		done[m.order[i]]++;
	}
	for (;; m.now++) {
		unsigned before = m.n_bodies;

		dispatch(&m);
		/* From the end of one body to the end of another. */
		if (m.n_bodies > before) {
			if (bodies > 0 && m.n_bodies >= bodies + LEAST_BODIES &&
			    m.now >= began + LEAST_CYCLES)
				return (double)(m.now - began) /
				       (m.n_bodies - bodies);
			if (bodies == 0 && m.n_bodies >= WARM_BODIES &&
			    m.now >= WARM_CYCLES) {
				began = m.now;
				bodies = m.n_bodies;
			}
		}
		for (size_t q = 0; q < t->n_queues; q++)
			issue(&m, &m.queues[q], t->queues[q]);
	}
}

bool truth_bind(struct truth *t)
{
	model_ports rest = ((model_ports)1 << t->n_ports) - 1;
	model_ports halves[2] = { 0 };
	unsigned n = 0;

	t->n_queues = 0;
	for (model_ports set = t->group[0]; set != 0; set &= set - 1)
		t->queues[t->n_queues++] = set & (~set + 1);
	for (model_ports set = t->group[1]; set != 0; set &= set - 1)
		halves[n++ % 2] |= set & (~set + 1);
	for (size_t i = 0; i < 2; i++)
		if (halves[i] != 0)
			t->queues[t->n_queues++] = halves[i];
	rest &= ~(t->group[0] | t->group[1]);
	t->queues[t->n_queues++] = rest;
	return model_ports_count(t->group[0]) > 1 || halves[1] != 0;
}
