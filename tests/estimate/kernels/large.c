/* Four kernels in the order of loops, with the sizes and the float arrays of
 * PolyBench's large data set; -DKERNEL=gemm, syrk, covariance or mvt. */
#include <stdio.h>
#include <stdlib.h>

enum {
	GEMM_I = 1000,
	GEMM_J = 1100,
	GEMM_K = 1200,
	SYRK_M = 1000,
	SYRK_N = 1200,
	COV_M = 1200,
	COV_N = 1400,
	MVT_N = 2000,
	PAGE = 4096,
};

float gemm(float alpha, float beta);
float syrk(float alpha, float beta);
float covariance(float n, float zero);
float mvt(float one, float two);

/* An array that begins at a page. */
static void *array(size_t n)
{
	float *p = NULL;

	if (posix_memalign((void **)&p, PAGE, n * sizeof(*p)) != 0)
		abort();
	for (size_t i = 0; i < n; i++)
		p[i] = (float)(i % 1000) / 1000;
	return p;
}

float gemm(float alpha, float beta)
{
	float(*a)[GEMM_K] = array(GEMM_I * GEMM_K);
	float(*b)[GEMM_J] = array(GEMM_K * GEMM_J);
	float(*c)[GEMM_J] = array(GEMM_I * GEMM_J);

	for (int i = 0; i < GEMM_I; i++) {
		for (int j = 0; j < GEMM_J; j++)
			c[i][j] *= beta;
		for (int k = 0; k < GEMM_K; k++)
			for (int j = 0; j < GEMM_J; j++)
				c[i][j] += alpha * a[i][k] * b[k][j];
	}
	return c[GEMM_I / 2][GEMM_J / 2];
}

float syrk(float alpha, float beta)
{
	float(*a)[SYRK_M] = array(SYRK_N * SYRK_M);
	float(*c)[SYRK_N] = array(SYRK_N * SYRK_N);

	for (int i = 0; i < SYRK_N; i++) {
		for (int j = 0; j <= i; j++)
			c[i][j] *= beta;
		for (int k = 0; k < SYRK_M; k++)
			for (int j = 0; j <= i; j++)
				c[i][j] += alpha * a[i][k] * a[j][k];
	}
	return c[SYRK_N - 1][SYRK_N / 2];
}

float covariance(float n, float zero)
{
	float(*data)[COV_M] = array(COV_N * COV_M);
	float(*cov)[COV_M] = array(COV_M * COV_M);
	float *mean = array(COV_M);

	for (int j = 0; j < COV_M; j++) {
		mean[j] = zero;
		for (int i = 0; i < COV_N; i++)
			mean[j] += data[i][j];
		mean[j] /= n;
	}
	for (int i = 0; i < COV_N; i++)
		for (int j = 0; j < COV_M; j++)
			data[i][j] -= mean[j];
	for (int i = 0; i < COV_M; i++)
		for (int j = i; j < COV_M; j++) {
			cov[i][j] = zero;
			for (int k = 0; k < COV_N; k++)
				cov[i][j] += data[k][i] * data[k][j];
			cov[i][j] /= n - 1;
			cov[j][i] = cov[i][j];
		}
	return cov[COV_M / 2][COV_M / 2];
}

float mvt(float one, float two)
{
	float(*a)[MVT_N] = array(MVT_N * MVT_N);
	float *x1 = array(MVT_N), *x2 = array(MVT_N);
	float *y1 = array(MVT_N), *y2 = array(MVT_N);

	for (int i = 0; i < MVT_N; i++)
		for (int j = 0; j < MVT_N; j++)
			x1[i] = x1[i] + a[i][j] * y1[j];
	for (int i = 0; i < MVT_N; i++)
		for (int j = 0; j < MVT_N; j++)
			x2[i] = x2[i] + a[j][i] * y2[j];
	return x1[MVT_N / 2] * one + x2[MVT_N / 2] * two;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%f\n", KERNEL((float)argc + 0.5f, (float)argc * 0.2f));
	return 0;
}
