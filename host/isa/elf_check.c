/* See elf_check.h.  Fields are copied out of the file, because forged offsets
 * need not be aligned. */
#include "host/isa/elf_check.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_SECTIONS = 1 << 24 };

struct elf {
	const unsigned char *bytes;
	size_t n;
	Elf64_Ehdr head;
	uint64_t n_sections;
};

/* Do n entries of this size at an offset lie in the file? */
static bool elf_holds(const struct elf *f, uint64_t offset, uint64_t n,
		      uint64_t size)
{
	return offset <= f->n && (n == 0 || size <= (f->n - offset) / n);
}

static Elf64_Shdr elf_section(const struct elf *f, uint64_t i)
{
	Elf64_Shdr s;

	memcpy(&s, f->bytes + f->head.e_shoff + i * sizeof(s), sizeof(s));
	return s;
}

static const char *check_head(struct elf *f)
{
	Elf64_Shdr first;

	if (f->n < sizeof(f->head))
		return "its header is cut off";
	memcpy(&f->head, f->bytes, sizeof(f->head));
	if (memcmp(f->head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    f->head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    f->head.e_ident[EI_DATA] != ELFDATA2LSB)
		return "it is not a 64-bit little-endian ELF file";
	if (f->head.e_shoff == 0)
		return f->head.e_shnum == 0 ? NULL : "it has no section table";
	if (f->head.e_shentsize != sizeof(Elf64_Shdr))
		return "its section headers have a wrong size";
	if (!elf_holds(f, f->head.e_shoff, 1, sizeof(first)))
		return "its section table lies outside the file";
	first = elf_section(f, 0);
	f->n_sections = f->head.e_shnum ? f->head.e_shnum : first.sh_size;
	if (f->n_sections == 0 || f->n_sections > MAX_SECTIONS ||
	    !elf_holds(f, f->head.e_shoff, f->n_sections, sizeof(first)))
		return "its section table lies outside the file";
	return NULL;
}

/* A table of strings that ends with a NUL. */
static bool is_strings(const struct elf *f, uint64_t i, uint64_t *ret_size)
{
	Elf64_Shdr s;

	if (i >= f->n_sections)
		return false;
	s = elf_section(f, i);
	*ret_size = s.sh_size;
	return s.sh_type == SHT_STRTAB && s.sh_size > 0 &&
	       elf_holds(f, s.sh_offset, 1, s.sh_size) &&
	       f->bytes[s.sh_offset + s.sh_size - 1] == '\0';
}

static const char *check_names(const struct elf *f)
{
	uint64_t at = f->head.e_shstrndx, size;

	if (at == SHN_XINDEX)
		at = elf_section(f, 0).sh_link;
	if (at == SHN_UNDEF)
		return NULL;
	if (!is_strings(f, at, &size))
		return "its table of section names is damaged";
	for (uint64_t i = 0; i < f->n_sections; i++)
		if (elf_section(f, i).sh_name >= size)
			return "a section's name lies outside its table";
	return NULL;
}

static bool is_symbols(uint32_t type)
{
	return type == SHT_SYMTAB || type == SHT_DYNSYM;
}

/* Does a table consist of whole entries of this size? */
static bool has_entries(const Elf64_Shdr *s, uint64_t size)
{
	return s->sh_entsize == size && s->sh_size % size == 0;
}

static const char *check_symbols(const struct elf *f, const Elf64_Shdr *s)
{
	uint64_t n = s->sh_size / sizeof(Elf64_Sym), size;

	if (!has_entries(s, sizeof(Elf64_Sym)))
		return "its symbols have a wrong size";
	if (!is_strings(f, s->sh_link, &size))
		return "its table of symbol names is damaged";
	for (uint64_t i = 0; i < n; i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, f->bytes + s->sh_offset + i * sizeof(symbol),
		       sizeof(symbol));
		if (symbol.st_name >= size)
			return "a symbol's name lies outside its table";
		if (symbol.st_shndx < SHN_LORESERVE &&
		    symbol.st_shndx >= f->n_sections)
			return "a symbol is in a section that does not exist";
	}
	return NULL;
}

static const char *check_relocations(const struct elf *f, const Elf64_Shdr *s)
{
	uint64_t size =
		s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	uint64_t n_symbols = 0;

	if (!has_entries(s, size))
		return "its relocations have a wrong size";
	if (s->sh_link >= f->n_sections || s->sh_info >= f->n_sections)
		return "relocations refer to a section that does not exist";
	/* Without a table all relocations are about symbol 0. */
	if (s->sh_link != 0) {
		Elf64_Shdr symbols = elf_section(f, s->sh_link);

		if (!is_symbols(symbols.sh_type))
			return "relocations refer to a section without symbols";
		n_symbols = symbols.sh_size / sizeof(Elf64_Sym);
	}
	for (uint64_t i = 0; i < s->sh_size / size; i++) {
		Elf64_Rel r;

		memcpy(&r, f->bytes + s->sh_offset + i * size, sizeof(r));
		if (ELF64_R_SYM(r.r_info) != 0 &&
		    ELF64_R_SYM(r.r_info) >= n_symbols)
			return "a relocation is about a symbol that does not "
			       "exist";
	}
	return NULL;
}

static const char *check_section(const struct elf *f, uint64_t i)
{
	Elf64_Shdr s = elf_section(f, i);

	if (s.sh_type == SHT_NULL)
		return NULL;
	if ((s.sh_addralign & (s.sh_addralign - 1)) != 0)
		return "a section's alignment is no power of two";
	if (s.sh_type != SHT_NOBITS && !elf_holds(f, s.sh_offset, 1, s.sh_size))
		return "a section lies outside the file";
	if (is_symbols(s.sh_type))
		return check_symbols(f, &s);
	if (s.sh_type == SHT_REL || s.sh_type == SHT_RELA)
		return check_relocations(f, &s);
	return s.sh_type == SHT_SYMTAB_SHNDX && !has_entries(&s, 4)
		       ? "its section numbers have a wrong size"
		       : NULL;
}

const char *elf_check(const unsigned char *bytes, size_t n)
{
	struct elf f = { .bytes = bytes, .n = n };
	const char *what = check_head(&f);

	if (what || f.n_sections == 0)
		return what;
	what = check_names(&f);
	for (uint64_t i = 0; !what && i < f.n_sections; i++)
		what = check_section(&f, i);
	return what;
}
