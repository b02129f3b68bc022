/* Fuzzes the reader of WINIC's YAML. */
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_winic;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_winic, data, n);
	return 0;
}
