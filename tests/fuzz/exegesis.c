/* Fuzzes the reader of llvm-exegesis' benchmark files. */
#include "tests/fuzz/few_forms.h"

extern const struct importer importer_exegesis;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_exegesis, data, n);
	return 0;
}
