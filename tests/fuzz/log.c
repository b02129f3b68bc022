/* Fuzzes the reader of recorded logs.  A damaged checksum would end every
 * record at once, so each line that looks like a record gets a valid one
 * first.  The store checks what it is given and keeps nothing. */
#include <stdlib.h>
#include <string.h>

#include "common/crc32.h"
#include "host/link/link.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool condition)
{
	if (!condition)
		abort();
}

int store_begin(struct store *s, struct err *e)
{
	(void)s;
	(void)e;
	return ERR_OK;
}

int store_commit(struct store *s, struct err *e)
{
	(void)s;
	(void)e;
	return ERR_OK;
}

int store_env(struct store *s, int64_t run, const char *key, const char *value,
	      struct err *e)
{
	(void)s;
	(void)run;
	(void)e;
	must(*key != '\0' && *value != '\0');
	return ERR_OK;
}

int store_text_last(struct store *s, int64_t *ret_last, struct err *e)
{
	(void)s;
	(void)e;
	*ret_last = 0;
	return ERR_OK;
}

int store_text_trim(struct store *s, int64_t run, int64_t after, uint64_t most,
		    uint64_t *ret_bytes, struct err *e)
{
	(void)s;
	(void)run;
	(void)e;
	must(after == 0 && most > 0);
	*ret_bytes = 0;
	return ERR_OK;
}

int store_text(struct store *s, int64_t run, const char *line, size_t n,
	       struct err *e)
{
	(void)s;
	(void)run;
	(void)e;
	must(n > 0 && !memchr(line, '\n', n));
	return ERR_OK;
}

int store_run_core(struct store *s, struct arena *a, int64_t run,
		   struct core_id *ret, struct err *e)
{
	(void)s;
	(void)a;
	(void)run;
	(void)e;
	*ret = (struct core_id){ .core = "", .machine = "" };
	return ERR_OK;
}

int store_env_get(struct store *s, struct arena *a, int64_t run,
		  const char *key, const char **ret, struct err *e)
{
	(void)s;
	(void)a;
	(void)run;
	(void)key;
	(void)e;
	*ret = "0";
	return ERR_OK;
}

bool core_agrees(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

void store_rollback(struct store *s)
{
	(void)s;
}

int store_run_clock(struct store *s, int64_t run, enum clock clock,
		    uint64_t ref_hz, struct err *e)
{
	(void)s;
	(void)run;
	(void)ref_hz;
	(void)e;
	must(clock == CLOCK_CORE || clock == CLOCK_REF);
	return ERR_OK;
}

int store_sample(struct store *s, int64_t run, const struct sample *m,
		 struct err *e)
{
	volatile uint64_t sum = 0;

	(void)s;
	(void)run;
	(void)e;
	must(m->n_rows > 0 && (row_is_core(m->row) || row_is_ref(m->row)));
	for (uint32_t i = 0; i < m->n_rows * m->row; i++)
		sum += m->values[i];
	return ERR_OK;
}

int store_fault(struct store *s, int64_t run, const struct fault_row *f,
		struct err *e)
{
	(void)s;
	(void)run;
	(void)e;
	must(*f->cause != '\0');
	return ERR_OK;
}

/* Give a line "@... *xxxxxxxx" its right checksum. */
static void seal(unsigned char *line, size_t n)
{
	unsigned char *mark = memchr(line, '@', n);
	uint32_t crc;

	if (n < 11 || line[n - 9] != '*' || !mark || mark > line + n - 10)
		return;
	crc = crc32_update(0, mark, (size_t)(line + n - 9 - mark));
	for (int i = 0; i < 8; i++)
		line[n - 8 + (size_t)i] =
			(unsigned char)"0123456789abcdef"[crc >> (28 - 4 * i) &
							  15];
}

static void read_part(struct arena *a, const struct link_log_part *p)
{
	struct err e = { 0 };
	struct link_log log;
	struct link_log_counts counts;

	if (link_log_scan(a, "x", p->bytes, p->n, &log, &e) == ERR_OK) {
		must(log.n_pack > 0 && log.n_measured >= log.n_kernels);
		must(log.n_kernels > 0 || log.n_boots > 0);
		if (link_log_store(NULL, 1, 0, &log, &counts, &e) != ERR_OK)
			must(e.code == ERR_INPUT);
	} else {
		must(e.code == ERR_INPUT && e.message[0] != '\0');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct link_log_parts parts;
	unsigned char *text = malloc(n ? n : 1);

	if (!text)
		return 0;
	if (n)
		memcpy(text, data, n);
	for (size_t at = 0; at < n;) {
		unsigned char *end = memchr(text + at, '\n', n - at);
		size_t length = end ? (size_t)(end - text) - at : n - at;

		seal(text + at, length);
		at += length + 1;
	}
	if (link_log_split(&a, text, n, &parts, &e) == ERR_OK) {
		size_t sum = 0;

		must(parts.n > 0);
		for (size_t i = 0; i < parts.n; i++) {
			sum += parts.parts[i].n;
			read_part(&a, &parts.parts[i]);
		}
		must(parts.n_lost > 0 ? sum <= n : sum == n);
	} else {
		must(e.code == ERR_INPUT && e.message[0] != '\0');
	}
	free(text);
	arena_free(&a);
	return 0;
}
