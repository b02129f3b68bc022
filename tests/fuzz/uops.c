/* Fuzzes the reader of uops.info's XML. */
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_uops;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_uops, data, n);
	return 0;
}
