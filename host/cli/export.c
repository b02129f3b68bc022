/* anechoic export: the claims of a database in other formats. */
#include <stdio.h>

#include "host/cli/cli.h"
#include "host/export/export.h"

static int run(const struct options *o, struct err *e)
{
	const struct exporter *x = exporter_find(o->format);
	struct buffer b = { 0 };
	struct store *s;

	if (!x) {
		(void)err_set(e, ERR_USAGE,
			      "--format: one of csv, json, "
			      "winic, not '%s'",
			      o->format);
		return e->code;
	}
	if (store_open(o->db, false, &s, e) != ERR_OK)
		return e->code;
	if (x->write(s, &b, e) == ERR_OK)
		(void)file_write(o->output, b.bytes, b.n, e);
	buffer_free(&b);
	store_close(s);
	return e->code;
}

const struct command command_export = {
	.name = "export",
	.summary = "write the values of a database as CSV, JSON or WINIC YAML",
	.takes = "--db --format -o",
	.needs = "--db --format -o",
	.describe =
		"csv    isa, form, kind, source, destination, low_cycles, "
		"high_cycles, residual,\n       visits, verdict, board, run\n"
		"json   the same, with the environment of each run\n"
		"winic  the YAML that WINIC writes and OSACA's tools read\n\n"
		"An empty value means that there is none; its verdict says "
		"why.",
	.run = run,
};
