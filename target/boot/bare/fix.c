#include "target/boot/bare/fix.h"

#include "target/boot/bare/tree.h"
#include "target/fixup.h"

static const char *chip, *done, *unread;

static const char *chip_of(const struct fixup *f, const void *tree)
{
	const char *found = NULL;

	for (size_t i = 0; !found && f->chips[i]; i++)
		found = tree_chip(tree, f->chips[i]);
	return found;
}

static void note(const struct fixup *f, const char *found, const char *word)
{
	chip = found;
	unread = f->unread;
	done = word;
}

void fix_start(const void *tree)
{
	for (size_t i = 0; tree && fixups[i]; i++) {
		const struct fixup *f = fixups[i];
		const char *found = f->start ? chip_of(f, tree) : NULL;

		if (found)
			note(f, found, f->start());
	}
}

void fix_board(const void *tree)
{
	for (size_t i = 0; tree && fixups[i]; i++) {
		const struct fixup *f = fixups[i];
		const char *found = f->apply ? chip_of(f, tree) : NULL;

		if (found)
			note(f, found, f->apply());
	}
}

void fix_describe(struct wire_line *w)
{
	if (!done)
		return;
	wire_word(w, "chip", chip);
	wire_word(w, "fixup", done);
	if (unread)
		wire_word(w, "unread", unread);
}
