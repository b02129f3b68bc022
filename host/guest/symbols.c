/* Names of code, with libdw of elfutils; see symbols.h. */
#include "host/guest/symbols.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* Address of a file's first byte as it lies in its program headers, from the
 * segment that covers `offset`; false if none does. */
static bool segment_address(Elf *elf, uint64_t offset, uint64_t *ret)
{
	size_t n = 0;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    offset + p.p_align < p.p_offset ||
		    offset >= p.p_offset + p.p_filesz)
			continue;
		*ret = p.p_vaddr - p.p_offset + offset;
		return true;
	}
	return false;
}

/* What is added to the addresses in a file to find them in the guest. */
static bool find_bias(const struct run_mapping *m, uint64_t *ret)
{
	int fd = open(m->path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	uint64_t address = 0;
	bool found = elf && segment_address(elf, m->offset, &address);

	if (elf)
		(void)elf_end(elf);
	if (fd >= 0)
		(void)close(fd);
	*ret = m->start - address;
	return found;
}

/* One module for each file, however many mappings it has. */
static void add_modules(Dwfl *d, const struct run_table *t)
{
	(void)elf_version(EV_CURRENT);
	dwfl_report_begin(d);
	for (size_t i = 0; i < t->n_mappings; i++) {
		const struct run_mapping *m = &t->mappings[i];
		uint64_t bias;
		bool again = false;

		for (size_t k = 0; m->path && k < i && !again; k++)
			again = t->mappings[k].path &&
				strcmp(t->mappings[k].path, m->path) == 0;
		if (m->path && !again && find_bias(m, &bias))
			(void)dwfl_report_elf(d, m->path, m->path, -1, bias,
					      true);
	}
	(void)dwfl_report_end(d, NULL, NULL);
}

/* Mapping symbols ($x, $d) name the kind of code; libdw may choose one where
 * another symbol has no size.  The last other symbol up to the address. */
static const char *other_symbol(Dwfl_Module *module, uint64_t address,
				GElf_Off *ret_offset)
{
	int n = dwfl_module_getsymtab(module);
	const char *ret = NULL;

	for (int i = 1; i < n; i++) {
		GElf_Sym symbol;
		GElf_Addr at;
		GElf_Word section;
		const char *name = dwfl_module_getsym_info(
			module, i, &symbol, &at, &section, NULL, NULL);

		if (!name || *name == '$' || *name == '\0' || at > address ||
		    section == SHN_UNDEF || section == SHN_ABS ||
		    GELF_ST_TYPE(symbol.st_info) > STT_FUNC ||
		    (ret && address - at > *ret_offset))
			continue;
		ret = name;
		*ret_offset = address - at;
	}
	return ret;
}

static void name_block(struct arena *a, Dwfl *d, struct profile_block *b)
{
	Dwfl_Module *module = dwfl_addrmodule(d, b->address);
	GElf_Off offset = 0;
	GElf_Sym symbol;
	const char *name;
	Dwfl_Line *line;
	int number = 0;

	if (!module)
		return;
	name = dwfl_module_addrinfo(module, b->address, &offset, &symbol, NULL,
				    NULL, NULL);
	if (name && *name == '$')
		name = other_symbol(module, b->address, &offset);
	if (name) {
		b->symbol = arena_strdup(a, name);
		b->symbol_offset = offset;
	}
	line = dwfl_module_getsrc(module, b->address);
	name = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL)
		    : NULL;
	if (name && number > 0) {
		b->source = arena_strdup(a, name);
		b->line = (uint32_t)number;
	}
}

/* libdwfl would also look for separate files of debugging information, at
 * places that depend on the machine; only the file itself is read. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name,
			 Dwarf_Addr base, const char *file, const char *link,
			 GElf_Word crc, char **ret)
{
	(void)module, (void)data, (void)name, (void)base;
	(void)file, (void)link, (void)crc, (void)ret;
	return -1;
}

void symbols_find(struct arena *a, const struct run_table *t,
		  struct profile_block *blocks, size_t n_blocks)
{
	static const Dwfl_Callbacks calls = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = no_debug_file,
	};
	Dwfl *d = dwfl_begin(&calls);

	if (!d)
		return;
	add_modules(d, t);
	for (size_t i = 0; i < n_blocks; i++)
		name_block(a, d, &blocks[i]);
	dwfl_end(d);
}
