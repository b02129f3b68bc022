/* Catalogues of a test program, loaded once for each ISA and CPU, because
 * loading takes most of the time of many tests; catalogues are immutable. The
 * linker replaces the original functions by these (--wrap). */
#include <stdlib.h>
#include <string.h>

#include "host/isa/catalogue.h"

enum { MOST = 16, ROOM = 64 };

int __real_catalogue_load(struct arena *a, const struct isa *isa,
			  const char *cpu, struct catalogue **ret_catalogue,
			  struct err *e);
void __real_catalogue_free(struct catalogue *c);
int __wrap_catalogue_load(struct arena *a, const struct isa *isa,
			  const char *cpu, struct catalogue **ret_catalogue,
			  struct err *e);
void __wrap_catalogue_free(struct catalogue *c);

static struct kept {
	struct arena a;
	const struct isa *isa;
	char cpu[ROOM];
	struct catalogue *c;
} kept[MOST];

static void free_all(void)
{
	for (size_t i = 0; i < MOST && kept[i].c; i++) {
		__real_catalogue_free(kept[i].c);
		arena_free(&kept[i].a);
	}
}

int __wrap_catalogue_load(struct arena *a, const struct isa *isa,
			  const char *cpu, struct catalogue **ret_catalogue,
			  struct err *e)
{
	const char *name = cpu ? cpu : "";
	bool odd = cpu && (*cpu == '\0' || strlen(cpu) >= ROOM);
	struct kept *k = kept;

	while (k < kept + MOST && k->c &&
	       (k->isa != isa || strcmp(k->cpu, name) != 0))
		k++;
	if (k == kept + MOST || odd)
		return __real_catalogue_load(a, isa, cpu, ret_catalogue, e);
	if (!k->c) {
		int ret = __real_catalogue_load(&k->a, isa, cpu, &k->c, e);

		if (ret != ERR_OK) {
			arena_free(&k->a);
			*k = (struct kept){ .c = NULL };
			return ret;
		}
		if (k == kept && atexit(free_all) != 0)
			abort();
		k->isa = isa;
		memcpy(k->cpu, name, strlen(name) + 1);
	}
	*ret_catalogue = k->c;
	return ERR_OK;
}

void __wrap_catalogue_free(struct catalogue *c)
{
	for (size_t i = 0; i < MOST; i++)
		if (kept[i].c == c)
			return;
	__real_catalogue_free(c);
}
