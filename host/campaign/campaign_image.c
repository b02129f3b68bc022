/* The image of a campaign; see campaign.h. */
#include "host/campaign/campaign.h"

#include <string.h>
#include <unistd.h>

#include "common/slot.h"
#include "host/campaign/about.h"
#include "host/image/image.h"

enum { MAX_RUNTIME = 64 << 20 };

int campaign_image(struct campaign *c, struct buffer *ret, struct err *e)
{
	const struct image_kind *kind = image_kind_find(c->board->image);
	struct image_request q = {
		.board = c->board,
		.pack = c->pack.bytes,
		.n_pack = c->pack.n,
		.options = c->request->boot_options,
	};
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

	char *name = arena_printf(&c->arena, "runtime/%s", c->board->runtime);
	char *path = campaign_path(c, name);

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
