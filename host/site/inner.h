/* What the files of host/site share. */
#ifndef SITE_INNER_H
#define SITE_INNER_H

#include "host/base/file.h"
#include "host/html/html.h"
#include "host/isa/isa.h"
#include "host/model/model.h"
#include "host/site/folder.h"
#include "host/site/site.h"
#include "host/store/store_run.h"
#include "host/view/claims.h"

enum {
	SITE_MAX_CORES = 64,
	SITE_MAX_COMPARED = 8,
	SITE_BINS = 32,
	SITE_TEXT = 160,
	SITE_MAX_TOOLS = 4,
};

/* What a kernel's samples show, without a filter: the input of the solver. */
struct site_evidence {
	int64_t run;
	uint32_t kernel; /* in the run */
	const char *label;
	uint64_t id;
	uint32_t unroll[PACK_LENGTHS], ops_per_body;
	uint32_t n_visits, n_rows;
	/* Median cycles of an iteration of each length; all 0: not known. */
	double cycles[PACK_LENGTHS];
	double slope;    /* cycles per op of the line through these */
	double residual; /* middle length off the line, relative */
	double spread;   /* half of the rows lie in it, relative; 0: unknown */
	/* Cycles per op of all rows: bins from `low` on, `step` wide, and the
	 * rows outside of them; step 0: none. */
	double low, step;
	uint32_t bins[SITE_BINS], below, above;
	const char *code;  /* the first instructions of the kernel; NULL */
	const char *fault; /* NULL: none */
};

/* Values of one core for a form in a row of a table. */
struct site_row {
	struct view_row of; /* the claims */
	struct model_span uops;
	const char *ports; /* "2*p0|p1 p5", "" if not known */
};

/* All values of one form on one core. */
struct site_values {
	const char *name;
	struct view_claims claims;      /* by kind, source, destination */
	const struct model_form *model; /* NULL: not in its model */
	struct site_row row;
};

/* A loop that was measured: cycles of an iteration. */
struct site_loop {
	const char *name, *limit;
	double measured, predicted;
	double tools[SITE_MAX_TOOLS]; /* of other programs; 0: none */
};

/* The loops of one file on one core. */
struct site_loops {
	const struct site_loops *next;
	const char *path;
	size_t n_tools;
	const char *tools[SITE_MAX_TOOLS]; /* their names */
	size_t n;
	const struct site_loop *list;
};

/* A core: a board and an instruction set in a database, or a model file.  The
 * values of a model file are claims with the verdict "model". */
struct site_core {
	const char *id;   /* unique part of file names */
	const char *name; /* unique, for people */
	const char *path;
	const char *isa, *board, *cpu, *source;
	const char *identity; /* of its runs; "" for a model file */
	struct store *store;  /* NULL: a model file */
	struct catalogue *catalogue;
	const struct model *model; /* NULL: the database makes none */
	struct view_claims claims;
	size_t n_runs; /* runs that the claims come from, oldest first */
	struct run *runs;
	size_t n_forms; /* sorted by name */
	struct site_values *forms;
	size_t n_evidence; /* sorted by run and kernel */
	struct site_evidence *evidence;
	const struct site_loops *loops; /* NULL: none */
};

struct site_form {
	const char *isa, *name;
	size_t place;                  /* of its set's first core */
	const char *file;              /* "x86_64/ADD64rr", without extension */
	const struct form *form;       /* NULL: not in the catalogue */
	const struct site_values **on; /* by core, NULL: no values there */
};

struct site {
	struct arena a;
	const struct site_request *r;
	const char *title;
	struct folder_writer folder;
	size_t n_catalogues;
	struct catalogue *catalogues[SITE_MAX_CORES];
	size_t n_stores;
	struct store *stores[SITE_MAX_CORES];
	size_t n_cores;
	struct site_core cores[SITE_MAX_CORES];
	size_t n_forms; /* sorted by place and name */
	struct site_form *forms;
};

/* input.c: read an input and add its cores. */
int site_read(struct site *s, const char *path, struct err *e);
/* Read a file of --loops (docs/site.md) and give its loops to the cores.
 * ERR_INPUT if a record is of no core, or of several. */
int site_read_loops(struct site *s, const char *path, struct err *e);
/* Choose the core in its store, for what reads the newest claims. */
bool site_choose(const struct site_core *c);
/* Give cores their names and ids, list all forms, and find their values. */
void site_join(struct site *s);
void site_fill_forms(struct site *s);
/* The form whose name is the first n characters; NULL: none. */
const struct site_form *site_find_form(const struct site *s, const char *isa,
				       const char *name, size_t n);

/* evidence.c: what the kernels of a core's claims show. */
int site_read_evidence(struct site *s, struct site_core *c, struct err *e);
/* NULL: none. */
const struct site_evidence *site_find_evidence(const struct site_core *c,
					       int64_t run, uint32_t kernel);

/* facts.c: what the catalogue says of a form, in words that are separated
 * by commas; "" if it says nothing. */
void site_extension(const struct site_form *f, const struct catalogue *c,
		    char ret[SITE_TEXT]);
void site_kinds(const struct site_form *f, const struct catalogue *c,
		char ret[SITE_TEXT]);
/* Bits of its widest register or of its access; 0: not known. */
unsigned site_width(const struct site_form *f, const struct catalogue *c);
const struct catalogue *site_catalogue(const struct site *s, const char *isa);
/* The row of a form on a core; an empty one where it has no values. */
const struct site_row *site_row(const struct site_form *f, size_t core);
/* Make it. */
struct site_row site_row_of(struct arena *a, const struct site_core *c,
			    const struct site_values *v);
/* Class of the style sheet for a verdict: ok, doubt or no. */
const char *site_verdict_class(const struct claim *c);

/* The script of the table of all forms. */
extern const char site_table_script[];
extern const char site_typed_script[];

/* core_fit.c: measured mixes against the model's ports and width, and measured
 * loops against predictions; nothing without any. */
int site_add_fit(struct buffer *b, const struct site_core *c, struct err *e);
void site_add_loops(struct buffer *b, const struct site_core *c);

/* The values of a form on a core; NULL: none. */
const struct site_values *site_find_values(const struct site_core *c,
					   const char *name);
/* Sizes of a model's queues and buffers; 0: not known. */
enum { SITE_N_SIZES = 7 };
extern const struct site_size {
	const char *name;
	size_t offset; /* of a uint32_t in struct model */
} site_sizes[SITE_N_SIZES];
size_t site_size(const struct model *m, size_t i);

/* What a run of latencies and throughputs says of the width: instructions in a
 * cycle, of which no kernel has more; NULL: nothing. */
const struct claim *site_issue_width(const struct site_core *c);

/* Pages; each writes its files. */
int site_write_index(struct site *s, struct err *e);
int site_write_forms(struct site *s, struct err *e);
int site_write_cores(struct site *s, struct err *e);
int site_write_compare(struct site *s, struct err *e);
int site_write_classes(struct site *s, struct err *e);
/* Has the core a page of LLVM's scheduling classes, classes/ID.html? */
bool site_has_classes(const struct site_core *c);

/* form_*.c: parts of a form's page. */
void site_add_matrix(struct buffer *b, const struct site_values *v);
void site_add_ports(struct buffer *b, const struct site_core *c,
		    const struct model_form *f);
void site_add_values(struct buffer *b, const struct site_values *v);
/* The values of chains with other forms, a table for each kind. */
void site_add_partners(struct buffer *b, const struct site *s,
		       const struct site_core *core,
		       const struct site_values *v);
void site_add_evidence(struct buffer *b, const struct site_core *c,
		       const struct site_values *v);
void site_add_command(struct buffer *b, const struct site_core *c,
		      const char *form);
void site_form_json(struct buffer *b, const struct site *s,
		    const struct site_form *f);
void site_form_csv(struct buffer *b, const struct site *s,
		   const struct site_form *f);

/* page.c: what pages share. ERR_INTERRUPTED if the request was stopped. */
int site_check_stop(const struct site *s, struct err *e);
/* Cycles, or `none`. */
struct html_span site_span(const struct model_span *s, const char *none);
/* The value of a claim: cycles, or a dash. */
struct html_span site_value(const struct claim *c);
void site_begin(struct buffer *b, const struct site *s, const char *title,
		const char *root);
void site_end(struct buffer *b, const struct site *s);

#endif
