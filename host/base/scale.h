/* Scales of histograms and plots. */
#ifndef BASE_SCALE_H
#define BASE_SCALE_H

/* The smallest of 1, 2, 5 times a power of ten that is not below x > 0. */
double scale_step(double x);

#endif
