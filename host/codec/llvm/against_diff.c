/* The source of LLVM's model with its changes, as a unified diff; see
 * against.h. */
#include <string.h>

#include "host/codec/llvm/against.h"

void against_edit(struct against *w, size_t at, size_t n, const char *text)
{
	const struct tdfile_edit x = { at, n, text };

	buffer_add(&w->edits, &x, sizeof(x));
}

/* New definitions stand behind the last InstRW, where the model's `let` is
 * open. */
static size_t end_of_model(const struct tdfile *f)
{
	size_t at = 0;

	for (size_t i = 0; i < f->n_instrws; i++)
		at = f->instrws[i].end > at ? f->instrws[i].end : at;
	for (size_t i = 0; i < f->n_writes && f->n_instrws == 0; i++)
		at = f->writes[i].at + f->writes[i].n;
	while (at < f->n && f->text[at] != '\n')
		at++;
	return at < f->n ? at + 1 : at;
}

void against_put_diff(struct against *w, struct buffer *ret)
{
	struct tdfile_edit *edits;
	size_t n;

	if (w->added.n > 0)
		against_edit(w, end_of_model(&w->file), 0,
			     buffer_take(w->a, &w->added));
	edits = buffer_take_list(w->a, &w->edits, sizeof(*edits), &n);
	buffer_printf(ret,
		      "LLVM's tables of %s: %zu latencies, %zu cycles of "
		      "resources, %zu micro-ops, %zu ports changed, %zu InstRW "
		      "with another write, %zu new.\n%zu values that differ "
		      "are left out: they share a definition with others, have "
		      "advances of operands, or are no whole cycles.\n",
		      w->table->cpu, w->n_changed[TDFILE_LATENCY],
		      w->n_changed[TDFILE_RELEASE], w->n_changed[TDFILE_UOPS],
		      w->n_changed[TDFILE_PORTS], w->n_writes, w->n_instrws,
		      w->n_left);
	tdfile_diff(&w->file, edits, n, ret);
	if (n == 0)
		(void)err_set(w->e, ERR_FAILED, "no value of %s can be changed",
			      w->file.path);
}

const char *against_prefix(struct arena *a, const struct tdfile *f)
{
	static const char model[] = ": SchedMachineModel";
	const char *at = strstr(f->text, model), *begin;
	size_t n;

	if (!at)
		return "Anechoic";
	while (at > f->text && at[-1] == ' ')
		at--;
	begin = at;
	while (begin > f->text && begin[-1] != ' ' && begin[-1] != '\n')
		begin--;
	n = (size_t)(at - begin);
	if (n > 5 && strncmp(at - 5, "Model", 5) == 0)
		n -= 5;
	return arena_printf(a, "%.*s", (int)n, begin);
}
