/* See workspace.h. */
#include "host/campaign/workspace.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/slot.h"
#include "host/base/folder.h"
#include "host/campaign/about.h"
#include "host/image/image.h"
#include "host/link/cores.h"
#include "host/machine/machine.h"

/* Cores that work all the time without being stopped by a quota. */
static uint32_t within_quota(uint32_t most)
{
	struct arena a = { 0 };
	struct machine m;

	machine_read(&a, "", &m);
	while (most > 1 && machine_is_throttled(&m, most))
		most--;
	arena_free(&a);
	return most;
}

static int find_cores(const struct campaign *c, struct workspace *w,
		      struct err *e)
{
	const struct campaign_request *q = c->request;
	uint32_t most = q->tty ? 1 : c->board->cores;

	if (q->cores > most)
		return err_set(e, ERR_USAGE,
			       "--cores must be at most %u on board '%s', not "
			       "%u",
			       most, c->board->name, q->cores);
	if (q->cores)
		most = q->cores;
	else if (campaign_is_here(c))
		most = within_quota(most);
	if (most > 1)
		w->n_cores = cores_choose(most, w->cores);
	return ERR_OK;
}

int workspace_make(struct campaign *c, struct workspace *w, struct err *e)
{
	if (find_cores(c, w, e) != ERR_OK)
		return e->code;
	w->folder = folder_open(&c->arena, e);
	if (!w->folder)
		return e->code;
	w->pack = arena_printf(&c->arena, "%s/kernels.pack", w->folder);
	if (!c->request->tty && strcmp(c->board->image, "none") != 0 &&
	    *c->board->image)
		w->image = arena_printf(&c->arena, "%s/image", w->folder);
	return ERR_OK;
}

int campaign_image(struct campaign *c, struct buffer *ret, struct err *e)
{
	enum { MAX_RUNTIME = 64 << 20 };
	const struct image_kind *kind = image_kind_find(c->board->image);
	struct image_request q = {
		.board = c->board,
		.pack = c->pack.bytes,
		.n_pack = c->pack.n,
		.options = c->request->boot_options,
	};
	const char *path = campaign_path(
		c, arena_printf(&c->arena, "runtime/%s", c->board->runtime));
	struct buffer about = { 0 };
	unsigned char *runtime;

	if (strcmp(c->board->image, "none") == 0)
		return err_set(e, ERR_INPUT, "%s: this board boots no image",
			       c->board->path);
	if (!kind)
		return err_set(
			e, ERR_INPUT,
			"%s: unknown image kind '%s'; expected one of %s",
			c->board->path, c->board->image,
			image_kind_names(&c->arena));
	if (access(path, F_OK) != 0)
		return err_set(e, ERR_INPUT,
			       "%s: runtime '%s': there is no %s; expected a "
			       "runtime of docs/porting-board.md, which `make "
			       "build` makes",
			       c->board->path, c->board->runtime, path);
	if (file_read(&c->arena, path, MAX_RUNTIME, &runtime, &q.n_runtime,
		      e) != ERR_OK)
		return e->code;
	q.runtime = runtime;
	about_write(c, SLOT_ABOUT, &about);
	q.about = about.bytes;
	q.n_about = about.n;
	(void)kind->build(&q, ret, e);
	buffer_free(&about);
	return e->code;
}

int workspace_fill(struct campaign *c, const struct workspace *w, struct err *e)
{
	struct buffer image = { 0 };

	if (file_write(w->pack, c->pack.bytes, c->pack.n, e) != ERR_OK ||
	    !w->image)
		return e->code;
	if (campaign_image(c, &image, e) == ERR_OK)
		(void)file_write(w->image, image.bytes, image.n, e);
	buffer_free(&image);
	return e->code;
}

void workspace_remove(const struct workspace *w)
{
	folder_close(w->folder);
}

struct link_request workspace_request(struct campaign *c,
				      const struct workspace *w)
{
	const struct campaign_request *q = c->request;

	return (struct link_request){
		.board = c->board,
		.image = w->image,
		.pack = w->pack,
		.runtime =
			campaign_path(c, arena_printf(&c->arena, "runtime/%s",
						      c->board->runtime)),
		.core = q->core,
		.tty = q->tty,
		.baud = q->baud,
		.reset_command = q->reset_command,
		.wake = q->wake,
		.console = q->console,
		.listener = q->listener,
		.notice = q->notice,
		.catalogue = c->catalogue,
	};
}

char *workspace_now(struct arena *a)
{
	time_t t = time(NULL);
	struct tm tm;
	char text[32];

	(void)gmtime_r(&t, &tm);
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return arena_strdup(a, text);
}
