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

double longest_latency(const struct model_form *f)
{
	double longest = -1;

	for (size_t i = 0; i < f->n_latencies; i++)
		if (f->latencies[i].cycles.has_value)
			longest = fmax(longest,
				       model_cycles(f->latencies[i].cycles));
	return longest;
}

bool has_exact_latency(const struct model_form *f)
{
	for (size_t i = 0; i < f->n_latencies; i++)
		if (is_exact(&f->latencies[i].cycles))
			return true;
	return false;
}
