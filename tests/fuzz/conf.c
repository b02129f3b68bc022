/* Fuzzes the reader of .conf files through a file that is never on disk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/base/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const known[] = { "describe", "command", NULL };
	struct arena a = { 0 };
	struct err e = { 0 };
	struct conf c;
	char path[64];
	int fd = memfd_create("conf", 0);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (conf_read(&a, path, &c, &e) == ERR_OK) {
		for (size_t i = 0; i < c.n; i++)
			if (strcmp(conf_get(&c, c.entries[i].key),
				   c.entries[i].value) != 0)
				abort();
		(void)conf_check_keys(&c, known, &e);
	} else if (e.code == ERR_OK || e.message[0] == '\0') {
		abort();
	}
	(void)close(fd);
	arena_free(&a);
	return 0;
}
