/* Which core a machine has; see identity.h. */
#include "host/isa/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/isa/mc.h"

/* Does the core have the vendor of these numbers? */
static bool same_vendor(const struct known_core *c,
			const struct core_identity *numbers)
{
	struct core_identity vendor = { .words = { numbers->words[0] } };
	const struct core_fact *f;

	for (size_t i = 0; (f = facts_get(c, "identity", i)) != NULL; i++) {
		struct core_fact first = { .key = "identity" };
		struct known_core one = { .n = 1, .facts = &first };
		char word[64];

		(void)snprintf(word, sizeof(word), "%.*s",
			       (int)strcspn(f->value, " "), f->value);
		first.value = word;
		if (facts_identify(&one, &vendor))
			return true;
	}
	return false;
}

static bool is_better(const struct mc_difference *a,
		      const struct mc_difference *b)
{
	return a->refutes != b->refutes ? a->refutes < b->refutes
					: a->all < b->all;
}

/* Of the cores that `wanted` accepts, the one that differs least from the
 * machine; NULL: none. */
static const struct known_core *nearest(
	const struct known_cores *f, const struct seen_machine *m,
	bool (*wanted)(const struct known_core *, const struct core_identity *),
	struct mc_difference *ret)
{
	const struct known_core *best = NULL;

	for (size_t i = 0; i < f->n; i++) {
		const struct known_core *c = &f->cores[i];
		struct mc_difference d;

		if (strcmp(c->isa, m->isa) != 0 || !wanted(c, &m->numbers) ||
		    !mc_compare_cpu(m->triple, c->llvm, m->features, &d))
			continue;
		if (!best || is_better(&d, ret)) {
			best = c;
			*ret = d;
		}
	}
	return best;
}

static const char *words_of(struct arena *a, const struct core_identity *k)
{
	const char *all = "";

	for (size_t i = 0; i < IDENTITY_WORDS && k->words[i]; i++)
		all = arena_printf(a, "%s%s%s", all, *all ? " " : "",
				   k->words[i]);
	return all;
}

struct identified identify(struct arena *a, const struct known_cores *f,
			   const struct seen_machine *m)
{
	struct identified ret = { .says = words_of(a, &m->numbers) };
	struct mc_difference d = { 0, 0 };
	bool has_numbers = m->numbers.words[0];

	if (has_numbers)
		ret.core = nearest(f, m, facts_identify, &d);
	if (has_numbers && (!ret.core || d.refutes > 0)) {
		ret.doubtful = true;
		ret.core = nearest(f, m, same_vendor, &d);
	}
	ret.cpu = ret.core ? ret.core->llvm : m->guess;
	ret.doubtful |= !ret.core;
	return ret;
}

struct identified identify_host(struct arena *a)
{
	struct known_cores f = facts_read(a);
	struct utsname machine;

	/* The kernel's names are those of this project. */
	if (uname(&machine) != 0)
		*machine.machine = '\0';
	return identify(a, &f,
			&(struct seen_machine){
				.isa = machine.machine,
				.triple = mc_host_triple(a),
				.numbers = numbers_here(a),
				.features = mc_host_features(a),
				.guess = mc_host_name(a),
			});
}

void host_cpu(char *name, size_t room)
{
	struct arena a = { 0 };

	(void)snprintf(name, room, "%s", identify_host(&a).cpu);
	arena_free(&a);
}

/* Between two slashes; NULL if it is missing or unknown ("-"). */
static const char *part_of(struct arena *a, const char *core, size_t n)
{
	char *part;

	for (; n > 0; n--) {
		core = strchr(core, '/');
		if (!core)
			return NULL;
		core++;
	}
	part = arena_printf(a, "%.*s", (int)strcspn(core, "/"), core);
	return *part && strcmp(part, "-") != 0 ? part : NULL;
}

/* MIDR_EL1: implementer in bits 31 to 24, part number in bits 15 to 4 (Arm ARM,
 * D17.2.100). */
static struct core_identity of_midr(struct arena *a, const char *midr)
{
	unsigned long long n = strtoull(midr, NULL, 0);

	return (struct core_identity){
		.words = { arena_printf(a, "0x%llx", n >> 24 & 0xff),
			   arena_printf(a, "0x%llx", n >> 4 & 0xfff) }
	};
}

static struct core_identity numbers_of_run(struct arena *a, const char *core)
{
	struct core_identity ret = { .words = { NULL } };
	const char *version = part_of(a, core, 2);

	ret.words[0] = part_of(a, core, 1);
	if (!version)
		return ret;
	/* Only AArch64 has a version and no vendor. */
	if (!ret.words[0])
		return of_midr(a, version);
	for (size_t i = 1; i < IDENTITY_WORDS && *version; i++) {
		size_t n = strcspn(version, ".");

		ret.words[i] = arena_printf(a, "%.*s", (int)n, version);
		version += n + (version[n] == '.');
	}
	return ret;
}

const struct known_core *facts_of_run(struct arena *a,
				      const struct known_cores *f,
				      const char *core)
{
	struct core_identity numbers = numbers_of_run(a, core);
	const char *isa = part_of(a, core, 0), *part = part_of(a, core, 3);

	for (size_t i = 0; isa && numbers.words[0] && i < f->n; i++)
		if (strcmp(f->cores[i].isa, isa) == 0 &&
		    facts_identify(&f->cores[i], &numbers))
			return &f->cores[i];
	/* A fake core has no numbers, but LLVM's name. */
	return isa && part ? facts_of_cpu(f, isa, part) : NULL;
}

bool facts_contradict(struct arena *a, const struct known_cores *f,
		      const char *core, const char *llvm)
{
	struct core_identity numbers = numbers_of_run(a, core);
	const char *isa = part_of(a, core, 0);
	bool published = false;

	for (size_t i = 0; isa && numbers.words[0] && i < f->n; i++) {
		const struct known_core *c = &f->cores[i];

		if (strcmp(c->isa, isa) != 0 || strcmp(c->llvm, llvm) != 0 ||
		    !facts_get(c, "identity", 0))
			continue;
		if (facts_identify(c, &numbers))
			return false;
		published = true;
	}
	return published;
}
