/* Self-relocation.  Runs before anything is relocated, so it uses only the
 * initial stack: the program headers there give the address of .dynamic and the
 * link address of the image. */
#include "target/boot/linux/linux.h"

enum {
	AT_NULL = 0,
	AT_PHDR = 3,
	AT_PHNUM = 5,
	AT_PAGESZ = 6,
	PT_DYNAMIC = 2,
	PT_PHDR = 6,
	DT_NULL = 0,
	DT_RELA = 7,
	DT_RELASZ = 8,
};

struct program_header {
	uint32_t type, flags;
	uint64_t offset, vaddr, paddr, filesz, memsz, align;
};

struct rela {
	uint64_t offset, info;
	int64_t addend;
};

/* The value after a tag in a list of pairs that ends with tag 0. */
static uint64_t relocate_find(const uint64_t *pairs, uint64_t tag)
{
	for (; pairs[0] != 0; pairs += 2)
		if (pairs[0] == tag)
			return pairs[1];
	return 0;
}

static const uint64_t *auxiliary(const uint64_t *stack)
{
	/* argc, argv[argc], NULL, envp..., NULL, auxv */
	const uint64_t *p = stack + 1 + stack[0] + 1;

	while (*p != 0)
		p++;
	return p + 1;
}

uint64_t linux_page_bytes(const uint64_t *stack)
{
	return relocate_find(auxiliary(stack), AT_PAGESZ);
}

_Static_assert(AT_NULL == 0 && DT_NULL == 0, "relocate_find() ends on zero");

void linux_relocate(const uint64_t *stack)
{
	const uint64_t *aux = auxiliary(stack);
	uint64_t at = relocate_find(aux, AT_PHDR);
	const struct program_header *ph = (const void *)at;
	uint64_t n = relocate_find(aux, AT_PHNUM);
	uint64_t base = 0, dynamic = 0;

	for (uint64_t i = 0; i < n; i++) {
		if (ph[i].type == PT_PHDR)
			base = at - ph[i].vaddr;
		if (ph[i].type == PT_DYNAMIC)
			dynamic = ph[i].vaddr;
	}
	if (dynamic == 0)
		return;

	const uint64_t *tags = (const void *)(base + dynamic);
	const struct rela *r =
		(const void *)(base + relocate_find(tags, DT_RELA));
	uint64_t count = relocate_find(tags, DT_RELASZ) / sizeof(*r);

	for (uint64_t i = 0; i < count; i++)
		if ((uint32_t)r[i].info == linux_relative)
			*(uint64_t *)(base + r[i].offset) =
				base + (uint64_t)r[i].addend;
}
