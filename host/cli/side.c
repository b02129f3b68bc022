/* Reads cpu:NAME, model:FILE, db:FILE or FILE; see side.h. */
#include "host/cli/side.h"

#include <string.h>

#include "host/cli/shipped.h"
#include "host/codec/source.h"
#include "host/store/store.h"

static const char cpu_mark[] = "cpu:", model_mark[] = "model:",
		  db_mark[] = "db:", db_end[] = ".db";

/* What follows a mark, or NULL. */
static const char *behind(const char *word, const char *mark)
{
	size_t n = strlen(mark);

	return strncmp(word, mark, n) == 0 && word[n] != '\0' ? word + n : NULL;
}

/* A missing database is reported as such. */
static bool is_database(const char *path)
{
	size_t n = strlen(path), k = strlen(db_end);

	return (n >= k && strcmp(path + n - k, db_end) == 0) ||
	       store_is_database(path);
}

int side_parse(const char *word, struct side *ret, struct err *e)
{
	const char *path = behind(word, model_mark);
	struct side s = { .cpu = behind(word, cpu_mark),
			  .db = behind(word, db_mark) };

	if (path && shipped_model(path, &path, e) != ERR_OK)
		return e->code;
	s.model = s.cpu || path;
	if (!s.cpu && !s.db) {
		path = path ? path : word;
		*(is_database(path) ? &s.db : &s.file) = path;
	}
	if (s.file && !s.model &&
	    import_is_model(s.file, &s.model, e) != ERR_OK)
		return e->code;
	*ret = s;
	return ERR_OK;
}
