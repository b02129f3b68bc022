/* Writes the core of LLVM's scheduling model: resources and resource groups;
 * see write.h. */
#include "host/codec/llvm/sched_names.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"
#include "host/isa/isa.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Keep letters and digits only. */
char *td_identifier(struct arena *a, const char *text)
{
	char *name = arena_printf(
		a, "%s%s", isdigit((unsigned char)*text) ? "P" : "", text);

	for (char *c = name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return name;
}

/* Would the name collide with a generated one, as "G0", "W1_0", "R1_2"? */
static bool is_generated_name(const char *name)
{
	return (strchr("GWR", *name) && isdigit((unsigned char)name[1])) ||
	       strcmp(name, "Model") == 0 || strcmp(name, "All") == 0;
}

/* Port names are arbitrary text; identifiers made from "p.0" and "p_0" must
 * differ. */
void td_name_ports(struct td *w)
{
	for (size_t i = 0; i < w->m->n_ports; i++) {
		const char *name = td_identifier(&w->a, w->m->ports[i].name);

		if (is_generated_name(name))
			name = arena_printf(&w->a, "P%s", name);
		for (size_t k = 0; k < i;) {
			bool same = strcmp(w->ports[k], name) == 0;

			if (same)
				name = arena_printf(&w->a, "%s_", name);
			k = same ? 0 : k + 1;
		}
		w->ports[i] = name;
	}
}

bool td_whole(double value, long *ret)
{
	static const double doubt = 0.05;
	double near = round(value);

	*ret = (long)near;
	return fabs(value - near) <= doubt && near >= 0 && near < INT16_MAX;
}

bool td_whole_span(const struct model_span *s, long *ret)
{
	static const double doubt = 0.1, relative = 0.05, off = 0.05;
	double near = round(span_middle(s));

	*ret = (long)near;
	return s->has_value &&
	       s->high - s->low <= fmax(doubt, relative * s->high) &&
	       near >= s->low - off && near <= s->high + off && near >= 0 &&
	       near < INT16_MAX;
}

enum reason td_longest_latency(const struct form *form,
			       const struct model_form *f, int destination,
			       double busy, long *ret)
{
	bool known = false;

	for (int i = MODEL_ANY; i < form->n_operands; i++) {
		struct model_span s = model_latency(f, i, destination);
		long cycles;

		if (!s.has_value || (i >= 0 && !form->operands[i].read))
			continue;
		if (!td_whole_span(&s, &cycles) &&
		    !(s.high <= busy && td_whole(s.high, &cycles)))
			return NOT_WHOLE;
		*ret = known && *ret > cycles ? *ret : cycles;
		known = true;
	}
	return known ? WRITTEN : NO_LATENCY;
}

static void td_add_group(struct td *w, const char *name, model_ports ports)
{
	bool first = true;

	buffer_printf(w->out, "def %s_%s : ProcResGroup<[", w->prefix, name);
	for (size_t i = 0; i < w->m->n_ports; i++) {
		if ((ports >> i & 1) == 0)
			continue;
		buffer_printf(w->out, "%s%s_%s", first ? "" : ", ", w->prefix,
			      w->ports[i]);
		first = false;
	}
	buffer_printf(w->out, "]>%s\n",
		      w->m->in_order ? " { let BufferSize = 0; }" : ";");
}

/* TableGen requires a group that contains any two overlapping groups. */
static bool has_super_groups(const struct td *w)
{
	for (size_t g = 0; g < w->n_groups; g++)
		for (size_t k = 0; k < g; k++) {
			model_ports both = w->groups[g] | w->groups[k];
			bool found = (w->groups[g] & w->groups[k]) == 0;

			for (size_t i = 0; i < w->n_groups && !found; i++)
				found = (both & ~w->groups[i]) == 0;
			if (!found)
				return false;
		}
	return true;
}

const char *td_resource(struct td *w, model_ports ports)
{
	size_t at = 0;

	if ((ports & (ports - 1)) == 0) {
		while ((ports >> at & 1) == 0)
			at++;
		return w->ports[at];
	}
	while (at < w->n_groups && w->groups[at] != ports)
		at++;
	if (at == w->n_groups)
		w->groups[w->n_groups++] = ports;
	return arena_printf(&w->a, "G%zu", at);
}

void td_add_core(struct td *w, const char *more)
{
	const struct model *m = w->m;
	model_ports all = 0;
	long width;

	buffer_printf(w->out, "def %s_Model : SchedMachineModel {\n",
		      w->prefix);
	if (m->width.has_value && td_whole(floor(m->width.low), &width))
		buffer_printf(w->out, "  let IssueWidth = %ld;\n", width);
	if (m->in_order || m->reorder_buffer > 0)
		buffer_printf(w->out, "  let MicroOpBufferSize = %u;\n",
			      m->in_order ? 0 : m->reorder_buffer);
	buffer_printf(w->out,
		      "%s  let CompleteModel = 0;\n}\n\nlet SchedModel = "
		      "%s_Model in {\n",
		      more, w->prefix);
	for (size_t i = 0; i < m->n_ports; i++)
		buffer_printf(w->out, "def %s_%s : ProcResource<1>%s\n",
			      w->prefix, w->ports[i],
			      m->in_order ? " { let BufferSize = 0; }" : ";");
	for (size_t g = 0; g < w->n_groups; g++) {
		td_add_group(w, arena_printf(&w->a, "G%zu", g), w->groups[g]);
		all |= w->groups[g];
	}
	if (!has_super_groups(w))
		td_add_group(w, "All", all);
}

/* ---- what the target asks of every model -------------------------------- */

void td_add_names(struct buffer *b, const char *before, const char *names,
		  const char *after)
{
	enum { WIDTH = 78 };
	size_t column = strlen(before);

	if (*names == '\0')
		return;
	buffer_printf(b, "%s", before);
	for (const char *at = names; *at != '\0';) {
		size_t n = strcspn(at, " ");

		if (at > names)
			buffer_printf(b, ",");
		if (column + n + 2 > WIDTH) {
			buffer_printf(b, "\n  ");
			column = 2;
		} else if (at > names) {
			buffer_printf(b, " ");
			column += 2;
		}
		buffer_add(b, at, n);
		column += n;
		at += n + (at[n] == ' ');
	}
	buffer_printf(b, "%s", after);
}

void td_add_unsupported(struct td *w)
{
	const struct sched_names *names = sched_names_of(w->c->isa);

	if (!names)
		return;
	td_add_names(
		w->out, "foreach W = [", names->writes,
		"] in\n  def : WriteRes<W, []> { let Unsupported = 1; }\n");
	td_add_names(w->out, "foreach R = [", names->reads,
		     "] in\n  def : ReadAdvance<R, 0>;\n");
}
