/* Four kernels as PolyBench has them in its size LARGE, on floats, for the
 * comparison with a published simulation: thesis gemm|syrk|covariance|mvt. */
#include <string.h>

enum {
	GEMM_I = 1000,
	GEMM_J = 1100,
	GEMM_K = 1200,
	SYRK_N = 1200,
	SYRK_M = 1000,
	COV_N = 1400,
	COV_M = 1200,
	MVT_N = 2000,
};

static float a[2000 * 2000], b[GEMM_K * GEMM_J], c[1400 * 1400];
static float x1[MVT_N], x2[MVT_N], y1[MVT_N], y2[MVT_N];

static void fill(float *to, int rows, int columns)
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			to[i * columns + j] =
				(float)((i * j + 1) % rows) / (float)rows;
}

static void gemm(void)
{
	fill(a, GEMM_I, GEMM_K);
	fill(b, GEMM_K, GEMM_J);
	fill(c, GEMM_I, GEMM_J);
	for (int i = 0; i < GEMM_I; i++) {
		for (int j = 0; j < GEMM_J; j++)
			c[i * GEMM_J + j] *= 1.2f;
		for (int k = 0; k < GEMM_K; k++)
			for (int j = 0; j < GEMM_J; j++)
				c[i * GEMM_J + j] += 1.5f * a[i * GEMM_K + k] *
						     b[k * GEMM_J + j];
	}
}

static void syrk(void)
{
	fill(a, SYRK_N, SYRK_M);
	fill(c, SYRK_N, SYRK_N);
	for (int i = 0; i < SYRK_N; i++) {
		for (int j = 0; j <= i; j++)
			c[i * SYRK_N + j] *= 1.2f;
		for (int k = 0; k < SYRK_M; k++)
			for (int j = 0; j <= i; j++)
				c[i * SYRK_N + j] += 1.5f * a[i * SYRK_M + k] *
						     a[j * SYRK_M + k];
	}
}

static void covariance(void)
{
	fill(a, COV_N, COV_M);
	for (int j = 0; j < COV_M; j++) {
		x1[j] = 0;
		for (int i = 0; i < COV_N; i++)
			x1[j] += a[i * COV_M + j];
		x1[j] /= (float)COV_N;
	}
	for (int i = 0; i < COV_N; i++)
		for (int j = 0; j < COV_M; j++)
			a[i * COV_M + j] -= x1[j];
	for (int i = 0; i < COV_M; i++)
		for (int j = i; j < COV_M; j++) {
			c[i * COV_M + j] = 0;
			for (int k = 0; k < COV_N; k++)
				c[i * COV_M + j] +=
					a[k * COV_M + i] * a[k * COV_M + j];
			c[i * COV_M + j] /= (float)(COV_N - 1);
			c[j * COV_M + i] = c[i * COV_M + j];
		}
}

static void mvt(void)
{
	fill(a, MVT_N, MVT_N);
	fill(y1, 1, MVT_N);
	fill(y2, 1, MVT_N);
	for (int i = 0; i < MVT_N; i++)
		for (int j = 0; j < MVT_N; j++)
			x1[i] += a[i * MVT_N + j] * y1[j];
	for (int i = 0; i < MVT_N; i++)
		for (int j = 0; j < MVT_N; j++)
			x2[i] += a[j * MVT_N + i] * y2[j];
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kernels[] = {
		{ "gemm", gemm },
		{ "syrk", syrk },
		{ "covariance", covariance },
		{ "mvt", mvt },
	};

	for (unsigned i = 0; argc == 2 && i < 4; i++)
		if (strcmp(argv[1], kernels[i].name) == 0) {
			kernels[i].run();
			return x2[7] + c[9] == 12345.0f;
		}
	return 2;
}
