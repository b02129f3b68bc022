/* The check of ELF files before LLVM reads them: no byte outside the file is
 * read, and a valid file stays valid when bytes follow it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/elf_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *wrong = elf_check(data, size);
	unsigned char *more = malloc(size + 16);

	if (!more)
		return 0;
	memcpy(more, data, size);
	memset(more + size, 0x55, 16);
	if (!wrong && elf_check(more, size + 16))
		abort();
	free(more);
	return 0;
}
