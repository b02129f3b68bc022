/* Holds every claim about an invented core against its file.
 *
 *	truth FILE.csv FILE.core
 *
 * The truth of a row follows from the file by arithmetic, not from the
 * simulation: latencies as listed, a chain's sum, and for a throughput the
 * slowest of width, ports (the busiest union of port sets) and window.  A row
 * without a value says why in its verdict; of any other the interval must
 * hold the truth, and one that is off or wider than a percent must not be "ok".
 * Prints how many rows there were of each kind; fails when one is wrong, or
 * when less than half of all rows have a value. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/experiment/experiment.h"
#include "host/fake/core.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

enum {
	LIMIT = 64 << 20,
	MAX_COMPLAINTS = 20,
	MEMORY = -1,
};

/* Columns of `anechoic export --format csv`. */
enum column {
	ISA,
	FORM,
	KIND,
	SOURCE,
	DESTINATION,
	LOW,
	HIGH,
	RESIDUAL,
	VISITS,
	VERDICT,
	BOARD,
	RUN,
	VALUES,
	CPU,
	CORE,
	MACHINE,
	N_COLUMNS,
};

/* The rounding error of six digits, and the cost of a loop's ends. */
static const double digits = 1e-3;

/* An ok value is known to a percent, and its bounds are no wider.  If the ends
 * of runs cost cycles, bounds are as wide as the uncertainty of a sum's parts,
 * but their middle is as accurate. */
static const double known = 0.01, wide = 0.012, wide_part = 0.05;

struct tally {
	size_t n_exact, n_intervals, n_silent, n_wrong;
};

struct truth {
	const struct catalogue *c;
	const struct core *core;
	struct tally tally;
};

PRINTF_LIKE(2, 3)
static void complain(struct truth *t, const char *format, ...)
{
	va_list args;

	if (++t->tally.n_wrong > MAX_COMPLAINTS)
		return;
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
}

/* ---- the truth -------------------------------------------------------- */

/* Operands of 64 bits, of a form that has values of its own. */
static bool is_wide(const struct form *form)
{
	return form && form_family(form) == FAMILY_WIDE;
}

/* Is a source always the register of the result: by the encoding, or since
 * both are the flags? */
static bool is_tied(const struct form *form)
{
	for (int i = 0; i < form->n_operands; i++)
		if (i < form->n_explicit
			    ? form->operands[i].tied_to >= 0
			    : form->operands[i].read && form->operands[i].write)
			return true;
	return false;
}

/* Cycles from one operand to another, by their names in labels. */
static double pair(const struct core_form *f, const struct form *form,
		   const char *src, const char *dst)
{
	double more = f->same_register > 0 && form && is_tied(form)
			      ? f->same_register
			      : 0;

	if (f->eliminated)
		return 0;
	for (size_t i = 0; i < f->n_latencies; i++)
		if (strcmp(f->latencies[i].src, src) == 0 &&
		    strcmp(f->latencies[i].dst, dst) == 0)
			return f->latencies[i].cycles + more;
	if (f->wide_latency > 0 && is_wide(form))
		return f->wide_latency + more;
	return f->latency + more;
}

/* The busiest union of the uops' port sets. */
static double ports(const struct core_form *f)
{
	double worst = 0;

	for (uint32_t set = 1; set < 1u << f->n_port_uops; set++) {
		uint32_t all = 0;
		uint32_t cycles = 0;

		for (uint32_t u = 0; u < f->n_port_uops; u++)
			all |= set >> u & 1 ? f->ports[u] : 0;
		for (uint32_t u = 0; u < f->n_port_uops; u++)
			if (!(f->ports[u] & ~all))
				cycles += u == 0 ? f->occupancy : 1;

		double share = (double)cycles / __builtin_popcount(all);

		worst = share > worst ? share : worst;
	}
	return worst;
}

/* Do all instances write the same register, which is not renamed in order? */
static bool writes_one(const struct catalogue *c, const struct form *form)
{
	for (int i = form->n_explicit; i < form->n_operands; i++) {
		uint8_t bank = c->regs[form->operands[i].fixed_reg].bank;

		if (form->operands[i].write && bank != BANK_FLAGS &&
		    bank < BANK_STATE)
			return true;
	}
	return false;
}

static double throughput(const struct truth *t, const struct core_form *f,
			 const struct form *form)
{
	const struct core *c = t->core;
	double width = (double)f->n_uops / c->width;
	double busy = f->wide_occupancy > 0 && is_wide(form) ? f->wide_occupancy
							     : ports(f);

	if (c->in_order && form && writes_one(t->c, form))
		width = fmax(width, 1);
	return busy > width ? busy : width;
}

static void end_name(const struct catalogue *c, const struct form *f, int end,
		     char *name, size_t room)
{
	if (end == MEMORY)
		(void)snprintf(name, room, "mem");
	else
		operand_name(c, f, end, name, room);
}

/* The sum of a chain's steps; false when the label is none. */
static bool chain(const struct truth *t, const char *label, double *ret)
{
	char text[PACK_MAX_LABEL];
	struct experiment x;
	struct err e = { 0 };

	(void)snprintf(text, sizeof(text), "latency:%s", label);
	if (experiment_parse(t->c, text, &x, &e) != ERR_OK)
		return false;
	if (!strchr(label, '@') && !experiment_forwards(&x))
		return false;
	*ret = 0;
	for (size_t s = 0; s < x.n_steps; s++) {
		const struct experiment_step *st = &x.steps[s];
		const struct core_form *f = core_find(t->core, st->form->name);
		char src[CORE_NAME_ROOM];
		char dst[CORE_NAME_ROOM];

		if (!f)
			return false;
		if (st->helper)
			continue;
		end_name(t->c, st->form, st->src, src, sizeof(src));
		end_name(t->c, st->form, st->dst, dst, sizeof(dst));
		*ret += pair(f, st->form, src, dst);
	}
	return true;
}

/* ---- rows ------------------------------------------------------------- */

/* Verdicts that are no claim of a value, whatever was seen. */
static bool is_silent(char *const *row)
{
	static const char *const verdicts[] = { "noisy", "unstable" };

	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++)
		if (strcmp(row[VERDICT], verdicts[i]) == 0)
			return true;
	return row[LOW][0] == '\0';
}

/* A kept flag, for which the file has no latency: there is no dependency. */
static bool is_kept(const struct truth *t, const struct core_form *f,
		    char *const *row)
{
	const struct form *form = catalogue_form(t->c, row[FORM]);
	int o = form ? operand_find(t->c, form, row[SOURCE], true) : -1;

	for (size_t i = 0; i < f->n_latencies; i++)
		if (strcmp(f->latencies[i].src, row[SOURCE]) == 0 &&
		    strcmp(f->latencies[i].dst, row[DESTINATION]) == 0)
			return false;
	return o >= 0 && form->operands[o].keeps && !form->operands[o].read &&
	       strcmp(row[SOURCE], row[DESTINATION]) == 0;
}

static bool find_truth(const struct truth *t, char *const *row, double *ret)
{
	const struct core_form *f;
	const struct form *form = catalogue_form(t->c, row[FORM]);

	if (strpbrk(row[FORM], "@+"))
		return chain(t, row[FORM], ret);
	f = core_find(t->core, row[FORM]);
	if (!f)
		return false;
	if (strcmp(row[KIND], "latency") == 0 && is_kept(t, f, row)) {
		*ret = 0;
		return true;
	}
	*ret = strcmp(row[KIND], "latency") == 0
		       ? pair(f, form, row[SOURCE], row[DESTINATION])
		       : throughput(t, f, form);
	return true;
}

/* Branches are measured together with the instructions that set their
 * targets. */
static bool is_branch(const struct truth *t, const char *name)
{
	const struct form *f = catalogue_form(t->c, name);

	return f && form_family(f) == FAMILY_BRANCH;
}

/* Conditional stores are measured together with the loads that reserve their
 * places: the row is of two instructions, the file's line of one. */
static bool is_pair(const char *name)
{
	const char *suffix = strchr(name, '/');

	return suffix && strcmp(suffix, "/pair") == 0;
}

static void check_row(struct truth *t, char *const *row)
{
	double low = strtod(row[LOW], NULL);
	double high = strtod(row[HIGH], NULL);
	double truth;

	if (strcmp(row[KIND], "issue-width") == 0 &&
	    low > t->core->width * (1 + digits))
		complain(t, "issue-width: %s, the truth is %u", row[LOW],
			 t->core->width);
	/* The row is not the form's throughput. */
	if ((strcmp(row[KIND], "latency") != 0 &&
	     strcmp(row[KIND], "throughput") != 0) ||
	    is_branch(t, row[FORM]) || is_pair(row[FORM]))
		return;
	if (is_silent(row)) {
		t->tally.n_silent++;
		return;
	}
	if (!find_truth(t, row, &truth)) {
		complain(t, "%s %s: a row that is understood", row[FORM],
			 row[KIND]);
		return;
	}
	/* The chain is hidden: the width is the limit. */
	if (strcmp(row[VERDICT], "eliminated") == 0 && truth < 0.5)
		truth = low;
	if (truth < low * (1 - digits) || truth > high * (1 + digits))
		complain(t, "%s %s %s>%s: %s..%s (%s), the truth is %g",
			 row[FORM], row[KIND], row[SOURCE], row[DESTINATION],
			 row[LOW], row[HIGH], row[VERDICT], truth);
	else if (strcmp(row[VERDICT], "ok") == 0 && truth > 0 &&
		 fabs((low + high) / 2 / truth - 1) > known)
		complain(t, "%s %s %s>%s: ok, but off: %s..%s, the truth is %g",
			 row[FORM], row[KIND], row[SOURCE], row[DESTINATION],
			 row[LOW], row[HIGH], truth);
	else if (high - low <= (t->core->bend ? wide_part : wide) * high)
		t->tally.n_exact++;
	else if (strcmp(row[VERDICT], "ok") == 0)
		complain(t, "%s %s %s>%s: ok, but as wide as %s..%s", row[FORM],
			 row[KIND], row[SOURCE], row[DESTINATION], row[LOW],
			 row[HIGH]);
	else
		t->tally.n_intervals++;
}

/* Cut the next field off a row; NULL after the last.  A quoted field may hold
 * commas, but no quotes. */
static char *next_field(char **rest)
{
	char *field = *rest;
	char *end;

	if (!field)
		return NULL;
	if (*field == '"') {
		end = strchr(++field, '"');
		if (!end)
			return NULL;
		*end++ = '\0';
	} else {
		end = field + strcspn(field, ",");
	}
	*rest = *end == ',' ? end + 1 : NULL;
	*end = '\0';
	return field;
}

static void check_line(struct truth *t, char *text)
{
	char *row[N_COLUMNS + 1];
	size_t n = 0;

	for (char *field; n <= N_COLUMNS && (field = next_field(&text));)
		row[n++] = field;
	if (n == N_COLUMNS)
		check_row(t, row);
	else
		complain(t, "%zu columns, %d expected", n, N_COLUMNS);
}

static void check_file(struct truth *t, char *text)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "isa,", 4) != 0)
			check_line(t, line);
}

static int report(const struct tally *n)
{
	size_t n_valued = n->n_exact + n->n_intervals;

	(void)printf(
		"%zu exact, %zu intervals that hold the truth, %zu without "
		"a value, %zu wrong\n",
		n->n_exact, n->n_intervals, n->n_silent, n->n_wrong);
	return n->n_wrong == 0 && n->n_exact > 0 && n_valued > n->n_silent ? 0
									   : 1;
}

static int run(struct arena *a, char **argv, struct err *e)
{
	struct catalogue *c;
	struct core core;
	struct truth t = { .core = &core };
	unsigned char *text;
	size_t n;
	int failed = 2;

	if (core_read(a, argv[2], &core, e) != ERR_OK)
		return failed;
	if (file_read(a, argv[1], LIMIT, &text, &n, e) == ERR_OK &&
	    catalogue_load(a, isa_find(core.isa), NULL, &c, e) == ERR_OK) {
		t.c = c;
		check_file(&t, (char *)text);
		failed = report(&t.tally);
		catalogue_free(c);
	}
	core_free(&core);
	return failed;
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	int failed;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: truth FILE.csv FILE.core\n");
		return 2;
	}
	failed = run(&a, argv, &e);
	if (e.code != ERR_OK)
		(void)fprintf(stderr, "truth: %s\n", e.message);
	arena_free(&a);
	return failed;
}
