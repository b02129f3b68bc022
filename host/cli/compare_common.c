/* What the comparisons of values, models and classes share; see
 * compare_command.h. */
#include "host/cli/compare_command.h"

#include <string.h>

#include "host/isa/catalogue.h"

int comparing_load_catalogues(struct comparing *w, const struct isa *isa,
			      struct err *e)
{
	if (catalogue_load(w->a, isa, NULL, &w->c, e) == ERR_OK && w->o->cpu)
		(void)catalogue_load(w->a, isa, w->o->cpu, &w->cpu, e);
	return e->code;
}

bool comparing_wants(struct comparing *w, const char *form)
{
	return compare_has_forms(w->a, w->cpu, form) &&
	       (!w->forms || regexec(w->forms, form, 0, NULL, 0) == 0);
}

int comparing_write(const struct comparing *w, struct err *e)
{
	return file_write(w->o->output ? w->o->output : "-", w->out->bytes,
			  w->out->n, e);
}

/* --require: is the share large enough? */
int comparing_share(const struct comparing *w, double share, const char *what,
		    struct err *e)
{
	if (share >= w->require)
		return ERR_OK;
	if (share < 0)
		return err_set(e, ERR_FAILED,
			       "compare: none is judged, so --require is not "
			       "met");
	return err_set(e, ERR_FAILED,
		       "compare: %.2f %% %s, less than the %g %% of --require",
		       100 * share, what, 100 * w->require);
}

int comparing_check(const struct comparing *w, const struct compare_counts *n,
		    struct err *e)
{
	size_t agree = 0;

	for (enum compare_kind k = 0; k < COMPARE_N_KINDS; k++)
		agree += n->n[k][COMPARE_AGREES] + n->n[k][COMPARE_INSIDE];
	return comparing_share(
		w,
		(double)agree / (double)compare_n_compared(n, COMPARE_N_KINDS),
		"of the values agree, intervals counted", e);
}

int comparing_nothing(const struct comparing *w, const char *whose,
		      struct err *e)
{
	return err_set(e, ERR_FAILED, "compare: %s no value in common%s", whose,
		       w->forms ? " of forms that --forms names" : "");
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && strcmp(text + n - k, end) == 0;
}

bool comparing_yaml(const char *path)
{
	return ends_with(path, ".yaml") || ends_with(path, ".yml");
}
