/* The writer of HTML and SVG: hostile text, numbers that are none, empty
 * pictures; and that the check of pages finds mistakes. */
#include <math.h>

#include "common/types.h"
#include "host/base/json.h"
#include "host/html/html.h"
#include "host/html/svg.h"
#include "tests/unit/html_check.h"
#include "tests/unit/unit.h"

static const char *const hostile[] = {
	"",
	"<script>alert(1)</script>",
	"\"onload=\"x\" '><img src=http://example.com>",
	"&lt; &amp &#0; &",
	"a\x01\x02\x1b\x7f\r\v b",
	"\xff\xfe\xc0\x80\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80 \xe2\x82",
	"\xe2\x82\xac \xf0\x9f\x90\x9b",
	"-->]]></style></title></svg></body></html>",
	"javascript:alert(1)",
	"//example.com/x",
};

static const double numbers[] = {
	NAN,    -NAN,  INFINITY, -INFINITY, 0,  -0.0,      1e-310,
	-1e308, 1e308, 1e-300,   1.5,       -3, 12345.678, 4e9,
};

static void check_page(const struct buffer *b, const char *what)
{
	const char *wrong = html_check((const char *)b->bytes, b->n);

	if (wrong)
		fail_msg("%s: %s\n%.*s", what, wrong, (int)b->n,
			 (const char *)b->bytes);
}

/* The check finds what it is for. */
TEST(check)
{
	static const char *const wrong[] = {
		"<p>a < b</p>",
		"<p>a & b</p>",
		"<p>",
		"</p>",
		"<p><b></p></b>",
		"<p class=x></p>",
		"<p class=\"x></p>",
		"<script></script>",
		"<img src=\"x\">",
		"<p onclick=\"x\"></p>",
		"<a href=\"http://example.com\">x</a>",
		"<a href=\"//example.com\">x</a>",
		"<rect x=\"nan\"/>",
		"<rect width=\"inf\"/>",
		"<p>\xff</p>",
		"<p>\x01</p>",
		"<style>a { background: url(x) }</style>",
		"<style>@import 'x';</style>",
	};

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (!html_check(wrong[i], strlen(wrong[i])))
			fail_msg("nothing is wrong with %s", wrong[i]);
	assert_null(html_check("<p class=\"x\">a &lt; b<br></p>", 29));
	assert_non_null(html_check_string("\"a<b\"", 5));
	assert_non_null(html_check_string("\"a\\x\"", 5));
	assert_null(html_check_string("\"a\\u003cb\"", 10));
}

TEST(text)
{
	SCOPED(buffer_free) struct buffer b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		b.n = 0;
		html_printf(&b, "<p title=\"%s\">", hostile[i]);
		html_text(&b, hostile[i]);
		html_printf(&b, "%.*s</p>", (int)i, hostile[i]);
		check_page(&b, "text");
		b.n = 0;
		html_json(&b, hostile[i]);
		if (html_check_string((const char *)b.bytes, b.n))
			fail_msg("%s",
				 html_check_string((const char *)b.bytes, b.n));
	}
	b.n = 0;
	html_text(&b, "a<b>&\"'\xff\x01");
	buffer_add(&b, "", 1);
	assert_string_equal(b.bytes, "a&lt;b&gt;&amp;&quot;&#39;\xef\xbf\xbd ");
	b.n = 0;
	html_printf(&b, "<b>%s, %.*s: %d %zu %lx %+.1f %% %5.2g%c</b>", "<", 2,
		    "a&b", -1, (size_t)1 << 40, 0xffL, 2.0, 1.25, 'x');
	buffer_add(&b, "", 1);
	assert_string_equal(b.bytes, "<b>&lt;, a&amp;: -1 1099511627776 ff "
				     "+2.0 %   1.2x</b>");
	b.n = 0;
	html_json(&b, "a<b>&'\"\\/\x01\n\x7f\xff\xe2\x82\xac");
	buffer_add(&b, "", 1);
	assert_string_equal(b.bytes,
			    "\"a\\u003cb\\u003e\\u0026'\\u0022\\u005c/"
			    "\\u0001\\u000a\\u007f\\ufffd\xe2\x82\xac\"");
	b.n = 0;
	json_add_string(&b, "a<b>&'\"\\/\x01\n\x7f\xff\xe2\x82\xac");
	buffer_add(&b, "", 1);
	assert_string_equal(b.bytes, "\"a<b>&'\\\"\\\\/\\u0001\\u000a\\u007f"
				     "\\ufffd\xe2\x82\xac\"");
}

/* A page of its own, and one of a site. */
TEST(pages)
{
	static const char *const roots[] = { NULL, "", "../" };
	SCOPED(buffer_free) struct buffer b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(hostile); i++)
		for (size_t k = 0; k < ARRAY_LEN(roots); k++) {
			const struct html_page p = {
				.title = hostile[i],
				.site = k ? hostile[i] : NULL,
				.root = roots[k],
			};

			b.n = 0;
			html_begin(&b, &p);
			html_end(&b, hostile[i]);
			check_page(&b, "a page");
		}
}

static void draw(struct buffer *b, double x, double y, const char *text)
{
	svg_begin(b, x, y, text);
	svg_line(b, "grid", x, y, y, x);
	svg_rect(b, "bar", (struct svg_box){ x, y, y, x }, text);
	svg_rect(b, "bar", (struct svg_box){ x, y, x, y }, NULL);
	svg_text(b, "tick", x, y, "end", text);
	svg_end(b);
}

/* Each plot between any two numbers, on both kinds of axes. */
static void plot(struct buffer *b, double from, double to, bool is_log)
{
	const struct svg_plot p = {
		.left = 40,
		.top = 20,
		.width = 300,
		.height = 200,
		.x0 = from,
		.x1 = to,
		.y0 = to,
		.y1 = from,
		.log_x = is_log,
		.log_y = is_log,
		.x_name = hostile[1],
		.y_name = hostile[2],
	};

	const struct svg_point points[] = { { from, to, to, from },
					    { to, from, from, to } };

	svg_axes(b, &p);
	svg_series(b, &p, 9, hostile[3], points, ARRAY_LEN(points));
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		double x = svg_x(&p, numbers[i]), y = svg_y(&p, numbers[i]);

		if (!(x >= 40 && x <= 340) || !(y >= 20 && y <= 220))
			fail_msg("%g of %g to %g is at %g, %g", numbers[i],
				 from, to, x, y);
	}
}

TEST(pictures)
{
	SCOPED(buffer_free) struct buffer b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		for (size_t k = 0; k < ARRAY_LEN(numbers); k++) {
			b.n = 0;
			draw(&b, numbers[i], numbers[k],
			     hostile[i % ARRAY_LEN(hostile)]);
			check_page(&b, "a picture");
			b.n = 0;
			plot(&b, numbers[i], numbers[k], false);
			plot(&b, numbers[i], numbers[k], true);
			check_page(&b, "a plot");
			/* A few ticks, not thousands. */
			assert_true(b.n < 30000);
		}
}

/* A series has a line from point to point, and one for the bounds of a
 * value. */
TEST(series)
{
	const struct svg_point points[] = { { 1, 2, 2, 2 }, { 2, 5, 4, 6 } };
	const struct svg_plot p = {
		.width = 100, .height = 100, .x0 = 1, .x1 = 2, .y1 = 10
	};
	struct buffer b = { 0 };

	svg_begin_file(&b, 100, 100);
	svg_series(&b, &p, 2, "a<b", points, ARRAY_LEN(points));
	svg_end(&b);
	buffer_add(&b, "", 1);
	assert_non_null(strstr((const char *)b.bytes, ".s2 .line"));
	assert_non_null(strstr((const char *)b.bytes, "d=\"M0 80L100 50\""));
	assert_non_null(strstr((const char *)b.bytes, "d=\"M100 60L100 40\""));
	assert_non_null(strstr((const char *)b.bytes, "a&lt;b</text>"));
	buffer_free(&b);
}

/* A plot has its ticks where they belong. */
TEST(ticks)
{
	const struct svg_plot p = { .left = 0,
				    .top = 0,
				    .width = 100,
				    .height = 100,
				    .x0 = 1,
				    .x1 = 16,
				    .y0 = 0,
				    .y1 = 10,
				    .log_x = true,
				    .x_name = "x",
				    .y_name = "y" };
	SCOPED(buffer_free) struct buffer b = { 0 };

	assert_true(fabs(svg_x(&p, 4) - 50) < 1e-6);
	assert_true(fabs(svg_y(&p, 5) - 50) < 1e-6);
	svg_axes(&b, &p);
	buffer_add(&b, "", 1);
	assert_part((const char *)b.bytes,
		    "x=\"50\" y=\"115\" text-anchor=\"middle\">4<");
	assert_part((const char *)b.bytes, "y=\"64\" text-anchor=\"end\">4<");
}

TEST(numbers)
{
	static const struct {
		double low, high;
		const char *text;
	} rows[] = {
		{ 1, 1, "1" },
		{ 0.996, 1.004, "1" },
		{ 1, 2,
		  "1\xe2\x80\x93"
		  "2" },
		{ 1234.4, 1234.4, "1234" },
		{ NAN, NAN, "?" },
		{ 1, INFINITY, "1\xe2\x80\x93?" },
		{ -INFINITY, INFINITY, "?" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(html_cycles(rows[i].low, rows[i].high).text,
				    rows[i].text);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		assert_true(html_heat(numbers[i]) < HTML_HEAT);
	assert_int_equal(html_heat(0.5), 0);
	assert_int_equal(html_heat(1), 1);
	assert_int_equal(html_heat(4), 3);
	assert_int_equal(html_heat(INFINITY), HTML_HEAT - 1);
}
