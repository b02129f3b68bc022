/* What a machine offers, read from trees that the tests write. */
#include <sys/stat.h>

#include "host/machine/machine.h"
#include "tests/unit/unit.h"

struct tree {
	struct arena a;
	char root[64];
	struct machine m;
};

static void put(struct tree *t, const char *path, const char *text)
{
	char *full = arena_printf(&t->a, "%s%s", t->root, path);
	FILE *f;

	for (char *at = full + strlen(t->root) + 1;
	     (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		(void)mkdir(full, 0700);
		*at = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void read_tree(struct tree *t)
{
	machine_read(&t->a, t->root, &t->m);
}

/* Four CPUs, two cores of two threads, all for this process. */
static void put_cpus(struct tree *t)
{
	put(t, "/sys/devices/system/cpu/online", "0-3\n");
	put(t, "/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-3\n");
	for (int i = 0; i < 4; i++)
		put(t,
		    arena_printf(&t->a,
				 "/sys/devices/system/cpu/cpu%d/topology/"
				 "thread_siblings_list",
				 i),
		    i % 2 ? "1,3\n" : "0,2\n");
}

static void put_v2(struct tree *t, const char *group)
{
	put(t, "/proc/self/cgroup", arena_printf(&t->a, "0::%s\n", group));
	put(t, "/proc/self/mountinfo",
	    "21 20 0:1 / /proc rw - proc proc rw\n"
	    "30 20 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 "
	    "rw\n");
}

static int setup(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	(void)strcpy(t->root, "/tmp/anechoic-machine-XXXXXX");
	*state = t;
	return mkdtemp(t->root) ? 0 : -1;
}

static int teardown(void **state)
{
	struct tree *t = *state;
	char command[96];
	int ret;

	(void)snprintf(command, sizeof(command), "rm -r %s", t->root);
	ret = system(command); /* NOLINT(cert-env33-c): a fixed command */
	arena_free(&t->a);
	free(t);
	return ret;
}

EACH(setup, teardown);

static bool warns(struct tree *t, size_t n_cores, const char *part)
{
	const char *const *w = machine_warnings(&t->a, &t->m, n_cores);

	for (; *w; w++)
		if (strstr(*w, part))
			return true;
	return false;
}

static const char *fact(struct tree *t, const char *key)
{
	const struct machine_fact *f = machine_facts(&t->a, &t->m);

	while (f->key && strcmp(f->key, key) != 0)
		f++;
	assert_non_null(f->key);
	return f->value ? f->value : "";
}

TEST_ON(nothing_is_known, struct tree *t)
{
	struct machine_load load;

	read_tree(t);
	assert_int_equal(t->m.online.n, 0);
	assert_false(machine_has_cpuset(&t->m));
	assert_false(machine_is_throttled(&t->m, 64));
	assert_null(t->m.container);
	assert_null(t->m.hypervisor);
	assert_null(machine_warnings(&t->a, &t->m, 4)[0]);
	assert_false(machine_load_read(t->root, &load));
}

TEST_ON(a_free_machine_has_no_warnings, struct tree *t)
{
	put_cpus(t);
	put_v2(t, "/user.slice/session-1.scope");
	put(t, "/sys/fs/cgroup/user.slice/session-1.scope/cpu.max",
	    "max 100000\n");
	read_tree(t);
	assert_int_equal(t->m.allowed.n, 4);
	assert_true(t->m.quota == 0);
	assert_null(machine_warnings(&t->a, &t->m, 4)[0]);
	assert_string_equal(fact(t, "quota"), "");
	assert_string_equal(fact(t, "allowed_cpus"), "");
}

TEST_ON(cpuset, struct tree *t)
{
	put_cpus(t);
	/* CPU 7 does not exist. */
	put(t, "/proc/self/status", "Cpus_allowed_list:\t1-2,7\n");
	read_tree(t);
	assert_int_equal(t->m.allowed.n, 2);
	assert_true(machine_has_cpuset(&t->m));
	assert_true(warns(t, 1, "only CPUs 1-2 of 4"));
	assert_string_equal(fact(t, "allowed_cpus"), "1-2_of_4");
}

TEST_ON(quota_of_a_parent, struct tree *t)
{
	put_v2(t, "/a/b/c");
	put(t, "/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
	put(t, "/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
	put(t, "/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	read_tree(t);
	assert_true(t->m.quota == 1.5);
	assert_string_equal(t->m.quota_file, "/sys/fs/cgroup/a/cpu.max");
	assert_false(machine_is_throttled(&t->m, 1));
	assert_true(machine_is_throttled(&t->m, 2));
	assert_true(warns(t, 2, "a quota of 1.5 CPUs"));
	assert_false(warns(t, 1, "quota"));
	assert_string_equal(fact(t, "quota"), "1.5");
}

/* The group namespace of a container: its own group is the root. */
TEST_ON(quota_of_the_mounted_group, struct tree *t)
{
	put_v2(t, "/");
	put(t, "/sys/fs/cgroup/cpu.max", "50000 100000\n");
	read_tree(t);
	assert_true(t->m.quota == 0.5);
	assert_true(machine_is_throttled(&t->m, 1));
}

TEST_ON(quota_of_version_1, struct tree *t)
{
	put(t, "/proc/self/cgroup",
	    "5:cpuset:/docker/ab\n4:cpu,cpuacct:/docker/ab/x\n1:name=s:/\n");
	put(t, "/proc/self/mountinfo",
	    "30 20 0:26 /docker/ab /sys/fs/cgroup/cpuset rw - cgroup cgroup "
	    "rw,cpuset\n"
	    "31 20 0:27 /docker/ab /sys/fs/cgroup/cpu rw - cgroup cgroup "
	    "rw,cpu,cpuacct\n");
	put(t, "/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
	put(t, "/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
	put(t, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
	put(t, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	read_tree(t);
	assert_true(t->m.quota == 3);
	assert_string_equal(t->m.container, "docker");
}

/* Files with other text are no limit, and never a crash. */
TEST_ON(hostile_files, struct tree *t)
{
	static const char *const texts[] = {
		"", "0 0", "-1 -1", "x y z", "1", "nan nan", "9 0", "max max"
	};

	put(t, "/sys/devices/system/cpu/online", "0-99999999,,x\n");
	put(t, "/proc/self/status", "Cpus_allowed_list:");
	put(t, "/proc/stat", "cpu\ncpu1 x\ncpu99999999 1 2 3 4\n");
	put_v2(t, "/../../g");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		put(t, "/sys/fs/cgroup/cpu.max", texts[i]);
		read_tree(t);
		assert_true(t->m.quota == 0);
	}
	assert_int_equal(t->m.online.n, MACHINE_MAX_CPUS);
	assert_int_equal(t->m.allowed.n, 0);
	put(t, "/proc/self/cgroup", "0\n:\n0:\n4:cpu\n");
	put(t, "/proc/self/mountinfo", " - \n - cgroup2\n1 2 3 - cgroup2 x\n");
	read_tree(t);
	assert_true(t->m.quota == 0);
}

TEST_ON(containers, struct tree *t)
{
	put(t, "/proc/self/cgroup", "0::/kubepods.slice/x\n");
	read_tree(t);
	assert_string_equal(t->m.container, "kubernetes");
	put(t, "/run/.containerenv", "");
	read_tree(t);
	assert_string_equal(t->m.container, "podman");
	put(t, "/.dockerenv", "");
	read_tree(t);
	assert_string_equal(t->m.container, "docker");
	assert_true(warns(t, 1, "inside a container (docker)"));
	put(t, "/run/systemd/container", "lxc\n");
	read_tree(t);
	assert_string_equal(t->m.container, "lxc");
}

TEST_ON(frequency_and_hypervisor, struct tree *t)
{
	put_cpus(t);
	put(t, "/proc/self/status", "Cpus_allowed_list:\t2\n");
	put(t, "/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor",
	    "powersave\n");
	put(t, "/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	put(t, "/proc/cpuinfo", "model\t: x\nflags\t\t: fpu hypervisor\n");
	put(t, "/proc/sys/kernel/perf_event_paranoid", "3\n");
	put(t, "/sys/bus/event_source/devices/cpu/type", "4\n");
	read_tree(t);
	assert_string_equal(t->m.governor, "powersave");
	assert_string_equal(t->m.turbo, "on");
	assert_string_equal(t->m.hypervisor, "yes");
	assert_int_equal(t->m.paranoid, 3);
	assert_true(t->m.has_counters);
	put(t, "/sys/devices/system/cpu/cpufreq/boost", "0\n");
	put(t, "/proc/cpuinfo", "flags\t\t: fpu hypervisors\n");
	read_tree(t);
	assert_string_equal(t->m.turbo, "off");
	assert_null(t->m.hypervisor);
}

TEST_ON(steal_and_busy_siblings, struct tree *t)
{
	static struct machine_load from, to;

	put_cpus(t);
	put(t, "/proc/self/status", "Cpus_allowed_list:\t0-1\n");
	put(t, "/proc/stat",
	    "cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 50 0 0 50 0 0 0 0\n"
	    "cpu1 0 0 0 0 0 0 0 0\ncpu2 50 0 0 50 0 0 0 0\n"
	    "cpu3 0 0 0 0 0 0 0 0\nintr 5\n");
	assert_true(machine_load_read(t->root, &from));
	put(t, "/proc/stat",
	    "cpu  250 0 0 220 0 0 0 30 0 0\ncpu0 150 0 0 50 0 0 0 0\n"
	    "cpu1 0 0 0 100 0 0 0 0\ncpu2 125 0 0 75 0 0 0 0\n"
	    "cpu3 25 0 0 75 0 0 0 0\nintr 5\n");
	assert_true(machine_load_read(t->root, &to));
	read_tree(t);
	assert_int_equal(t->m.threads.n, 4);
	assert_float_equal(machine_stolen(&from, &to), 0.1, 1e-9);
	/* 75 of 100 and 25 of 100 ticks of CPUs 2 and 3. */
	assert_float_equal(machine_siblings_busy(&t->m, &from, &to), 0.5, 1e-9);
	assert_float_equal(machine_stolen(&to, &to), 0, 1e-9);
}
