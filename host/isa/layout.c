/* Layouts of accesses; see layout.h.
 *
 *	loads	lines		what no line and no bank of a cache holds up:
 *				some cores load faster from one line, others
 *				two loads from one line one after the other,
 *				and none is slower for both being different
 *	stores	consecutive	what compilers write: neighbours in a line,
 *				which store buffers put together
 *	both	consecutive	as stores do
 *	atomics	lines		what reads and writes without a displacement,
 *				LSE and AMO: counters and locks of their own,
 *				and some cores hold the line until it is written
 */
#include "host/isa/layout.h"
#include "common/types.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"

static const enum layout usual[] = {
	[ACCESS_LOAD] = LAYOUT_LINES,
	[ACCESS_STORE] = LAYOUT_CONSECUTIVE,
	[ACCESS_LOAD | ACCESS_STORE] = LAYOUT_CONSECUTIVE,
};

static const char throughput_only[] = "for its throughput alone";

/* X(layout, suffix) */
#define LAYOUT_LIST(X)                       \
	X(LAYOUT_CONSECUTIVE, "consecutive") \
	X(LAYOUT_LINES, "lines")             \
	X(LAYOUT_ONE_PLACE, "one-place")

static const struct variant variants[] = {
#define X(id, text)                \
	{ .suffix = text,          \
	  .family = FAMILY_LAYOUT, \
	  .layout = id,            \
	  .unchained = throughput_only },
	LAYOUT_LIST(X)
#undef X
};

/* Does the form read and write a place that only its base names? */
static bool is_atomic(const struct form *f)
{
	return f->access == (ACCESS_LOAD | ACCESS_STORE) &&
	       form_part(f, ROLE_DISPLACEMENT) < 0;
}

/* The layout of a form's accesses, never LAYOUT_USUAL. */
static enum layout layout_of(const struct form *f)
{
	if (f->variant && f->variant->layout != LAYOUT_USUAL)
		return (enum layout)f->variant->layout;
	if (is_atomic(f))
		return LAYOUT_LINES;
	return f->access < ARRAY_LEN(usual) && usual[f->access]
		       ? usual[f->access]
		       : LAYOUT_CONSECUTIVE;
}

static unsigned step_of(const struct form *f, enum layout l)
{
	/* No table has the size of an atomic. */
	enum { WIDEST_ATOMIC = 16 };
	unsigned bytes = is_atomic(f) ? WIDEST_ATOMIC : f->access_bytes;

	if (l == LAYOUT_ONE_PLACE)
		return 0;
	/* A line and one access: the next line, and the next bank. */
	return l == LAYOUT_LINES && bytes < LAYOUT_LINE ? LAYOUT_LINE + bytes
							: bytes;
}

unsigned layout_step(const struct form *f)
{
	return step_of(f, layout_of(f));
}

/* X(bytes before the boundary) */
#define HEAD_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32)

static const struct variant straddling[][2] = {
#define X(n)                           \
	{ { .suffix = "line",          \
	    .family = FAMILY_LINE,     \
	    .head = n,                 \
	    .boundary = LAYOUT_LINE }, \
	  { .suffix = "page",          \
	    .family = FAMILY_PAGE,     \
	    .head = n,                 \
	    .boundary = LAYOUT_PAGE } },
	HEAD_LIST(X)
#undef X
};

void layout_variants(const struct isa *isa, const struct form *f,
		     struct variant_list *ret)
{
	unsigned bytes = f->access ? isa->straddles(f) : 0;

	for (size_t i = 0; i < ARRAY_LEN(straddling); i++)
		if (2u * straddling[i][0].head == bytes) {
			variant_add(ret, &straddling[i][0]);
			variant_add(ret, &straddling[i][1]);
		}
	if (!f->access || !isa->memory ||
	    !name_matches_any(isa->memory->layouts, f->name))
		return;
	/* Atomics that go to one place are `dependent`. */
	for (size_t i = 0; i < ARRAY_LEN(variants); i++)
		if (!(is_atomic(f) && variants[i].layout == LAYOUT_ONE_PLACE) &&
		    step_of(f, (enum layout)variants[i].layout) !=
			    layout_step(f))
			variant_add(ret, &variants[i]);
}
