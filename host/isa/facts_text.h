/* The files of models/facts as texts; cmake/facts.cmake writes them. */
#ifndef ISA_FACTS_TEXT_H
#define ISA_FACTS_TEXT_H

struct facts_text {
	const char *path; /* in models/facts */
	const char *text;
};

/* Ends with a NULL path. */
extern const struct facts_text facts_texts[];

#endif
