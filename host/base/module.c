/* Modules and their build ids, from the dynamic loader's list. */
#include "host/base/module.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

struct module_search {
	uintptr_t address;
	struct module *ret;
	bool found;
};

static void module_read_id(const unsigned char *p, size_t n, struct module *ret)
{
	ElfW(Nhdr) note;

	while (n >= sizeof(note)) {
		size_t name, body;

		memcpy(&note, p, sizeof(note));
		name = (note.n_namesz + 3u) & ~(size_t)3;
		body = (note.n_descsz + 3u) & ~(size_t)3;
		if (name > n - sizeof(note) || body > n - sizeof(note) - name)
			return;
		p += sizeof(note) + name;
		if (note.n_type == NT_GNU_BUILD_ID &&
		    2 * (size_t)note.n_descsz < MODULE_ID_ROOM) {
			for (size_t i = 0; i < note.n_descsz; i++)
				(void)snprintf(ret->id + 2 * i, 3, "%02x",
					       p[i]);
			return;
		}
		p += body;
		n -= sizeof(note) + name + body;
	}
}

static int module_visit(struct dl_phdr_info *info, size_t size, void *context)
{
	struct module_search *s = context;
	struct module m = { .base = info->dlpi_addr, .first = UINTPTR_MAX };

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t first = m.base + p->p_vaddr;

		if (p->p_type == PT_LOAD) {
			m.first = first < m.first ? first : m.first;
			if (first + p->p_memsz > m.end)
				m.end = first + p->p_memsz;
		}
		if (p->p_type == PT_NOTE && m.id[0] == '\0')
			module_read_id((const unsigned char *)first, p->p_memsz,
				       &m);
	}
	if (s->address < m.first || s->address >= m.end)
		return 0;
	*s->ret = m;
	s->found = m.id[0] != '\0';
	return 1;
}

bool module_find(const void *address, struct module *ret)
{
	struct module_search s = { .address = (uintptr_t)address, .ret = ret };

	(void)dl_iterate_phdr(module_visit, &s);
	return s.found;
}
