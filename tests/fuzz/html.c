/* Fuzzes the writer of HTML and SVG: the input is a list of calls with their
 * numbers and texts; what they write must be well formed, with all text escaped
 * and without requests. */
#include "host/html/html.h"
#include "host/html/svg.h"
#include "tests/unit/html_check.h"

/* Instead of the style sheet, which the build makes. */
const char html_style[] = "p { color: red; }\n";

enum { TEXT = 64 };

struct input {
	const uint8_t *at, *end;
};

static uint8_t take_byte(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static double take_number(struct input *in)
{
	double x = 0;

	if (in->end - in->at >= (ptrdiff_t)sizeof(x)) {
		memcpy(&x, in->at, sizeof(x));
		in->at += sizeof(x);
	}
	return x;
}

static const char *take_text(struct input *in, char text[TEXT])
{
	size_t n = take_byte(in) % TEXT, left = (size_t)(in->end - in->at);

	n = n < left ? n : left;
	if (n > 0)
		memcpy(text, in->at, n);
	text[n] = '\0';
	in->at += n;
	return text;
}

static void write_plot(struct buffer *b, struct input *in)
{
	char x_name[TEXT], y_name[TEXT];
	uint8_t kind = take_byte(in);
	const struct svg_plot p = {
		.left = 40,
		.top = 20,
		.width = 300,
		.height = 200,
		.x0 = take_number(in),
		.x1 = take_number(in),
		.y0 = take_number(in),
		.y1 = take_number(in),
		.log_x = kind & 1,
		.log_y = kind & 2,
		.x_name = take_text(in, x_name),
		.y_name = take_text(in, y_name),
	};
	double x = svg_x(&p, take_number(in)), y = svg_y(&p, take_number(in));

	if (!(x >= 40 && x <= 340 && y >= 20 && y <= 220))
		abort();
	svg_axes(b, &p);
}

static void write_picture(struct buffer *b, struct input *in)
{
	char text[TEXT];
	double x = take_number(in), y = take_number(in);

	svg_begin(b, x, y, take_text(in, text));
	svg_line(b, "grid", x, y, take_number(in), take_number(in));
	svg_rect(b, "bar",
		 (struct svg_box){ x, y, take_number(in), take_number(in) },
		 take_text(in, text));
	svg_text(b, "tick", x, y, "end", take_text(in, text));
	if (take_byte(in) & 1)
		write_plot(b, in);
	svg_end(b);
}

static void write_text(struct buffer *b, struct input *in)
{
	char text[TEXT];

	html_printf(b, "<p title=\"%s\">%s ", take_text(in, text), text);
	html_text(b, html_cycles(take_number(in), take_number(in)).text);
	buffer_printf(b, "<span class=\"h%u\">x</span></p>",
		      html_heat(take_number(in)));
}

static void write_string(struct input *in)
{
	char text[TEXT];
	struct buffer b = { 0 };

	html_json(&b, take_text(in, text));
	if (html_check_string((const char *)b.bytes, b.n))
		abort();
	buffer_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct input in = { data, data + n };
	char title[TEXT], site[TEXT];
	uint8_t kind = take_byte(&in);
	const struct html_page page = {
		.title = take_text(&in, title),
		.site = kind & 1 ? take_text(&in, site) : NULL,
		.root = kind & 2 ? "../" : NULL,
	};
	struct buffer b = { 0 };
	const char *wrong;

	html_begin(&b, &page);
	while (in.at < in.end) {
		switch (take_byte(&in) % 3) {
		case 0:
			write_picture(&b, &in);
			break;
		case 1:
			write_text(&b, &in);
			break;
		default:
			write_string(&in);
		}
	}
	html_end(&b, title);
	wrong = html_check((const char *)b.bytes, b.n);
	if (wrong) {
		(void)fprintf(stderr, "%s\n", wrong);
		abort();
	}
	buffer_free(&b);
	return 0;
}
