/* A streaming kernel over one row: what it writes, the rows it reads, a factor,
 * and how many elements.  Rows may be read one element beyond both ends. */
double kernel(double *restrict out, const double *const *rows, double s,
	      long n);
