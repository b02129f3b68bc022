/* Fuzzes the reader of the native model file. */
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_model_json;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_model_json, data, n);
	return 0;
}
