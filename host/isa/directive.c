/* Tables of directives; see directive.h.  The names are those of LLVM's parser
 * and of the GNU assembler's manual, "Assembler Directives". */
#include "host/isa/directive.h"

#include <string.h>
#include <strings.h>

#include "host/isa/match.h"

const struct refused_directives refused_directives[] = {
	{ NAMES(".include", ".incbin", ".load"), "reads a file" },
	{ NAMES(".dump", ".secure_log_unique", ".secure_log_reset"),
	  "writes a file" },
	{ NAMES(".rept", ".rep", ".irp", ".irpc", ".irep", ".irepc", ".endr"),
	  "repeats lines" },
	{ NAMES(".macro", ".endm", ".endmacro", ".exitm", ".mexit", ".purgem",
		".altmacro", ".noaltmacro", ".macros_on", ".macros_off"),
	  "belongs to macros" },
	{ NAMES(".if", ".ifeq", ".ifge", ".ifgt", ".ifle", ".iflt", ".ifne",
		".ifb", ".ifnb", ".ifc", ".ifeqs", ".ifnc", ".ifnes", ".ifdef",
		".ifndef", ".ifnotdef", ".else", ".elseif", ".endif", ".endc"),
	  "assembles lines under a condition" },
	{ NAMES(".print", ".warning", ".error", ".err", ".abort", ".fail"),
	  "prints a message or ends the assembler" },
	{ NULL, NULL },
};

const char *directive_refused(const char *name, size_t n)
{
	for (const struct refused_directives *d = refused_directives; d->names;
	     d++)
		for (const char *const *x = d->names; *x; x++)
			if (strlen(*x) == n && strncasecmp(*x, name, n) == 0)
				return d->what;
	return NULL;
}

/* The widths of .int, .long and .short are the same on all instruction sets
 * here, that of .word is not. */
static const struct code_directive {
	const char *name;
	unsigned bytes;
} code_directives[] = {
	{ ".byte", 1 },  { ".2byte", 2 }, { ".short", 2 }, { ".hword", 2 },
	{ ".half", 2 },  { ".value", 2 }, { ".4byte", 4 }, { ".long", 4 },
	{ ".int", 4 },   { ".inst", 4 },  { ".8byte", 8 }, { ".quad", 8 },
	{ ".xword", 8 }, { ".word", 0 },  { ".insn", 0 },
};

static const struct code_directive *code_directive(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(code_directives); i++)
		if (strlen(code_directives[i].name) == n &&
		    strncasecmp(code_directives[i].name, name, n) == 0)
			return &code_directives[i];
	return NULL;
}

bool directive_code(const char *name, size_t n)
{
	return code_directive(name, n) != NULL;
}

unsigned directive_code_bytes(const char *name, size_t n, unsigned word)
{
	const struct code_directive *d = code_directive(name, n);

	if (d && strcmp(d->name, ".word") == 0)
		return word;
	return d ? d->bytes : 0;
}

bool directive_executed(const char *name, size_t n)
{
	return name_is_any(NAMES(".intel_syntax", ".att_syntax", ".option"),
			   name, n);
}
