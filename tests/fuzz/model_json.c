/* Fuzzes the reader of the native model file. */
#include "host/effect/effect.h"
#include "host/model/fields.h"
#include "tests/fuzz/few_forms.h"

/* A list of an effect as host/effect has it, without the stages that the effects
 * call. */
struct pair {
	const char *form, *writer;
	double cycles;
};
IMAGE_TYPE(pair_type, struct pair, 24);

static const struct model_field fields[] = {
	MODEL_FIELD(pair, form, "form", FIELD_FORM, .required = true),
	MODEL_FIELD(pair, writer, "writer", FIELD_FORM, .required = true),
	MODEL_FIELD(pair, cycles, "cycles", FIELD_NUMBER, .required = true,
		    .always = true, .most = 100),
};
static const struct pair blank = { .cycles = -1 };
static const struct model_record record =
	MODEL_RECORD(fields, .image = &pair_type, .blank = &blank,
		     .expected = "a form, a writer, and 0 to 100 cycles");
static const struct effect_list list = { "written", &record };
static const struct effect with_list = { .name = "written", .list = &list };

const struct effect *const effects[] = { &with_list, NULL };

extern const struct importer importer_model;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	few_read(&importer_model, data, n);
	return 0;
}
