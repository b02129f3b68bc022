#include "target/boot/sbi/free.h"

/* Whose end is an address. */
static bool is_free(const struct efi_memory *m)
{
	bool by_type = m->type == EFI_CONVENTIONAL ||
		       m->type == EFI_BOOT_SERVICES_CODE ||
		       m->type == EFI_BOOT_SERVICES_DATA;

	return by_type && m->n_pages > 0 &&
	       m->n_pages <= (UINT64_MAX - m->from) / EFI_PAGE;
}

static uint64_t end_of(const struct efi_memory *m)
{
	return m->from + m->n_pages * EFI_PAGE;
}

/* Insert a region by its address into n others. */
static void insert(struct efi_memory *list, size_t n, struct efi_memory m)
{
	for (; n > 0 && list[n - 1].from > m.from; n--)
		list[n] = list[n - 1];
	list[n] = m;
}

/* Join those that overlap, or touch each other. */
static size_t join(struct efi_memory *list, size_t n)
{
	size_t n_joined = 0;

	for (size_t i = 0; i < n; i++) {
		struct efi_memory *last = list + n_joined - 1;

		if (n_joined == 0 || list[i].from > end_of(last))
			list[n_joined++] = list[i];
		else if (end_of(&list[i]) > end_of(last))
			last->n_pages =
				(end_of(&list[i]) - last->from) / EFI_PAGE;
	}
	return n_joined;
}

/* The list never reaches what was not read: it has at most as many items, which are
 * not longer. */
size_t free_list(struct efi_memory *map, uint64_t bytes, uint64_t item)
{
	const char *at = (const char *)map;
	size_t n = 0;

	if (item < sizeof(*map) || item % _Alignof(struct efi_memory) != 0)
		return 0;
	for (; bytes >= item; bytes -= item, at += item) {
		struct efi_memory m = *(const struct efi_memory *)at;

		if (is_free(&m))
			insert(map, n++, m);
	}
	return join(map, n);
}

bool free_gap_at(const struct efi_memory *list, size_t n, size_t i,
		 struct tree_region *ret)
{
	uint64_t from = i > 0 && i <= n ? end_of(&list[i - 1]) : 0;
	uint64_t until = i < n ? list[i].from : UINT64_MAX;

	*ret = (struct tree_region){ from, until - from };
	return i <= n;
}
