/* Makes a site; see site.h. */
#include "host/site/site.h"

#include <string.h>

#include "host/html/html.h"
#include "host/site/inner.h"

static int write_style(struct site *s, struct err *e)
{
	struct buffer b = { 0 };

	buffer_add(&b, html_style, strlen(html_style));
	(void)folder_add(&s->folder, "site.css", &b, e);
	buffer_free(&b);
	return e->code;
}

static int read_inputs(struct site *s, struct err *e)
{
	for (size_t i = 0; i < s->r->n_inputs; i++)
		if (site_read(s, s->r->inputs[i], e) != ERR_OK)
			return e->code;
	if (s->n_cores == 0)
		return err_set(e, ERR_USAGE, "site: no database and no model");
	site_join(s);
	site_fill_forms(s);
	if (s->n_forms == 0)
		return err_set(e, ERR_INPUT, "%s has no values of forms",
			       s->cores[0].path);
	for (size_t i = 0; i < s->r->n_loops; i++)
		if (site_read_loops(s, s->r->loops[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < s->n_cores; i++)
		if (site_read_evidence(s, &s->cores[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

static int write_all(struct site *s, struct err *e)
{
	static int (*const writers[])(struct site *, struct err *) = {
		write_style,      site_write_index,   site_write_forms,
		site_write_cores, site_write_compare, site_write_classes,
	};

	for (size_t i = 0; i < ARRAY_LEN(writers); i++)
		if (writers[i](s, e) != ERR_OK)
			return e->code;
	return folder_finish(&s->folder, e);
}

int site_make(const struct site_request *r, struct site_summary *ret,
	      struct err *e)
{
	struct arena a = { 0 };
	struct site *s = ARENA_NEW(&a, struct site);

	s->r = r;
	s->title = r->title ? r->title : "Instruction costs";
	/* The folder comes first: a mistake there is told at once. */
	if (folder_begin(&s->folder, &s->a, r->output, "anechoic-site.txt",
			 e) == ERR_OK &&
	    read_inputs(s, e) == ERR_OK && write_all(s, e) == ERR_OK)
		*ret = (struct site_summary){
			.n_cores = s->n_cores,
			.n_forms = s->n_forms,
			.n_files = s->folder.n_files,
			.n_bytes = s->folder.n_bytes,
		};
	folder_drop(&s->folder);
	for (size_t i = 0; i < s->n_stores; i++)
		store_close(s->stores[i]);
	for (size_t i = 0; i < s->n_catalogues; i++)
		catalogue_free(s->catalogues[i]);
	arena_free(&s->a);
	arena_free(&a);
	return e->code;
}
