/* A completion as a memory image; see complete_image.h. Completed forms are not
 * stored: they are completed again when they are asked for. */
#include "host/model/complete_image.h"

#include "host/isa/isa.h"
#include "host/model/complete_read.h"

#define AT(block, index, type, field) \
	((block) + (index) * sizeof(type) + offsetof(type, field))

/* Every structure of a completion with its size; see IMAGE_TYPE. */
IMAGE_TYPE(completion_type, struct completion, 20464);
IMAGE_TYPE(model_type, struct model, 592);
IMAGE_TYPE(model_form_type, struct model_form, 152);
IMAGE_TYPE(model_use_type, struct model_use, 24);
IMAGE_TYPE(model_latency_type, struct model_latency, 56);
IMAGE_TYPE(model_port_type, struct model_port, 16);
IMAGE_TYPE(model_forward_type, struct model_forward, 56);
IMAGE_TYPE(model_written_type, struct model_written, 24);
IMAGE_TYPE(model_mix_type, struct model_mix, 56);
IMAGE_TYPE(plain_access_type, struct plain_access, 24);
IMAGE_TYPE(class_entry_type, struct class_entry, 16);

static void image_model_forms(struct image_writer *w, const struct model *m)
{
	size_t block;

	if (!image_add(w, m->forms, m->n_forms, &model_form_type, &block))
		return;
	for (size_t i = 0; i < m->n_forms; i++) {
		const struct model_form *f = &m->forms[i];

		image_string(w, AT(block, i, struct model_form, name), f->name);
		image_string(w, AT(block, i, struct model_form, evidence),
			     f->evidence);
		image_string(w, AT(block, i, struct model_form, values),
			     f->values);
		image_array(w, AT(block, i, struct model_form, uses), f->uses,
			    f->n_uses, &model_use_type);
		image_array(w, AT(block, i, struct model_form, latencies),
			    f->latencies, f->n_latencies, &model_latency_type);
		image_array(w, AT(block, i, struct model_form, takes), f->takes,
			    f->n_takes, IMAGE_PLAIN(*f->takes));
	}
}

/* Arrays of structures with strings. */
static void image_model_names(struct image_writer *w, const struct model *m)
{
	size_t block;

	if (image_add(w, m->ports, m->n_ports, &model_port_type, &block))
		for (size_t i = 0; i < m->n_ports; i++)
			image_string(w, AT(block, i, struct model_port, name),
				     m->ports[i].name);
	if (image_add(w, m->forwards, m->n_forwards, &model_forward_type,
		      &block))
		for (size_t i = 0; i < m->n_forwards; i++) {
			image_string(w,
				     AT(block, i, struct model_forward, store),
				     m->forwards[i].store);
			image_string(w,
				     AT(block, i, struct model_forward, load),
				     m->forwards[i].load);
			image_string(w,
				     AT(block, i, struct model_forward, then),
				     m->forwards[i].then);
		}
	if (image_add(w, m->written, m->n_written, &model_written_type, &block))
		for (size_t i = 0; i < m->n_written; i++) {
			image_string(w,
				     AT(block, i, struct model_written, form),
				     m->written[i].form);
			image_string(w,
				     AT(block, i, struct model_written, writer),
				     m->written[i].writer);
		}
	if (image_add(w, m->mixes, m->n_mixes, &model_mix_type, &block))
		for (size_t i = 0; i < m->n_mixes; i++) {
			image_string(w, AT(block, i, struct model_mix, load),
				     m->mixes[i].load);
			image_string(w, AT(block, i, struct model_mix, store),
				     m->mixes[i].store);
		}
}

static void image_strings(struct image_writer *w, const char *const *list,
			  size_t n)
{
	size_t block;

	if (image_add(w, list, n, IMAGE_PLAIN(*list), &block))
		for (size_t i = 0; i < n; i++)
			image_string(w, block + i * sizeof(*list), list[i]);
}

/* An empty array is not added. */
static const void *image_unless_empty(const void *list, size_t n)
{
	return n > 0 ? list : NULL;
}

static void image_model(struct image_writer *w, size_t at,
			const struct model *m)
{
	const struct {
		size_t field, n;
		const void *list;
	} lists[] = {
		{ offsetof(struct model, forms), m->n_forms, m->forms },
		{ offsetof(struct model, ports), m->n_ports, m->ports },
		{ offsetof(struct model, written), m->n_written, m->written },
		{ offsetof(struct model, forwards), m->n_forwards,
		  m->forwards },
		{ offsetof(struct model, mixes), m->n_mixes, m->mixes },
		{ offsetof(struct model, bypass_names), m->n_bypass,
		  m->bypass_names },
		{ offsetof(struct model, pair_names), m->n_pairs,
		  m->pair_names },
		{ offsetof(struct model, notes), m->n_notes, m->notes },
	};

	image_string(w, AT(at, 0, struct model, isa), m->isa);
	image_string(w, AT(at, 0, struct model, cpu), m->cpu);
	image_string(w, AT(at, 0, struct model, source), m->source);
	image_string(w, AT(at, 0, struct model, completed), m->completed);
	image_string(w, AT(at, 0, struct model, skipped), m->skipped);
	for (size_t i = 0; i < sizeof(m->about) / sizeof(char *); i++)
		image_string(
			w, AT(at, 0, struct model, about) + i * sizeof(char *),
			((const char *const *)(const void *)&m->about)[i]);
	image_model_forms(w, m);
	image_model_names(w, m);
	image_strings(w, m->bypass_names, m->bypass_names ? m->n_bypass : 0);
	image_strings(w, m->pair_names, m->pair_names ? m->n_pairs : 0);
	image_strings(w, m->notes, m->n_notes);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		image_link(w, at + lists[i].field,
			   image_unless_empty(lists[i].list, lists[i].n));
	image_array(w, AT(at, 0, struct model, bypass), m->bypass, m->n_bypass,
		    IMAGE_PLAIN(*m->bypass));
	image_array(w, AT(at, 0, struct model, pairs), m->pairs, m->n_pairs,
		    IMAGE_PLAIN(*m->pairs));
}

static void image_linked_model(struct image_writer *w, size_t at,
			       const struct model *m)
{
	size_t block;

	if (m && image_add(w, m, 1, &model_type, &block))
		image_model(w, block, m);
	image_link(w, at, m);
}

static void image_plains(struct image_writer *w, const struct completion *k,
			 size_t at)
{
	size_t block;

	(void)image_add(w, k->plain, k->n_plain, &plain_access_type, &block);
	for (size_t i = 0; i < k->n_plain; i++) {
		image_link_item(w, AT(block, i, struct plain_access, form),
				(size_t)(k->plain[i].form - k->c->forms));
		image_link(w, AT(block, i, struct plain_access, known),
			   k->plain[i].known);
	}
	image_link(w, at, image_unless_empty(k->plain, k->n_plain));
}

int completion_store(const struct completion *k, const char *path,
		     const char *key, struct err *e)
{
	struct arena a = { 0 };
	struct image_writer *w = image_begin(&a);
	struct completion copy = *k;
	size_t root;

	if (!w)
		return ERR_OK;
	copy.a = NULL;
	copy.c = NULL;
	copy.forms = NULL;
	copy.busy = NULL;
	(void)image_add(w, &copy, 1, &completion_type, &root);
	image_linked_model(w, AT(root, 0, struct completion, given), k->given);
	image_linked_model(w, AT(root, 0, struct completion, tables),
			   k->tables);
	image_model(w, AT(root, 0, struct completion, m), &k->m);
	image_plains(w, k, AT(root, 0, struct completion, plain));
	for (int i = 0; i < CLASS_KINDS; i++)
		image_array(w,
			    AT(root, 0, struct completion, index) +
				    AT(0, i, struct class_index, list),
			    k->index[i].list, k->index[i].n, &class_entry_type);
	for (size_t i = 0; i < k->n_groups; i++)
		image_string(w,
			     AT(root, 0, struct completion, groups) +
				     AT(0, i, struct port_group, name),
			     k->groups[i].name);
	(void)image_write(w, path, key, root, e);
	arena_free(&a);
	return e->code;
}

struct completion *completion_map(struct arena *a, const struct catalogue *c,
				  const char *path, const char *key)
{
	const struct image_items forms = { c->forms, sizeof(*c->forms),
					   c->n_forms };
	struct completion *k = image_map(a, path, key, sizeof(*k), &forms);

	if (!k)
		return NULL;
	k->a = a;
	k->c = c;
	k->forms = ARENA_ARRAY(a, struct completed_form *, c->n_forms);
	k->busy = ARENA_ARRAY(a, bool, c->n_forms);
	return k;
}
