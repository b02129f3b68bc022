/* Fuzzes the reader of OSACA's machine models. */
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_osaca;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_osaca, data, n);
	return 0;
}
