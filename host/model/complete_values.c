/* What forms do, and values that a model has of them; see complete_read.h. */
#include <math.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/model/complete_read.h"

bool form_loads(const struct form *f)
{
	return f->access ? f->access & ACCESS_LOAD : f->flags & MC_MAY_LOAD;
}

bool form_stores(const struct form *f)
{
	return f->access ? f->access & ACCESS_STORE : f->flags & MC_MAY_STORE;
}

bool form_computes(const struct form *f)
{
	bool load = form_loads(f), store = form_stores(f);

	if (load == store)
		return true;
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind != OPERAND_REG || o->role != ROLE_NONE)
			continue;
		if (load ? o->read : o->write)
			return true;
	}
	return false;
}

const struct model_form *complete_find(const struct model *m,
				       const struct form *f)
{
	const struct model_form *found = m ? model_find(m, f->name) : NULL;
	size_t n = strcspn(f->name, "/");
	char name[ISA_NAME_ROOM];

	if (!m || found || f->name[n] == '\0' || n >= sizeof(name))
		return found;
	memcpy(name, f->name, n);
	name[n] = '\0';
	return model_find(m, name);
}

bool form_flag(const struct form *f, int operand)
{
	return operand >= 0 && operand < f->n_operands &&
	       f->operands[operand].flag;
}

bool form_address(const struct form *f, int operand)
{
	return operand >= 0 && operand < f->n_operands &&
	       (f->operands[operand].kind == OPERAND_MEM ||
		f->operands[operand].role != ROLE_NONE);
}

/* Is the latency known and between such ends? */
static bool ends_fit(const struct form *f, const struct model_latency *l,
		     unsigned ends)
{
	bool address = form_address(f, l->source);
	unsigned has = (address ? FROM_ADDRESS : NOT_FROM_ADDRESS) |
		       (l->source >= 0 ? FROM_NAMED : 0) |
		       (form_flag(f, l->source) ? FROM_FLAG : 0) |
		       (form_flag(f, l->destination) ? 0 : NOT_TO_FLAG);

	return (has & ends) == ends;
}

struct known_latencies latencies_between(const struct form *f,
					 const struct model_form *x,
					 unsigned ends)
{
	struct known_latencies ret = { .least = INFINITY, .most = -1 };

	for (size_t i = 0; x && i < x->n_latencies; i++) {
		const struct model_latency *l = &x->latencies[i];
		double cycles = model_cycles(l->cycles);

		if (!l->cycles.has_value || (ends && !ends_fit(f, l, ends)))
			continue;
		ret.n++;
		ret.n_exact += is_exact(&l->cycles);
		ret.least = fmin(ret.least, cycles);
		ret.most = fmax(ret.most, cycles);
	}
	return ret;
}

double longest_latency(const struct model_form *x)
{
	return latencies_between(NULL, x, 0).most;
}

/* Is what a form loads there later than what a plain load loads? */
static bool loads_later(const struct completed_form *f)
{
	struct known_latencies own =
		latencies_between(f->form, f->own, FROM_ADDRESS);
	struct known_latencies plain = latencies_between(NULL, f->load, 0);

	return own.n > 0 && own.n_exact == own.n && plain.n > 0 &&
	       plain.n_exact == plain.n &&
	       own.least > plain.most + latency_error;
}

bool completed_does_more(const struct completed_form *f)
{
	const struct model_span *rate = &f->costs.throughput;
	double access = fmax(f->load_cycles, f->store_cycles);

	return rate->has_value && access > 0 &&
	       (rate->low > slower * access || loads_later(f));
}
