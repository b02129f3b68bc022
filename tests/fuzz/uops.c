/* Fuzzes the reader of uops.info's XML. */
#include "host/codec/uops/names.h"
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_uops;

/* Names come from LLVM's printer, which a fuzzer does without. */
const struct uops_names *uops_names_new(struct arena *a,
					const struct catalogue *c)
{
	(void)a;
	return (const void *)c;
}

const struct form *uops_names_find(const struct uops_names *n,
				   const char *string)
{
	return catalogue_form((const void *)n, string);
}

const char *uops_cpu(struct arena *a, const struct catalogue *c,
		     const char *architecture)
{
	(void)c;
	return arena_strdup(a, architecture);
}

const char *uops_architecture(const struct catalogue *c, const char *cpu)
{
	(void)c;
	return cpu;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_uops, data, n);
	return 0;
}
