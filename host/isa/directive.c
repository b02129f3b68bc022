/* Tables of directives; see directive.h.  The names are those of LLVM's parser
 * and of the GNU assembler's manual, "Assembler Directives". */
#include "host/isa/directive.h"

#include <string.h>
#include <strings.h>

#define READS     "reads a file"
#define REPEATS   "repeats lines"
#define MACRO     "belongs to macros"
#define CONDITION "assembles lines under a condition"
#define PRINTS    "prints a message or ends the assembler"
#define WRITES    "writes a file"

const struct refused_directive refused_directives[] = {
	{ ".include", READS },
	{ ".incbin", READS },
	{ ".load", READS },
	{ ".dump", WRITES },
	{ ".secure_log_unique", WRITES },
	{ ".secure_log_reset", WRITES },
	{ ".rept", REPEATS },
	{ ".rep", REPEATS },
	{ ".irp", REPEATS },
	{ ".irpc", REPEATS },
	{ ".irep", REPEATS },
	{ ".irepc", REPEATS },
	{ ".endr", REPEATS },
	{ ".macro", MACRO },
	{ ".endm", MACRO },
	{ ".endmacro", MACRO },
	{ ".exitm", MACRO },
	{ ".mexit", MACRO },
	{ ".purgem", MACRO },
	{ ".altmacro", MACRO },
	{ ".noaltmacro", MACRO },
	{ ".macros_on", MACRO },
	{ ".macros_off", MACRO },
	{ ".if", CONDITION },
	{ ".ifeq", CONDITION },
	{ ".ifge", CONDITION },
	{ ".ifgt", CONDITION },
	{ ".ifle", CONDITION },
	{ ".iflt", CONDITION },
	{ ".ifne", CONDITION },
	{ ".ifb", CONDITION },
	{ ".ifnb", CONDITION },
	{ ".ifc", CONDITION },
	{ ".ifeqs", CONDITION },
	{ ".ifnc", CONDITION },
	{ ".ifnes", CONDITION },
	{ ".ifdef", CONDITION },
	{ ".ifndef", CONDITION },
	{ ".ifnotdef", CONDITION },
	{ ".else", CONDITION },
	{ ".elseif", CONDITION },
	{ ".endif", CONDITION },
	{ ".endc", CONDITION },
	{ ".print", PRINTS },
	{ ".warning", PRINTS },
	{ ".error", PRINTS },
	{ ".err", PRINTS },
	{ ".abort", PRINTS },
	{ ".fail", PRINTS },
	{ NULL, NULL },
};

const char *directive_refused(const char *name, size_t n)
{
	for (const struct refused_directive *d = refused_directives; d->name;
	     d++)
		if (strlen(d->name) == n && strncasecmp(d->name, name, n) == 0)
			return d->what;
	return NULL;
}

/* The widths of .int, .long and .short are the same on all instruction sets here,
 * that of .word is not. */
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
	for (size_t i = 0;
	     i < sizeof(code_directives) / sizeof(*code_directives); i++)
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
	static const char *const executed[] = { ".intel_syntax", ".att_syntax",
						".option" };

	for (size_t i = 0; i < sizeof(executed) / sizeof(*executed); i++)
		if (strlen(executed[i]) == n &&
		    strncmp(executed[i], name, n) == 0)
			return true;
	return false;
}
