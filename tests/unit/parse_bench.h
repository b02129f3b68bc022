/* Text in LLVM's parser as it is, without host/predict/source.h. */
#ifndef UNIT_PARSE_BENCH_H
#define UNIT_PARSE_BENCH_H

#include "common/types.h"
#include "host/base/err.h"
#include "host/base/file.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "tests/unit/unit.h"

/* Count what is passed on. */
static inline int count(void *context, const struct mc_statement *s)
{
	(void)s;
	++*(unsigned *)context;
	return 0;
}

static inline struct mc_parser *open_parser(const char *name)
{
	const struct isa *isa = isa_find(name);
	struct mc_parser *p = NULL;
	struct err e = { 0 };

	assert_ok(mc_parser_open(isa->triple, isa->default_cpu, isa->features,
				 &p, &e),
		  &e);
	return p;
}

static inline int parse(struct mc_parser *p, const char *text, unsigned dialect,
			struct err *e)
{
	unsigned n = 0;

	return mc_parse(p,
			&(struct mc_text){ "x.s", text, strlen(text), dialect },
			count, &n, e);
}

#endif
