#include "target/boot/bare/fix.h"

#include "target/boot/bare/tree.h"
#include "target/fixup.h"

static const char *done;

static bool is_for(const struct fixup *f, const void *tree)
{
	for (size_t i = 0; f->compatible[i]; i++)
		if (tree_lists(tree, TREE_ROOT, "compatible", f->compatible[i]))
			return true;
	return false;
}

void fix_board(const void *tree)
{
	for (size_t i = 0; tree && fixups[i]; i++)
		if (is_for(fixups[i], tree))
			done = fixups[i]->apply();
}

void fix_describe(struct wire_line *w)
{
	if (done)
		wire_word(w, "fixup", done);
}
