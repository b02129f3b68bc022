/* What pages of all kinds share; see inner.h. */
#include <stdio.h>

#include "host/html/html.h"
#include "host/site/inner.h"

int site_check_stop(const struct site *s, struct err *e)
{
	if (s->r->stop && *s->r->stop)
		return err_set(e, ERR_INTERRUPTED,
			       "interrupted; nothing was written");
	return ERR_OK;
}

void site_begin(struct buffer *b, const struct site *s, const char *title,
		const char *root)
{
	const struct html_page p = { .title = title,
				     .site = s->title,
				     .root = root };

	html_begin(b, &p);
}

void site_end(struct buffer *b, const struct site *s)
{
	struct buffer text = { 0 };

	buffer_printf(&text,
		      "Written by anechoic %s. Cycles are core cycles; "
		      "an interval means that every value in it agrees "
		      "with what was measured.",
		      s->r->version);
	html_end(b, buffer_text(&text));
	buffer_free(&text);
}

struct html_span site_span(const struct model_span *s, const char *none)
{
	struct html_span text;

	if (s->has_value)
		return html_cycles(s->low, s->high);
	(void)snprintf(text.text, sizeof(text.text), "%s", none);
	return text;
}

struct html_span site_value(const struct claim *c)
{
	const struct model_span s = claim_span(c);

	return site_span(&s, "\xe2\x80\x93");
}
