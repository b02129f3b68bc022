/* The first page: a table of all forms on all cores, made by a script from a
 * file of data; and a list of all forms that needs no script. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/html/html.h"
#include "host/isa/isa.h"
#include "host/isa/typed.h"
#include "host/isa/typed_names.h"
#include "host/site/inner.h"

/* Strings that many rows share; rows hold their index. */
struct pool {
	const char **list; /* in the order of the indices */
	size_t n, room;
	uint32_t *slots; /* open addressing: index + 1, 0 is free */
	size_t n_slots;
};

static uint64_t hash_of(const char *s)
{
	uint64_t h = 0xcbf29ce484222325; /* FNV-1a, 64 bits */

	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3;
	return h;
}

static size_t pool_slot(const struct pool *p, const char *s)
{
	size_t at = hash_of(s) & (p->n_slots - 1);

	while (p->slots[at] && strcmp(p->list[p->slots[at] - 1], s) != 0)
		at = (at + 1) & (p->n_slots - 1);
	return at;
}

/* `n`: at most so many strings. */
static void pool_begin(struct pool *p, struct arena *a, size_t n)
{
	*p = (struct pool){ .n_slots = 16 };
	while (p->n_slots < 2 * n)
		p->n_slots *= 2;
	p->list = (const char **)arena_alloc(a, n + 1, sizeof(char *));
	p->slots = ARENA_ARRAY(a, uint32_t, p->n_slots);
}

static size_t pool_index(struct pool *p, const char *s)
{
	size_t at = pool_slot(p, s);

	if (!p->slots[at]) {
		p->list[p->n++] = s;
		p->slots[at] = (uint32_t)p->n;
	}
	return p->slots[at] - 1;
}

/* ---- data ---------------------------------------------------------------- */

struct data {
	struct site *s;
	struct buffer *b;
	struct pool words; /* extensions, kinds, ports, verdicts, mnemonics */
	struct typed_form *typed; /* of each form; empty: not in a catalogue */
	unsigned *places;         /* among those that programs use most */
};

static void add_word(struct data *d, const char *word)
{
	buffer_printf(d->b, "%zu", pool_index(&d->words, word));
}

/* What a form is, in a column of its key in table.js. */
static void add_cell(struct data *d, char key, size_t i)
{
	const struct site_form *f = &d->s->forms[i];
	const struct catalogue *c = site_catalogue(d->s, f->isa);
	char text[SITE_TEXT];

	switch (key) {
	case 'n':
		html_json(d->b, f->name);
		break;
	case 'a':
		html_json(d->b, f->form ? f->form->example : "");
		break;
	case 'm':
		add_word(d, f->form ? f->form->mnemonic : "");
		break;
	case 'i':
		add_word(d, f->isa);
		break;
	case 'e':
		site_extension(f, c, text);
		add_word(d, arena_strdup(&d->s->a, text));
		break;
	case 'k':
		site_kinds(f, c, text);
		add_word(d, arena_strdup(&d->s->a, text));
		break;
	case 'w':
		buffer_printf(d->b, "%u", site_width(f, c));
		break;
	case 's':
		add_word(d, d->typed[i].mnemonics);
		break;
	case 'o':
		add_word(d, d->typed[i].operands);
		break;
	default: /* r */
		if (d->places[i] != TYPED_UNUSED)
			buffer_printf(d->b, "%u", d->places[i]);
	}
}

static void add_column(struct data *d, char key)
{
	buffer_printf(d->b, "%c:[", key);
	for (size_t i = 0; i < d->s->n_forms; i++) {
		buffer_printf(d->b, "%s", i ? "," : "");
		add_cell(d, key, i);
	}
	buffer_printf(d->b, "],\n");
}

/* A bound: four digits; nothing where it is not known. */
static void add_bound(struct buffer *b, bool known, double value)
{
	if (known && isfinite(value))
		buffer_printf(b, "%.4g", value);
}

/* Of a core's rows. */
static void add_span(struct data *d, const struct model_span *v)
{
	add_bound(d->b, v->has_value, v->low);
	if (v->has_value && v->high != v->low) {
		buffer_add(d->b, ":", 1);
		add_bound(d->b, true, v->high);
	}
}

/* The index of a word; -1: none. */
static void add_some_word(struct data *d, const char *word)
{
	if (word && *word)
		add_word(d, word);
	else
		buffer_printf(d->b, "-1");
}

/* The rows of one core as columns: spans of numbers in a string, and words.  A
 * form that it does not have has none. */
static void add_core(struct data *d, size_t core)
{
	static const struct {
		const char *key;
		size_t offset; /* in struct site_row */
		bool is_span;
	} columns[] = {
		{ "l", offsetof(struct site_row, of.latency), true },
		{ "t", offsetof(struct site_row, of.throughput), true },
		{ "u", offsetof(struct site_row, uops), true },
		{ "p", offsetof(struct site_row, ports), false },
		{ "vl", offsetof(struct site_row, of.latency_verdicts), false },
		{ "vt", offsetof(struct site_row, of.throughput_verdicts),
		  false },
	};
	struct site *s = d->s;

	buffer_printf(d->b, "{name:");
	html_json(d->b, s->cores[core].name);
	buffer_printf(d->b, ",id:");
	html_json(d->b, s->cores[core].id);
	buffer_printf(d->b, ",\n");
	for (size_t k = 0; k < ARRAY_LEN(columns); k++) {
		bool is_span = columns[k].is_span;

		buffer_printf(d->b, "%s:%s", columns[k].key,
			      is_span ? "\"" : "[");
		for (size_t i = 0; i < s->n_forms; i++) {
			const void *at =
				(const char *)site_row(&s->forms[i], core) +
				columns[k].offset;

			buffer_printf(d->b, "%s", i ? "," : "");
			if (is_span)
				add_span(d, at);
			else
				add_some_word(d, *(const char *const *)at);
		}
		buffer_printf(d->b, "%s,\n", is_span ? "\"" : "]");
	}
	buffer_printf(d->b, "}%s\n", core + 1 < s->n_cores ? "," : "");
}

/* Files whose name is not the form's with '.' for '/'. */
static void add_files(struct data *d)
{
	bool first = true;

	buffer_printf(d->b, "f:{");
	for (size_t i = 0; i < d->s->n_forms; i++) {
		const struct site_form *f = &d->s->forms[i];
		const char *file = strrchr(f->file, '/') + 1;

		if (!strchr(file, '~'))
			continue;
		buffer_printf(d->b, "%s%zu:", first ? "" : ",", i);
		html_json(d->b, file);
		first = false;
	}
	buffer_printf(d->b, "},\n");
}

/* ---- what forms are found by --------------------------------------------- */

/* The catalogue of an instruction set is loaded once for each core. */
static int read_typed(struct data *d, struct err *e)
{
	struct site *s = d->s;
	const struct catalogue *c = NULL;
	struct typed_index index = { .n_used = 0 };

	d->typed = ARENA_ARRAY(&s->a, struct typed_form, s->n_forms + 1);
	d->places = ARENA_ARRAY(&s->a, unsigned, s->n_forms + 1);
	for (size_t i = 0; i < s->n_forms; i++) {
		const struct site_form *f = &s->forms[i];
		const struct catalogue *own = site_catalogue(s, f->isa);

		if (own != c &&
		    typed_index_load(&s->a, own, &index, e) != ERR_OK)
			return e->code;
		c = own;
		d->places[i] = typed_used_place(&index, f->name);
		if (f->form)
			typed_form(&s->a, c, &index, f->form, &d->typed[i]);
		else
			d->typed[i] = (struct typed_form){ .mnemonics = "",
							   .operands = "" };
	}
	return ERR_OK;
}

static void add_table(struct data *d, const struct typed_names *x)
{
	for (; x->names; x++)
		buffer_printf(d->b, "[\"%s\",\"%s\"],", x->names, x->kinds);
}

/* Names of operands; those of the instruction set count first. */
static void add_names(struct data *d)
{
	buffer_printf(d->b, "typed:{");
	for (size_t i = 0; isas[i]; i++) {
		buffer_printf(d->b, "%s:{att:%d,names:[", isas[i]->name,
			      isas[i]->access_bytes != NULL);
		add_table(d, isas[i]->typed_names);
		add_table(d, typed_common_names);
		buffer_printf(d->b, "]},\n");
	}
	buffer_printf(d->b, "},\n");
}

static int write_data(struct site *s, struct buffer *b, struct err *e)
{
	struct data d = { .s = s, .b = b };

	pool_begin(&d.words, &s->a, s->n_forms * (6 + 3 * s->n_cores));
	if (read_typed(&d, e) != ERR_OK)
		return e->code;
	buffer_printf(b, "var DATA={\n");
	for (const char *key = "namiekwsor"; *key != '\0'; key++)
		add_column(&d, *key);
	add_files(&d);
	add_names(&d);
	buffer_printf(b, "cores:[\n");
	for (size_t i = 0; i < s->n_cores; i++)
		add_core(&d, i);
	buffer_printf(b, "],\nwords:[");
	for (size_t i = 0; i < d.words.n; i++) {
		buffer_printf(b, "%s", i ? "," : "");
		html_json(b, d.words.list[i]);
	}
	buffer_printf(b, "]};\n");
	return folder_add(&s->folder, "forms.js", b, e);
}

/* ---- pages --------------------------------------------------------------- */

static const char tools[] =
	"<noscript><style>.tools, .scroll, #count { display: none }</style>"
	"<p>The table needs a script; <a href=\"list.html\">the list of all "
	"forms</a> and all other pages do not.</p></noscript>\n"
	"<form class=\"tools\" role=\"search\" onsubmit=\"return false\">\n"
	"<label class=\"grow\">Search name, mnemonic, assembly"
	"<input type=\"search\" id=\"q\" autocomplete=\"off\" "
	"spellcheck=\"false\" placeholder=\"add r64 imm\"></label>\n"
	"<label>Instruction set<select id=\"isa\"></select></label>\n"
	"<label>Extension<select id=\"ext\"></select></label>\n"
	"<label>Operands<select id=\"kind\"></select></label>\n"
	"<label>Width<select id=\"width\"></select></label>\n"
	"<label>Verdict<select id=\"verdict\"></select></label>\n"
	"<label>Has values on<select id=\"core\"></select></label>\n"
	"<details id=\"choose\"><summary>Columns</summary><div>"
	"<fieldset id=\"cores\"><legend>Cores</legend></fieldset>"
	"<fieldset id=\"columns\"><legend>Columns</legend></fieldset>"
	"</div></details>\n"
	"<button type=\"button\" id=\"reset\">Reset</button>\n</form>\n"
	"<p id=\"count\" role=\"status\">Loading the table.</p>\n"
	"<div class=\"scroll\" id=\"scroll\" tabindex=\"0\" role=\"region\" "
	"aria-label=\"Forms\"><table class=\"forms\"><caption class=\"note\">"
	"Cycles. Latency spans all pairs of operands. *: not every value behind "
	"it is plain; see its verdict.</caption><thead id=\"head\"></thead><tbody id=\"rows\"></tbody>"
	"</table><p id=\"more\"><button type=\"button\">Show more</button></p>"
	"</div>\n";

static int write_table(struct site *s, struct buffer *b, struct err *e)
{
	const struct html_page p = {
		.title = s->title,
		.site = "Forms",
		.root = "",
		.head = "<script src=\"forms.js\" defer></script>\n"
			"<script src=\"table.js\" defer></script>\n",
	};

	html_begin(b, &p);
	buffer_printf(b,
		      "<p class=\"soft\">%zu forms on %zu core%s: latency, "
		      "reciprocal throughput, uops and ports, each with its "
		      "evidence. <a href=\"cores.html\">Cores and "
		      "comparisons</a></p>\n%s",
		      s->n_forms, s->n_cores, s->n_cores == 1 ? "" : "s",
		      tools);
	site_end(b, s);
	return folder_add(&s->folder, "index.html", b, e);
}

static int write_list(struct site *s, struct buffer *b, struct err *e)
{
	site_begin(b, s, "All forms", "");
	for (size_t i = 0; i < s->n_forms; i++) {
		const struct site_form *f = &s->forms[i];

		if (i == 0 || strcmp(s->forms[i - 1].isa, f->isa) != 0) {
			buffer_printf(b, "%s", i ? "</ul>\n" : "");
			html_printf(b, "<h2>%s</h2>\n<ul class=\"names\">\n",
				    f->isa);
		}
		html_printf(b, "<li><a href=\"form/%s.html\">%s</a></li>\n",
			    f->file, f->name);
	}
	buffer_printf(b, "</ul>\n");
	site_end(b, s);
	return folder_add(&s->folder, "list.html", b, e);
}

int site_write_index(struct site *s, struct err *e)
{
	struct buffer b = { 0 };

	if (write_table(s, &b, e) == ERR_OK && write_list(s, &b, e) == ERR_OK &&
	    write_data(s, &b, e) == ERR_OK) {
		buffer_add(&b, site_typed_script, strlen(site_typed_script));
		buffer_add(&b, site_table_script, strlen(site_table_script));
		(void)folder_add(&s->folder, "table.js", &b, e);
	}
	buffer_free(&b);
	return e->code;
}
