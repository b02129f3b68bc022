/* Read the code sections of an object file, one after the other. */
#include "host/predict/program.h"

#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/mc_object.h"

struct filler {
	struct arena *a;
	const char *name;
	struct program *p;
	uint64_t section, moved; /* address in the file, and its new address */
	size_t first;            /* index of the section's first instruction */
	struct err *e;
};

bool object_is(const unsigned char *bytes, size_t n)
{
	return mc_object_is(bytes, n);
}

/* In an unlinked file all sections start at 0. Move each of them behind the
 * last. */
static int add_section(void *context, const struct mc_section *s)
{
	enum { APART = 1 << 20 };
	struct filler *f = context;

	f->first = f->p->n;
	f->section = s->address;
	f->moved = s->address;
	if (f->p->n > 0)
		f->moved =
			(f->p->insns[f->p->n - 1].address / APART + 2) * APART +
			s->address % APART;
	if (s->movable % PROGRAM_LINE != 0)
		f->p->placed = false;
	return program_add_bytes(f->a, f->p,
				 &(struct code){ f->name, s->bytes, s->n },
				 f->moved, DATA_SKIPPED, f->e);
}

static bool ends_before(const struct insn *x, uint64_t address)
{
	return x->address + x->n_code <= address;
}

static size_t object_insn_at(const struct filler *f, uint64_t address)
{
	return program_search(f->p, f->first, ends_before,
			      address - f->section + f->moved);
}

/* Where a jump or call goes: from the place of the relocation, or, if that is
 * behind the begin of the instruction (x86), from the end of it. */
static size_t relocated_target(const struct filler *f, const struct mc_name *n,
			       const struct insn *x)
{
	uint64_t place = n->address - f->section + f->moved;
	uint64_t behind =
		place == x->address ? 0 : x->address + x->n_code - place;

	return object_insn_at(f, n->target + behind);
}

static void add_relocation(struct filler *f, const struct mc_name *n,
			   struct insn *x)
{
	bool goes = x->jumps || x->calls;

	if (goes && n->inside) {
		size_t to = relocated_target(f, n, x);

		x->target = to < f->p->n ? (int32_t)to : -1;
	}
	/* A function in another section is found by its name. */
	x->symbol = goes && n->inside ? ""
		    : x->calls
			    ? arena_printf(f->a, "%.*s",
					   (int)strcspn(n->name, "+"), n->name)
			    : arena_strdup(f->a, n->name);
}

static int object_add_name(void *context, const struct mc_name *n)
{
	struct filler *f = context;
	size_t i = object_insn_at(f, n->address);

	if (i == f->p->n)
		return ERR_OK;
	if (n->relocation)
		add_relocation(f, n, &f->p->insns[i]);
	/* Skip mapping symbols and LLVM's private symbols. */
	else if (n->name[0] != '$' && n->name[0] != '.')
		program_label(f->a, f->p, n->name, 0, i);
	return ERR_OK;
}

int program_from_object(struct arena *a, const struct catalogue *c,
			const struct code *file, struct program *ret,
			struct err *e)
{
	struct program p = { .c = c, .placed = true };
	struct filler f = { .a = a, .name = file->name, .p = &p, .e = e };
	struct mc_object_sink sink = { &f, add_section, object_add_name };
	const char *arch = "";
	int status = mc_object_read(file->name, file->bytes, file->n, &sink,
				    &arch, e);

	if (status != ERR_OK)
		return status;
	if (strcmp(arch, c->isa->name) != 0)
		return err_set(e, ERR_INPUT,
			       "%s: the model is of %s, the code of %s",
			       file->name, c->isa->name, arch);
	program_link(a, &p);
	*ret = p;
	return ERR_OK;
}
