/* The sources of a merge, one at a time; see store_merge.h. */
#include <fcntl.h>
#include <unistd.h>

#include "host/store/store_merge.h"

enum {
	/* One call of posix_fadvise() reads no more than the device's
	 * read-ahead, some MB. */
	ADVICE_BYTES = 1 << 20,
};

/* Give the system advice on a whole file.  No connection may have it open:
 * closing any descriptor of it ends this process's locks on it.  Errors are
 * left to SQLite. */
static void advise(const char *path, int advice)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t end;

	if (fd < 0)
		return;
	end = lseek(fd, 0, SEEK_END);
	for (off_t at = 0; at < end; at += ADVICE_BYTES)
		(void)posix_fadvise(fd, at, ADVICE_BYTES, advice);
	(void)close(fd);
}

/* The code of a measured database is in the order of its hashes, so a copy in
 * that order reads pages all over the file.  The system reads the file in its
 * own order before they are needed, the next one while this one is copied. */
static void read_ahead(struct merge *m, size_t source)
{
	if (!m->was_read[source])
		advise(m->paths[source], POSIX_FADV_WILLNEED);
	m->was_read[source] = true;
}

static int detach(struct merge *m, struct err *e)
{
	size_t source = m->attached - 1;

	if (store_write(m->to, e, "closing", "DETACH source", "") != ERR_OK)
		return e->code;
	m->attached = 0;
	/* All databases together may be larger than the memory. */
	if (m->n_left && m->n_left[source] == 0)
		advise(m->paths[source], POSIX_FADV_DONTNEED);
	return ERR_OK;
}

int merge_attach(struct merge *m, size_t source, struct err *e)
{
	if (m->attached == source + 1)
		return ERR_OK;
	if (m->attached && detach(m, e) != ERR_OK)
		return e->code;
	read_ahead(m, source);
	if (m->next)
		read_ahead(m, m->next - 1);
	if (store_write(m->to, e, "opening", "ATTACH ? AS source", "t",
			m->paths[source]) != ERR_OK)
		return e->code;
	m->attached = source + 1;
	return ERR_OK;
}
