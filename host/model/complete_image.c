/* A completion as a memory image; see complete_image.h. Completed forms are not
 * stored: they are completed again when they are asked for. */
#include "host/model/complete_image.h"

#include "host/isa/isa.h"
#include "host/model/complete_read.h"
#include "host/model/fields.h"

#define AT(block, index, type, field) \
	((block) + (index) * sizeof(type) + offsetof(type, field))

/* Every structure of a completion with its size; see IMAGE_TYPE. */
IMAGE_TYPE(completion_type, struct completion, 4744);
IMAGE_TYPE(plain_access_type, struct plain_access, 24);
IMAGE_TYPE(class_entry_type, struct class_entry, 16);

static void image_fields(struct image_writer *w, size_t at,
			 const struct model_record *r, const void *record);

static void image_names(struct image_writer *w, size_t at,
			const char *const *list, size_t n)
{
	size_t block;

	if (image_add(w, list, n, IMAGE_PLAIN(*list), &block))
		for (size_t i = 0; i < n; i++)
			image_string(w, block + i * sizeof(*list), list[i]);
	image_link(w, at, list);
}

static void image_records(struct image_writer *w, size_t at,
			  const struct model_record *r, const void *list,
			  size_t n)
{
	const size_t size = r->image->size;
	size_t block;

	if (image_add(w, list, n, r->image, &block))
		for (size_t i = 0; i < n; i++)
			image_fields(w, block + i * size, r,
				     (const char *)list + i * size);
	image_link(w, at, list);
}

static void image_list(struct image_writer *w, size_t at,
		       const struct model_field *f, const void *record)
{
	size_t n;
	const void *list = model_field_list(f, record, &n);

	if (n == 0 || !list)
		image_link(w, at, NULL);
	else if (f->kind == FIELD_LIST && !f->of->plain)
		image_records(w, at, f->of, list, n);
	else if (f->kind == FIELD_NAMES)
		image_names(w, at, list, n);
	else if (f->kind == FIELD_NUMBERS)
		image_array(w, at, list, n,
			    IMAGE_PLAIN(double[MODEL_MAX_CLASSES]));
	else if (f->kind == FIELD_BOOLS)
		image_array(w, at, list, n,
			    IMAGE_PLAIN(bool[MODEL_MAX_CLASSES]));
	else
		image_array(w, at, list, n,
			    f->of ? f->of->image : IMAGE_PLAIN(uint8_t));
}

/* Set the pointers of a record, which is at offset `at`. */
static void image_fields(struct image_writer *w, size_t at,
			 const struct model_record *r, const void *record)
{
	const struct model_field *f;
	struct model_field room;

	for (size_t i = 0; (f = model_field_at(r, i, &room)); i++) {
		const void *value = (const char *)record + f->at;

		if (f->kind <= FIELD_ISA)
			image_string(w, at + f->at, *(char *const *)value);
		else if (f->kind == FIELD_RECORD)
			image_fields(w, at + f->at, f->of, value);
		else if (f->kind >= FIELD_LIST)
			image_list(w, at + f->at, f, record);
	}
}

static void image_linked_model(struct image_writer *w, size_t at,
			       const struct model *m)
{
	size_t block;

	if (m && image_add(w, m, 1, model_record.image, &block))
		image_fields(w, block, &model_record, m);
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
	image_link(w, at, k->n_plain > 0 ? k->plain : NULL);
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
	(void)image_add(w, &copy, 1, &completion_type, &root);
	image_linked_model(w, AT(root, 0, struct completion, given), k->given);
	image_linked_model(w, AT(root, 0, struct completion, tables),
			   k->tables);
	image_fields(w, AT(root, 0, struct completion, m), &model_record,
		     &k->m);
	image_plains(w, k, AT(root, 0, struct completion, plain));
	for (int i = 0; i < CLASS_KINDS; i++)
		image_array(w,
			    AT(root, 0, struct completion, index) +
				    AT(0, i, struct class_index, list),
			    k->index[i].list, k->index[i].n, &class_entry_type);
	for (size_t i = 0; effects[i]; i++)
		image_array(w,
			    AT(root, 0, struct completion, effects) +
				    i * sizeof(k->effects[i]),
			    k->effects[i], 1,
			    &(struct image_type){
				    .size = effects[i]->completed_bytes });
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
	return k;
}
