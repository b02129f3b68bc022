/* Functions by name; see functions.h.
 *
 * The emulator may load a program anywhere, so a function is known by where its
 * code lies in the file. */
#include "host/guest/functions.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/file.h"
#include "host/base/nearest.h"
#include "host/guest/run.h"

enum { NEAREST = 3 };

struct guest_functions {
	const char *path; /* without symbolic links */
	size_t n;
	const uint64_t *offsets; /* of first instructions, in the file */
};

/* The search for one name. */
struct search {
	Elf *elf;
	const char *name;
	struct buffer *offsets;
	size_t n_found;
	bool imported; /* the name is there, but not its code */
	bool symbols;  /* the file has a full table */
	struct nearest near[NEAREST];
	size_t n_near;
};

/* Offset in the file of an address in its program headers. */
static bool offset_of(Elf *elf, uint64_t address, uint64_t *ret)
{
	size_t n = 0;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    !(p.p_flags & PF_X) || address < p.p_vaddr ||
		    address - p.p_vaddr >= p.p_filesz)
			continue;
		*ret = address - p.p_vaddr + p.p_offset;
		return true;
	}
	return false;
}

static bool is_named(const char *symbol, const char *name)
{
	size_t n = strlen(name);

	return strncmp(symbol, name, n) == 0 &&
	       (symbol[n] == '\0' || symbol[n] == '.');
}

/* Keep names that differ, the nearest first. */
static void offer(struct search *s, const char *symbol)
{
	struct nearest *last = &s->near[s->n_near];

	for (size_t i = 0; i < s->n_near; i++)
		if (strcmp(s->near[i].best, symbol) == 0)
			return;
	nearest_offer(last, symbol);
}

static void visit(struct search *s, const GElf_Sym *x, const char *symbol,
		  bool nearest)
{
	unsigned type = GELF_ST_TYPE(x->st_info);
	uint64_t offset;

	if (!symbol || *symbol == '\0' || *symbol == '$' ||
	    (type != STT_FUNC && type != STT_NOTYPE))
		return;
	if (x->st_shndx == SHN_UNDEF) {
		s->imported |= is_named(symbol, s->name);
	} else if (offset_of(s->elf, x->st_value, &offset)) {
		if (nearest)
			offer(s, symbol);
		else if (is_named(symbol, s->name)) {
			buffer_add(s->offsets, &offset, sizeof(offset));
			s->n_found++;
		}
	}
}

/* All symbols, static and dynamic. */
static void walk(struct search *s, bool nearest)
{
	Elf_Scn *section = NULL;
	GElf_Shdr h;
	GElf_Sym x;

	while ((section = elf_nextscn(s->elf, section)) != NULL) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &h) || h.sh_entsize == 0 ||
		    (h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNSYM))
			continue;
		s->symbols |= h.sh_type == SHT_SYMTAB;
		data = elf_getdata(section, NULL);
		for (int i = 1; data && gelf_getsym(data, i, &x); i++)
			visit(s, &x, elf_strptr(s->elf, h.sh_link, x.st_name),
			      nearest);
	}
}

static int not_found(struct search *s, const char *path, struct err *e)
{
	const char *sep = "; did you mean ";
	char list[160] = "";

	if (s->imported)
		return err_set(e, ERR_INPUT,
			       "--function: '%s' is a library's; only "
			       "functions of %s can be counted",
			       s->name, path);
	if (!s->symbols)
		return err_set(e, ERR_INPUT,
			       "--function: %s has no symbol table (it is "
			       "stripped), so '%s' cannot be found",
			       path, s->name);
	for (; s->n_near < NEAREST; s->n_near++) {
		s->near[s->n_near] = (struct nearest){ .wanted = s->name };
		walk(s, true);
		if (!s->near[s->n_near].best)
			break;
	}
	for (size_t i = 0; i < s->n_near; i++, sep = " or ") {
		const char *best = s->near[i].best;

		if (strlen(list) + strlen(best) + strlen(sep) + 3 >=
		    sizeof(list))
			break;
		(void)strcat(strcat(strcat(strcat(list, sep), "'"), best), "'");
	}
	return err_set(e, ERR_INPUT, "--function: %s has no function '%s'%s%s",
		       path, s->name, list, *list ? "?" : "");
}

static int find_all(Elf *elf, const char *path, const char *const *names,
		    size_t n, struct buffer *offsets, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		struct search s = {
			.elf = elf,
			.name = names[i],
			.offsets = offsets,
		};

		walk(&s, false);
		if (s.n_found == 0)
			return not_found(&s, path, e);
	}
	return ERR_OK;
}

int functions_find(struct arena *a, const char *path, const char *const *names,
		   size_t n, struct guest_functions **ret, struct err *e)
{
	struct guest_functions *f = ARENA_ARRAY(a, struct guest_functions, 1);
	struct buffer b = { 0 };
	char *real = realpath(path, NULL);
	int fd = real ? open(real, O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf;

	if (fd < 0) {
		free(real);
		return err_set(e, ERR_INPUT, "cannot read %s: %s", path,
			       strerror(errno));
	}
	(void)elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	(void)find_all(elf, path, names, n, &b, e);
	f->path = arena_strdup(a, real);
	f->offsets = buffer_take_list(a, &b, sizeof(uint64_t), &f->n);
	(void)elf_end(elf);
	(void)close(fd);
	free(real);
	if (e->code == ERR_OK)
		*ret = f;
	return e->code;
}

bool functions_enter(const struct guest_functions *f, const struct run_table *t,
		     const struct run_insn *insn)
{
	const struct run_mapping *m;
	uint64_t offset;

	if (!f || insn->mapping >= t->n_mappings)
		return false;
	m = &t->mappings[insn->mapping];
	if (!m->path || strcmp(m->path, f->path) != 0)
		return false;
	offset = insn->address - m->start + m->offset;
	for (size_t i = 0; i < f->n; i++)
		if (f->offsets[i] == offset)
			return true;
	return false;
}
