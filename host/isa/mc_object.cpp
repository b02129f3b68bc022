/* Object files; see mc_object.h. */
extern "C" {
#include "host/isa/mc_object.h"
#include "host/isa/elf_check.h"
}

#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/TargetParser/Triple.h>

#include <string>

#include "host/isa/mc_inst.h"

using namespace llvm;
using namespace llvm::object;

extern "C" bool mc_object_is(const unsigned char *bytes, size_t n)
{
	StringRef text(reinterpret_cast<const char *>(bytes), n);
	return identify_magic(text) != file_magic::unknown;
}

static bool is_elf(StringRef text)
{
	file_magic m = identify_magic(text);
	return m == file_magic::elf_relocatable ||
	       m == file_magic::elf_executable ||
	       m == file_magic::elf_shared_object || m == file_magic::elf;
}

/* Convert LLVM's error to a message; LLVM requires that errors are consumed. */
static int damaged(const char *name, Error error, struct err *e)
{
	std::string what = toString(std::move(error));
	return err_set(e, ERR_INPUT, "%s: this ELF file is damaged: %s", name,
		       what.c_str());
}

static int pass_names(const ObjectFile &o, const SectionRef &section,
		      const struct mc_object_sink *sink)
{
	for (const SymbolRef &symbol : o.symbols()) {
		Expected<section_iterator> at = symbol.getSection();
		Expected<StringRef> text = symbol.getName();
		Expected<uint64_t> address = symbol.getAddress();
		bool whole = at && text && address;
		if (!whole) {
			consumeError(at.takeError());
			consumeError(text.takeError());
			consumeError(address.takeError());
			continue;
		}
		if (*at == o.section_end() || **at != section || text->empty())
			continue;
		std::string copy = text->str();
		struct mc_name n = { copy.c_str(), *address, false, false, 0 };
		int status = call_back(
			[&] { return sink->name(sink->context, &n); });
		if (status != 0)
			return status;
	}
	return 0;
}

static struct mc_name describe(const ObjectFile &o, const SectionRef &section,
			       const RelocationRef &r, std::string &text)
{
	struct mc_name n = {};
	symbol_iterator symbol = r.getSymbol();
	Expected<int64_t> added = ELFRelocationRef(r).getAddend();
	int64_t addend = added ? *added : 0;
	if (!added)
		consumeError(added.takeError());
	n.address = section.getAddress() + r.getOffset();
	n.relocation = true;
	if (symbol != o.symbol_end()) {
		Expected<StringRef> name = symbol->getName();
		Expected<uint64_t> address = symbol->getAddress();
		Expected<section_iterator> at = symbol->getSection();
		if (name)
			text = name->str();
		n.inside = address && at && *at != o.section_end() &&
			   **at == section;
		n.target = n.inside ? *address + (uint64_t)addend : 0;
		consumeError(name.takeError());
		consumeError(address.takeError());
		consumeError(at.takeError());
	}
	text += "+" + std::to_string(addend);
	n.name = text.c_str();
	return n;
}

/* Sections of relocations name the section that they apply to. */
static int pass_relocations(const ObjectFile &o, const SectionRef &section,
			    const struct mc_object_sink *sink)
{
	for (const SectionRef &s : o.sections()) {
		Expected<section_iterator> to = s.getRelocatedSection();
		if (!to) {
			consumeError(to.takeError());
			continue;
		}
		if (*to == o.section_end() || **to != section)
			continue;
		for (const RelocationRef &r : s.relocations()) {
			std::string text;
			struct mc_name n = describe(o, section, r, text);
			int status = call_back(
				[&] { return sink->name(sink->context, &n); });
			if (status != 0)
				return status;
		}
	}
	return 0;
}

static int read_object(const char *name, const unsigned char *bytes, size_t n,
		       const struct mc_object_sink *sink, const char **ret_arch,
		       struct err *e)
{
	StringRef text(reinterpret_cast<const char *>(bytes), n);
	if (!is_elf(text))
		return err_set(e, ERR_INPUT,
			       "%s is neither an ELF object file nor assembly",
			       name);
	const char *wrong = elf_check(bytes, n);
	if (wrong)
		return err_set(e, ERR_INPUT, "%s: this ELF file is damaged: %s",
			       name, wrong);
	Expected<std::unique_ptr<ObjectFile>> file =
		ObjectFile::createObjectFile(MemoryBufferRef(text, name));
	if (!file)
		return damaged(name, file.takeError(), e);
	const ObjectFile &o = **file;
	*ret_arch = Triple::getArchTypeName(o.getArch()).data();
	for (const SectionRef &s : o.sections()) {
		if (!s.isText() || s.getSize() == 0)
			continue;
		Expected<StringRef> code = s.getContents();
		if (!code)
			return damaged(name, code.takeError(), e);
		struct mc_section section = {
			s.getAddress(),
			reinterpret_cast<const unsigned char *>(code->data()),
			code->size(),
			o.isRelocatableObject() ? s.getAlignment().value() : 0,
		};
		int status = call_back(
			[&] { return sink->section(sink->context, &section); });
		if (status == 0)
			status = pass_names(o, s, sink);
		if (status == 0)
			status = pass_relocations(o, s, sink);
		if (status != 0)
			return status;
	}
	return ERR_OK;
}

extern "C" int mc_object_read(const char *name, const unsigned char *bytes,
			      size_t n, const struct mc_object_sink *sink,
			      const char **ret_arch, struct err *e)
{
	return or_shortage(
		[&] { return read_object(name, bytes, n, sink, ret_arch, e); });
}
