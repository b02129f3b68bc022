/* What OSACA's machine model says of a core, before its instructions; see
 * core.h. */
#include <math.h>
#include <string.h>

#include "host/codec/osaca/core.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"

/* Are the registers of the form those that OSACA has this word for? */
static bool has_word(const struct isa *isa, const struct form *form,
		     const char *word)
{
	struct signature s;
	const char *its = signature_parse(isa, form->example, &s)
				  ? signature_word(&s)
				  : NULL;

	return strcmp(its ? its : "", word) == 0;
}

struct osaca_core_access osaca_plain_access(const struct osaca_core *w,
					    const char *word, int access)
{
	const struct isa_forward *list = w->c->isa->memory->forwards;
	struct osaca_core_access widest = { .f = NULL };

	for (; list->store; list++) {
		const char *name =
			access == ACCESS_LOAD ? list->load : list->store;
		const struct model_form *f = model_find(w->m, name);
		const struct form *form = catalogue_form(w->c, name);

		if (f && form && osaca_score(form, f) > 0 &&
		    has_word(w->c->isa, form, word))
			widest = (struct osaca_core_access){ form, f };
	}
	return widest;
}

static bool is_repeated(const struct isa *isa, size_t file)
{
	for (size_t i = 0; i < file; i++)
		if (strcmp(isa->register_files[i].word,
			   isa->register_files[file].word) == 0)
			return true;
	return false;
}

/* List every register file: OSACA fails if one is missing. */
static void add_load_latency(const struct osaca_core *w, struct buffer *b)
{
	const struct isa_register_file *files = w->c->isa->register_files;

	buffer_printf(b, "load_latency: {");
	for (size_t i = 0; files[i].pattern; i++) {
		struct osaca_core_access x =
			osaca_plain_access(w, files[i].word, ACCESS_LOAD);
		struct model_span s;
		bool known = x.f && osaca_latency(x.form, x.f, &s);

		if (is_repeated(w->c->isa, i))
			continue;
		buffer_printf(b, "%s%s: ", i == 0 ? "" : ", ", files[i].word);
		osaca_add_number(b, known, known ? osaca_number(&s) : 0);
	}
	buffer_printf(b, "}\n");
}

static void add_row(const struct osaca_core *w, const struct model_form *f,
		    int access, const char *word, enum osaca_index index,
		    struct buffer *b)
{
	buffer_printf(b,
		      "- {%s: %s, base: '*', index: %s, offset: '*', scale: "
		      "'*', port_pressure: ",
		      access == ACCESS_LOAD ? "dst" : "src", word,
		      osaca_index(index, true));
	osaca_add_pressure(w, f, index, b);
	buffer_printf(b, "}\n");
}

static void add_access(const struct osaca_core *w, int access, struct buffer *b)
{
	const struct isa_register_file *files = w->c->isa->register_files;
	const char *what = access == ACCESS_LOAD ? "load" : "store";
	const struct model_form *any = NULL;
	size_t n = 0;

	buffer_printf(b, "%s_throughput:", what);
	for (size_t i = 0; files[i].pattern; i++) {
		const struct model_form *f =
			osaca_plain_access(w, files[i].word, access).f;

		if (!f || !f->has_ports || is_repeated(w->c->isa, i))
			continue;
		if (!any)
			any = f;
		buffer_printf(b, n++ == 0 ? "\n" : "");
		if (osaca_minds_index(w, f)) {
			add_row(w, f, access, files[i].word, INDEX_NONE, b);
			add_row(w, f, access, files[i].word, INDEX_SOME, b);
		} else {
			add_row(w, f, access, files[i].word, INDEX_ANY, b);
		}
	}
	buffer_printf(b, "%s%s_throughput_default: ", n == 0 ? " []\n" : "",
		      what);
	if (any)
		osaca_add_pressure(w, any, INDEX_ANY, b);
	else
		buffer_printf(b, "[]");
	buffer_printf(b, "\n");
}

/* From stored to loaded data beyond the latency of the load, the longest of all
 * registers: OSACA has one number, and adds the load itself. */
static void add_forwarding(const struct osaca_core *w, struct buffer *b)
{
	double longest = -1;

	for (size_t i = 0; i < w->m->n_forwards; i++) {
		const struct model_forward *x = &w->m->forwards[i];
		const struct model_form *f = model_find(w->m, x->load);
		const struct form *form = catalogue_form(w->c, x->load);
		struct model_span s;

		if (x->cycles.has_value && f && form && !x->then &&
		    strcmp(x->store, x->load) != 0 &&
		    osaca_latency(form, f, &s))
			longest =
				fmax(longest, (x->cycles.low + x->cycles.high -
					       s.low - s.high) /
						      2);
	}
	if (w->m->n_forwards == 0)
		return;
	buffer_printf(b, "store_to_load_forward_latency: ");
	osaca_add_number(b, true, longest > 0 ? longest : 0);
	buffer_printf(b, "\n");
}

/* From a base to the base that an access has written back. */
static void add_index_latency(const struct osaca_core *w, struct buffer *b)
{
	double longest = -1;

	for (size_t i = 0; i < w->m->n_forms; i++) {
		const struct model_form *f = &w->m->forms[i];
		const struct form *form = catalogue_form(w->c, f->name);

		for (size_t k = 0; form && k < f->n_latencies; k++) {
			const struct model_latency *l = &f->latencies[k];

			if (l->source >= 0 && l->destination >= 0 &&
			    form->operands[l->source].kind == OPERAND_MEM &&
			    form->operands[l->source].tied_to ==
				    l->destination &&
			    l->cycles.has_value && !span_is_wide(&l->cycles))
				longest =
					fmax(longest, osaca_number(&l->cycles));
		}
	}
	if (longest < 0)
		return;
	buffer_printf(b, "p_index_latency: ");
	osaca_add_number(b, true, longest);
	buffer_printf(b, "\n");
}

/* ---- the file's head ---------------------------------------------------- */

static void add_size(struct buffer *b, const char *key, uint32_t n)
{
	buffer_printf(b, "%s: ", key);
	osaca_add_number(b, n > 0, n);
	buffer_printf(b, "\n");
}

void osaca_add_core(const struct osaca_core *w, struct buffer *b)
{
	const struct model *m = w->m;

	buffer_printf(b, "osaca_version: 0.7.0\nmicro_architecture: ");
	osaca_quoted(b, m->cpu);
	buffer_printf(b, "\narch_code: ");
	osaca_quoted(b, m->cpu);
	buffer_printf(b, "\nisa: %s\n", w->c->isa->osaca_name);
	add_size(b, "ROB_size", m->reorder_buffer);
	buffer_printf(b, "dispatched_uops_per_cycle: ");
	osaca_add_number(b, m->width.has_value && !span_is_wide(&m->width),
			 m->width.high);
	buffer_printf(b, "\nretired_uOps_per_cycle: ~\n");
	add_size(b, "scheduler_size", m->scheduler);
	buffer_printf(b, "hidden_loads: false\n");
	add_load_latency(w, b);
	add_access(w, ACCESS_LOAD, b);
	add_access(w, ACCESS_STORE, b);
	add_forwarding(w, b);
	add_index_latency(w, b);
	buffer_printf(b, "ports: [");
	osaca_add_ports(w, b);
	buffer_printf(b, "]\nport_model_scheme: ");
	osaca_quoted(b, m->source);
	buffer_printf(b, "\n");
}
