/* Fuzzes the reader of the native model file. */
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_model;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_model, data, n);
	return 0;
}
