/* A program that uses only the installed header. */
#include <anechoic.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char text[] = ".L1:\n\timulq %rax, %rax\n\tdecq %rcx\n"
			   "\tjne .L1\n";
static const unsigned char code[] = { 0x48, 0x0f, 0xaf, 0xc0 };

static int check(int ok, const char *what)
{
	if (!ok)
		printf("%s: wrong\n", what);
	return ok ? 0 : 1;
}

/* Bytes of address space that this process has; 0: unknown. */
static unsigned long long address_space(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long kib = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmSize: %llu", &kib) == 1)
			break;
	if (f)
		(void)fclose(f);
	return kib << 10;
}

/* Memory shortage is an error, and the library can be used afterwards. */
static int check_shortage(struct anechoic *core)
{
	enum { LARGE = 256 << 20, LEFT = 64 << 20 };
	struct anechoic_result *r = NULL;
	char *large = calloc(1, LARGE);
	char why[ANECHOIC_MESSAGE] = "";
	struct rlimit old, low;
	int bad;

	if (!large || getrlimit(RLIMIT_AS, &old) != 0)
		return check(0, "a large text");
	memset(large, '\n', LARGE - 1);
	low = old;
	low.rlim_cur = address_space() + LEFT;
	if (setrlimit(RLIMIT_AS, &low) != 0)
		return check(0, "a limit of memory");
	bad = check(anechoic_predict_text(core, "x.s", large, NULL, &r, why) ==
				    ANECHOIC_FAILED &&
			    !r && strcmp(why, "out of memory") == 0,
		    "memory shortage");
	(void)setrlimit(RLIMIT_AS, &old);
	free(large);
	bad += check(anechoic_predict_text(core, "x.s", text, NULL, &r, why) ==
			     ANECHOIC_OK,
		     "use after a memory shortage");
	anechoic_free(r);
	return bad;
}

int main(void)
{
	const struct anechoic_source source = { .cpu = "skylake",
						.isa = "x86_64" };
	const struct anechoic_source nowhere = { .cpu = "nothing",
						 .isa = "x86_64" };
	struct anechoic_result *r = NULL;
	struct anechoic *core = NULL;
	char why[ANECHOIC_MESSAGE];
	int bad = 0;

	bad += check(anechoic_open(&nowhere, &core, why) != ANECHOIC_OK,
		     "unknown core");
	if (anechoic_open(&source, &core, why) != ANECHOIC_OK) {
		printf("%s\n", why);
		return 1;
	}
	bad += check(anechoic_predict_text(core, "x.s", "\tfoo\n", NULL, &r,
					   why) == ANECHOIC_INPUT &&
			     strncmp(why, "x.s:1:2:", 8) == 0,
		     "bad text");
	if (anechoic_predict_text(core, "x.s", text, NULL, &r, why) !=
	    ANECHOIC_OK) {
		printf("%s\n", why);
		return 1;
	}
	bad += check(anechoic_bounds(r)->carried == 3 &&
			     anechoic_bounds(r)->cycles == 3 &&
			     anechoic_bounds(r)->n_instructions == 3,
		     "text");
	bad += check(strstr(anechoic_print(r, "json"), "\"cycles\": 3") != NULL,
		     "JSON");
	bad += check(anechoic_print(r, "xml") == NULL, "unknown format");
	anechoic_free(r);
	bad += check(anechoic_predict_code(core, code, sizeof(code), NULL, &r,
					   why) == ANECHOIC_OK &&
			     anechoic_bounds(r)->carried == 3,
		     "code");
	anechoic_free(r);
	bad += check(
		anechoic_predict_object(
			core,
			&(struct anechoic_object){ "x.o", code, sizeof(code) },
			NULL, &r, why) == ANECHOIC_INPUT,
		"no object");
	bad += check_shortage(core);
	anechoic_close(core);
	return bad != 0;
}
