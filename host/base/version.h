/* The version of this program and the commit of its sources, as databases and
 * exports name it: "0.1.0, commit 35c7f76a1b2c". */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

extern const char anechoic_version[];
/* The day of the commit, ISO 8601; of unknown commits the day of the build. */
extern const char anechoic_date[];

#endif
