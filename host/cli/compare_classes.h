/* Prints what a comparison by scheduling classes found. */
#ifndef CLI_COMPARE_CLASSES_H
#define CLI_COMPARE_CLASSES_H

#include "host/codec/llvm/classes.h"

struct compare_classes_report {
	const struct model *ours, *table;
	const struct class_report *found;
	double tolerance;
	struct buffer *out;
};

/* Append to `out`: as text the worst classes, 80 columns wide; as JSON all of
 * them with their members. */
void compare_print_classes_text(const struct compare_classes_report *r);
void compare_print_classes_json(const struct compare_classes_report *r);

#endif
