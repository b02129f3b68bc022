/* The version of this program and the commit of its sources, as databases and
 * exports name it: "0.1.0, commit 35c7f76a1b2c". */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

extern const char anechoic_version[];
/* The day of the commit, ISO 8601; of unknown commits the day of the build. */
extern const char anechoic_date[];

/* What a build with another LLVM than 19 adds to its version, ", LLVM 22"; else "".
 * Versions of LLVM number the operands of some forms differently, so a database or a
 * machine model belongs to one of them. */
extern const char anechoic_llvm[];

/* The format of model files, its version, and the LLVM of their operands. */
extern const char anechoic_model_format[];

#endif
