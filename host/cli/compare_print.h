/* Prints the result of a comparison as text or CSV. */
#ifndef CLI_COMPARE_PRINT_H
#define CLI_COMPARE_PRINT_H

#include "host/compare/model.h"

/* Of values. */
struct compare_report {
	struct arena *a;
	const char *name, *with; /* of the two sides */
	double tolerance;
	bool repeated; /* both sides are databases */
	const struct compare_rows *ours;
	const struct compare_pair *pairs;
	size_t n_pairs;
	struct compare_counts counts; /* of the pairs */
	struct buffer *out;
};

/* Append to `out`.  Differences are sorted by their size. */
void compare_print_text(const struct compare_report *r);
void compare_print_csv(const struct compare_report *r);

/* Of models: append how many values agree, and which differ; CSV has only those
 * that differ, all of them. */
struct compare_models_report {
	const struct model *ours, *theirs;
	const struct compare_models *found;
	double tolerance;
	struct buffer *out;
};
void compare_print_models_text(const struct compare_models_report *r);
void compare_print_models_csv(const struct compare_models_report *r);

#endif
