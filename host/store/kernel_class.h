/* Classes of kernels, by register width and memory access.  A state of the
 * core, such as a cold vector unit, slows all kernels of a class.  Forms that
 * load and store count as stores. */
#ifndef STORE_KERNEL_CLASS_H
#define STORE_KERNEL_CLASS_H

#include "common/row.h"

/* X(enumerator, word in the database and in tables).  Each width has three
 * classes: registers only, loads, stores. */
#define KERNEL_CLASS_LIST(X)                \
	X(UNKNOWN, "")                      \
	X(GENERAL, "general")               \
	X(GENERAL_LOAD, "general load")     \
	X(GENERAL_STORE, "general store")   \
	X(VECTOR, "vector")                 \
	X(VECTOR_LOAD, "vector load")       \
	X(VECTOR_STORE, "vector store")     \
	X(BITS_256, "256 bits")             \
	X(BITS_256_LOAD, "256 bits load")   \
	X(BITS_256_STORE, "256 bits store") \
	X(BITS_512, "512 bits")             \
	X(BITS_512_LOAD, "512 bits load")   \
	X(BITS_512_STORE, "512 bits store")

enum kernel_class {
#define X(id, word) KERNEL_##id,
	KERNEL_CLASS_LIST(X)
#undef X
		KERNEL_N_CLASSES,
};

/* Classes of a width: KERNEL_CLASS_LIST. */
enum { KERNEL_N_ACCESSES = 3 };

/* The first of the classes of the same width; not of KERNEL_UNKNOWN. */
static inline int kernel_class_first(int group)
{
	return group - (group - KERNEL_GENERAL) % KERNEL_N_ACCESSES;
}

/* Register width of a class, in the runtime's levels. */
enum row_level kernel_class_level(enum kernel_class group);

/* The word of a class, and the class of a word (KERNEL_UNKNOWN if there is
 * none). */
const char *kernel_class_word(enum kernel_class group);
enum kernel_class kernel_class_of(const char *word);

#endif
