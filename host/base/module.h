/* The file that code was loaded from: this program, or a library. */
#ifndef BASE_MODULE_H
#define BASE_MODULE_H

#include "common/types.h"

enum { MODULE_ID_ROOM = 2 * 64 + 1 };

struct module {
	uintptr_t base;       /* what addresses in the file are relative to */
	uintptr_t first, end; /* where it is loaded */
	char id[MODULE_ID_ROOM]; /* the linker's build id, hexadecimal */
};

/* Find the module that an address is in. False: there is none, or it has no
 * build id. A build id stands for the content of the file. */
bool module_find(const void *address, struct module *ret);

#endif
