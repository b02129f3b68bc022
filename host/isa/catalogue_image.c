/* A catalogue as a memory image; see catalogue_image.h. */
#include "host/isa/catalogue_image.h"

#include <string.h>

#include "host/base/cache.h"
#include "host/base/image.h"
#include "host/base/module.h"
#include "host/isa/build.h"
#include "host/isa/variant.h"

#define AT(block, index, type, field) \
	((block) + (index) * sizeof(type) + offsetof(type, field))

/* Every structure of a catalogue with its size; see IMAGE_TYPE. */
IMAGE_TYPE(catalogue_type, struct catalogue, 104);
IMAGE_TYPE(reg_type, struct reg, 16);
IMAGE_TYPE(reg_class_type, struct reg_class, 32);
IMAGE_TYPE(form_type, struct form, 64);
IMAGE_TYPE(operand_type, struct operand, 40);
IMAGE_TYPE(variant_type, struct variant, 48);

bool catalogue_identify(struct buffer *key, const struct isa *isa)
{
	struct module own, llvm;

	if (!module_find(isa, &own) || !module_find(mc_code(), &llvm))
		return false;
	buffer_printf(key, "anechoic %s LLVM %s %s %s", own.id, mc_version(),
		      llvm.id, isa->name);
	return true;
}

/* Variants are told by their address where they are constant data. */
static void image_variant(struct image_writer *w, size_t at,
			  const struct variant *v)
{
	struct variant copy;
	size_t offset, suffix;

	if (!v || image_is_constant(w, v)) {
		image_link(w, at, v);
		return;
	}
	/* Offsets instead of pointers, so that equal variants are equal. */
	copy = *v;
	(void)image_share(w, v->suffix, strlen(v->suffix) + 1,
			  IMAGE_PLAIN(char), &suffix);
	copy.suffix = (const char *)suffix;
	if (image_share(w, &copy, 1, &variant_type, &offset)) {
		image_link_offset(w, offset + offsetof(struct variant, suffix),
				  suffix);
		image_link(w, offset + offsetof(struct variant, unchained),
			   v->unchained);
	}
	image_link_offset(w, at, offset);
}

static void image_forms(struct image_writer *w, const struct catalogue *c,
			size_t at)
{
	size_t block;

	(void)image_add(w, c->forms, c->n_forms, &form_type, &block);
	image_link(w, at, c->forms);
	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];

		image_string(w, AT(block, i, struct form, name), f->name);
		image_variant(w, AT(block, i, struct form, variant),
			      f->variant);
		image_string(w, AT(block, i, struct form, mnemonic),
			     f->mnemonic);
		image_string(w, AT(block, i, struct form, example), f->example);
		image_array(w, AT(block, i, struct form, operands), f->operands,
			    f->n_operands, &operand_type);
	}
}

static void image_registers(struct image_writer *w, const struct catalogue *c,
			    size_t root)
{
	size_t list, classes;

	(void)image_add(w, c->regs, c->n_regs, &reg_type, &list);
	(void)image_add(w, c->classes, c->n_classes, &reg_class_type, &classes);
	image_link(w, AT(root, 0, struct catalogue, regs), c->regs);
	image_link(w, AT(root, 0, struct catalogue, classes), c->classes);
	for (size_t i = 0; i < c->n_regs; i++)
		image_string(w, AT(list, i, struct reg, name), c->regs[i].name);
	for (size_t i = 0; i < c->n_classes; i++) {
		const struct reg_class *x = &c->classes[i];

		image_string(w, AT(classes, i, struct reg_class, name),
			     x->name);
		image_array(w, AT(classes, i, struct reg_class, regs), x->regs,
			    x->n_regs, IMAGE_PLAIN(*x->regs));
	}
}

static void catalogue_store(const struct catalogue *c, const char *path,
			    const char *key)
{
	struct arena a = { 0 };
	struct err none = { .code = ERR_OK };
	struct image_writer *w = image_begin(&a);
	size_t root;

	if (w) {
		(void)image_add(w, c, 1, &catalogue_type, &root);
		image_registers(w, c, root);
		image_forms(w, c, AT(root, 0, struct catalogue, forms));
		image_array(w, AT(root, 0, struct catalogue, by_opcode),
			    c->by_opcode, c->n_opcodes,
			    IMAGE_PLAIN(*c->by_opcode));
		image_string(w, AT(root, 0, struct catalogue, cpu), c->cpu);
		image_link(w, AT(root, 0, struct catalogue, isa), NULL);
		image_link(w, AT(root, 0, struct catalogue, mc), NULL);
		if (image_write(w, path, key, root, &none) == ERR_OK)
			cache_trim(path);
	}
	arena_free(&a);
}

int catalogue_open(struct arena *a, const struct isa *isa, bool cached,
		   struct catalogue **ret_catalogue, struct err *e)
{
	struct buffer key = { 0 };
	const char *path = NULL;
	struct catalogue *c = NULL;

	if (cached && catalogue_identify(&key, isa))
		path = cache_path(a,
				  arena_printf(a, "catalogue %s", isa->name));
	buffer_add(&key, "", 1);
	if (path)
		c = image_map(a, path, (const char *)key.bytes, sizeof(*c),
			      NULL);
	if (c) {
		c->isa = isa;
		if (catalogue_open_mc(isa, NULL, &c->mc, e) == ERR_OK)
			*ret_catalogue = c;
		cache_touch(path);
	} else if (catalogue_load(a, isa, NULL, ret_catalogue, e) == ERR_OK &&
		   path) {
		catalogue_store(*ret_catalogue, path, (const char *)key.bytes);
	}
	buffer_free(&key);
	return e->code;
}
