/* Campaigns against the link: a board behind a line that spoils what passes,
 * a host that is killed and started again, and at the end a database that
 * must be that of an undisturbed run.
 *
 *	campaign BOARD CAMPAIGNS SEED [load|hang|silence [BAUD]]
 *
 * BOARD: `fake:FILE.core`, whose numbers are the same every time and are
 * compared too, or a runtime for this machine, of which the kernels, visits and
 * shapes are compared.  `load`: the host sends the pack; `hang`: kernels take the
 * board down, each must be tried twice and be stored as lost; `silence`: the line
 * is dead for ten seconds, within the board's limit and beyond it in turn; BAUD:
 * the rate of the undisturbed run, whose traffic is printed.  A campaign follows
 * from its seed, up to the timing of the machine.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/link/relay.h"
#include "tests/link/subject.h"

enum {
	LIMIT_MS = 200 * 1000, /* of one host, ten times what it needs */
	STEP_MS = 5,
	HOST_KILLED = -1,
	HOST_LATE = -2,
	HOST_NO_LINE = 3, /* the tty was absent: try again */
	MAX_KILLS = 3,
	KILL_MS = 600,
	BRIEF_MS = 300, /* a silence within the board's limit */
	LONG_MS = 1500, /* and one beyond it */
	SILENCE_MS = 10 * 1000,
	PATIENT_S = 30,
	IMPATIENT_S = 4,
	MANY = 1 << 20,
	SERVE_BYTES = 1 << 16,
	IDLE_MS = 50,
	HASTE = 5, /* the invented board's clock against ours: a board that
		    * waits repeats `ready` sooner, and a test is brief */
};

struct campaign {
	struct subject subject;
	struct subject other; /* with `load`: what the board boots with */
	char folder[64];
	const char *runtime; /* or NULL */
	const char *core;
	const char *first_pack; /* what the board boots with */
	bool load, hang, silence;
	uint32_t baud; /* of the undisturbed run; 0: as fast as it goes */
};

/* What one seed chooses. */
struct choice {
	struct relay relay;
	unsigned n_kills;
	uint32_t kill_ms[MAX_KILLS];
};

/* ---- the board -------------------------------------------------------- */

/* The invented board, its stream copied to the line.  Once dead it is silent,
 * as a board is. */
static void serve_fake(const struct campaign *c)
{
	const struct board board = { .name = "fake" };
	const struct link_request q = {
		.board = &board,
		.pack = c->first_pack,
		.core = c->core,
		.catalogue = c->subject.catalogue,
	};
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct arena a = { 0 };
	struct stream s;
	struct err e = { .code = ERR_OK, .message = "" };
	char bytes[SERVE_BYTES];
	int waited_ms = 0;

	if (transport_find("fake")->open(&a, &q, &s, &e) != ERR_OK) {
		(void)fprintf(stderr, "%s\n", e.message);
		return;
	}
	for (;;) {
		int n = s.read(s.state, bytes, sizeof(bytes), waited_ms);
		ssize_t got;

		if (n < 0)
			for (;;)
				(void)pause();
		if (n > 0 && write(STDOUT_FILENO, bytes, (size_t)n) != n)
			return;
		if (poll(&in, 1, n > 0 ? 0 : IDLE_MS) <= 0) {
			waited_ms = n > 0 ? 0 : HASTE * IDLE_MS;
			continue;
		}
		waited_ms = 0;
		got = read(STDIN_FILENO, bytes, sizeof(bytes));
		if (got <= 0)
			return;
		(void)s.write(s.state, bytes, (size_t)got);
	}
}

static void serve(void *context)
{
	const struct campaign *c = context;

	if (c->runtime)
		(void)execl(c->runtime, c->runtime, c->first_pack,
			    (char *)NULL);
	else
		serve_fake(c);
}

/* ---- processes -------------------------------------------------------- */

static pid_t start_relay(const struct relay *r)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
		_exit(relay_run(r));
	}
	/* Its tty exists when it is up. */
	while (access(r->link, F_OK) != 0)
		(void)poll(NULL, 0, STEP_MS);
	return pid;
}

static void stop(pid_t pid, int signal)
{
	(void)kill(pid, signal);
	(void)waitpid(pid, NULL, 0);
}

/* Share of the line's capacity: 10 bits a byte. */
static double percent(uint64_t bytes, uint64_t ms, uint32_t baud)
{
	return ms ? 1e6 * (double)bytes / (double)ms / baud : 0;
}

static void print_traffic(const struct link_traffic *t, uint32_t baud)
{
	printf("kernels: %llu bytes in %.1f s, %.1f %% of %u baud\n"
	       "samples: %llu bytes in %.1f s, %.1f %% of %u baud\n",
	       (unsigned long long)t->pack_bytes, 1e-3 * (double)t->pack_ms,
	       percent(t->pack_bytes, t->pack_ms, baud), baud,
	       (unsigned long long)t->record_bytes, 1e-3 * (double)t->record_ms,
	       percent(t->record_bytes, t->record_ms, baud), baud);
	(void)fflush(stdout);
}

/* One host.  Killed after kill_ms if that is not 0; else it must end by
 * itself.  Returns its exit status, HOST_KILLED or HOST_LATE. */
static int run_host(const struct campaign *c, const char *db,
		    const struct relay *r, pid_t relay, uint32_t kill_ms)
{
	uint32_t limit = kill_ms ? kill_ms : LIMIT_MS;
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct link_traffic traffic = { .pack_bytes = 0 };
		char reset[128];
		int ret;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)snprintf(reset, sizeof(reset),
			       "echo >>%s/resets; kill -HUP %d", c->folder,
			       (int)relay);
		ret = subject_measure(&c->subject, db, r->link, reset, c->load,
				      &traffic, &e);
		if (r->baud)
			print_traffic(&traffic, r->baud);
		/* It may be back when it is polled. */
		if (ret != ERR_OK && (access(r->link, F_OK) != 0 ||
				      strstr(e.message, strerror(ENOENT))))
			_exit(HOST_NO_LINE);
		if (ret != ERR_OK)
			(void)fprintf(stderr, "host: %s\n", e.message);
		_exit(ret != ERR_OK);
	}
	for (uint32_t ms = 0; ms < limit; ms += STEP_MS) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status)
						 : 128 + WTERMSIG(status);
		(void)poll(NULL, 0, STEP_MS);
	}
	stop(pid, SIGKILL);
	return kill_ms ? HOST_KILLED : HOST_LATE;
}

/* ---- one campaign ----------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t n)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (*state >> 33) % n;
}

/* The kinds and numbers of faults: each seed has its own mixture. */
static struct choice choose(uint64_t seed)
{
	static const uint32_t worst[RELAY_N_FAULTS] = {
		[RELAY_FLIP] = 300,      [RELAY_LOSE] = 300,
		[RELAY_DUPLICATE] = 300, [RELAY_REORDER] = 300,
		[RELAY_CHATTER] = 300,   [RELAY_SILENCE] = 60,
		[RELAY_DISCONNECT] = 60, [RELAY_RESET] = 60,
	};
	static const uint32_t limit[RELAY_N_FAULTS] = {
		[RELAY_FLIP] = MANY,      [RELAY_LOSE] = MANY,
		[RELAY_DUPLICATE] = MANY, [RELAY_REORDER] = MANY,
		[RELAY_CHATTER] = MANY,   [RELAY_SILENCE] = 2,
		[RELAY_DISCONNECT] = 3,   [RELAY_RESET] = 3,
	};
	uint64_t state = seed;
	struct choice c = { .relay.seed = seed };

	(void)draw(&state, 2);
	for (int i = 0; i < RELAY_N_FAULTS; i++) {
		c.relay.rate[i] =
			draw(&state, 3) ? (uint32_t)draw(&state, worst[i]) : 0;
		c.relay.limit[i] = limit[i];
	}
	/* Two beyond the limit at one kernel would be the kernel's fault. */
	c.relay.silence_ms = draw(&state, 4) ? BRIEF_MS : LONG_MS;
	if (c.relay.silence_ms == LONG_MS)
		c.relay.limit[RELAY_SILENCE] = 1;
	c.relay.gap_ms = 20 + (uint32_t)draw(&state, 200);
	c.n_kills = (unsigned)draw(&state, MAX_KILLS + 1);
	for (unsigned i = 0; i < c.n_kills; i++)
		c.kill_ms[i] = 20 + (uint32_t)draw(&state, KILL_MS);
	c.relay.hides_start = draw(&state, 2);
	/* Three at the same kernel would be the kernel's. */
	c.relay.limit[RELAY_RESET] -= c.relay.hides_start;
	c.relay.rate[RELAY_RESET] += 300 * c.relay.hides_start;
	return c;
}

/* Ten seconds of silence, once, at a random place in the records. */
static struct choice fall_silent(struct campaign *c, uint64_t seed)
{
	struct choice choice = { .relay.seed = seed };

	choice.relay.rate[RELAY_SILENCE] = 1000;
	choice.relay.limit[RELAY_SILENCE] = 1;
	choice.relay.silence_ms = SILENCE_MS;
	c->subject.board.timeout_s = seed % 2 ? PATIENT_S : IMPATIENT_S;
	return choice;
}

/* Run the hosts of a campaign; false with a message when the last does not
 * end well. */
static bool run_campaign(struct campaign *c, struct choice *choice,
			 const char *db)
{
	char link[96], trace[96];
	int status = HOST_KILLED;
	pid_t relay;

	(void)snprintf(link, sizeof(link), "%s/tty", c->folder);
	(void)snprintf(trace, sizeof(trace), "%s/trace", c->folder);
	(void)unlink(link);
	(void)unlink(trace);
	choice->relay.link = link;
	choice->relay.trace = trace;
	choice->relay.board = serve;
	choice->relay.context = c;
	relay = start_relay(&choice->relay);
	for (unsigned i = 0; i < choice->n_kills && status != 0; i++)
		status = run_host(c, db, &choice->relay, relay,
				  choice->kill_ms[i]);
	while (status == HOST_KILLED || status == HOST_NO_LINE)
		status = run_host(c, db, &choice->relay, relay, 0);
	stop(relay, SIGTERM);
	if (status != 0)
		printf("  host: %s %d\n",
		       status == HOST_LATE ? "not done after ms" : "status",
		       status == HOST_LATE ? LIMIT_MS : status);
	return status == 0;
}

/* The first line in which two texts differ. */
static void print_difference(const char *a, const char *b)
{
	while (*a && *b) {
		size_t n_a = strcspn(a, "\n");
		size_t n_b = strcspn(b, "\n");

		if (n_a != n_b || memcmp(a, b, n_a) != 0)
			break;
		a += n_a + (a[n_a] == '\n');
		b += n_b + (b[n_b] == '\n');
	}
	printf("  undisturbed: %.*s\n  disturbed:   %.*s\n",
	       (int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
}

static void remove_db(const char *db)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-journal" };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "%s%s", db, ends[i]);
		(void)unlink(path);
	}
}

/* Run and compare with the truth; an empty truth is filled. */
static bool try_seed(struct campaign *c, struct choice *choice,
		     struct buffer *truth)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct buffer found = { 0 };
	char db[96];
	bool good;

	(void)snprintf(db, sizeof(db), "%s/db", c->folder);
	remove_db(db);
	good = run_campaign(c, choice, db) &&
	       subject_dump(&c->subject, db, &found, &e) == ERR_OK;
	if (e.code != ERR_OK)
		printf("  %s\n", e.message);
	buffer_add(&found, "", 1);
	if (good && truth->n == 0) {
		buffer_add(truth, found.bytes, found.n);
	} else if (good && strcmp((const char *)truth->bytes,
				  (const char *)found.bytes) != 0) {
		print_difference((const char *)truth->bytes,
				 (const char *)found.bytes);
		good = false;
	}
	buffer_free(&found);
	return good;
}

/* ---- all of them ------------------------------------------------------ */

/* Lines of a file of the campaign. */
static size_t count_lines(const struct campaign *c, const char *name)
{
	char path[96], line[64];
	size_t n = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", c->folder, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		n++;
	if (f)
		(void)fclose(f);
	return n;
}

/* The faults of a campaign, in the order in which they struck. */
static void print_trace(const struct campaign *c)
{
	char path[96], line[64];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/trace", c->folder);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		printf(" %.*s", (int)strcspn(line, "\n"), line);
	printf("\n");
	if (f)
		(void)fclose(f);
}

static size_t count_words(const char *text, const char *word)
{
	size_t n = 0;

	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		n++;
	return n;
}

/* Every kernel of REM hangs the board, no other does. */
static int judge_hangs(const struct campaign *c, const char *truth)
{
	size_t deadly = count_words(truth, "REM");
	size_t lost = count_words(truth, " fault lost");
	size_t resets = count_lines(c, "resets");
	bool good = deadly > 0 && lost == deadly && resets == 2 * lost;

	printf("%zu deadly kernels, %zu stored as lost after %zu resets: %s\n",
	       deadly, lost, resets, good ? "1 passed" : "1 failed");
	return !good;
}

static int run_all(struct campaign *c, unsigned long n, unsigned long seed)
{
	struct choice calm = { .relay.baud = c->baud };
	struct buffer truth = { 0 };
	unsigned long failed = 0, kills = 0;
	size_t faults = 0;

	if (!try_seed(c, &calm, &truth)) {
		printf("FAIL: an undisturbed run\n");
		return 1;
	}
	for (unsigned long i = 0; i < n; i++) {
		struct choice choice = c->silence ? fall_silent(c, seed + i)
						  : choose(seed + i);

		kills += choice.n_kills;
		if (!try_seed(c, &choice, &truth)) {
			printf("FAIL: seed %lu:", seed + i);
			print_trace(c);
			failed++;
		}
		faults += count_lines(c, "trace");
		(void)fflush(stdout);
	}
	if (c->hang)
		failed += judge_hangs(c, (const char *)truth.bytes);
	buffer_free(&truth);
	printf("%zu kernels; %lu campaigns with %zu faults and up to %lu "
	       "killed hosts: %lu passed, %lu failed\n",
	       gen_n_kernels(c->subject.gen), n, faults, kills, n - failed,
	       failed);
	return failed != 0;
}

/* At a rate there must be enough kernels for a steady state of the line. */
static const char *forms_of(const struct campaign *c)
{
	if (c->hang)
		return "^(ADD|XOR|REM)$";
	if (c->core)
		return "^(ADD|SUB|XOR|MUL|MULW|DIV|REM|SLL|SRAI|AND|OR)$";
	if (c->baud)
		return "^(ADD|SUB|XOR|IMUL|AND|OR)(32|64)rr$";
	return "^(ADD|SUB|XOR|IMUL|AND|OR)64rr$|^MOV64ri$";
}

static int prepare(struct campaign *c, const char *board, struct err *e)
{
	bool fake = strncmp(board, "fake:", 5) == 0;

	c->runtime = fake ? NULL : board;
	c->core = fake ? board + 5 : NULL;
	c->subject.exact = fake;
	if (subject_make(&c->subject, fake ? "riscv64" : "x86_64", forms_of(c),
			 c->folder, "pack", e) != ERR_OK)
		return e->code;
	/* A figure must not depend on the load of this machine. */
	if (c->baud)
		c->subject.board.timeout_s = 10;
	c->first_pack = c->subject.pack_path;
	if (!c->load)
		return ERR_OK;
	if (subject_make(&c->other, c->subject.board.isa, "^ADD64rr$",
			 c->folder, "other", e) != ERR_OK)
		return e->code;
	c->first_pack = c->other.pack_path;
	return ERR_OK;
}

int main(int argc, char **argv)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct campaign c = { .folder = "/tmp/anechoic-campaign-XXXXXX" };
	char command[96];
	int ret = 1;

	if (argc < 4 || !mkdtemp(c.folder)) {
		(void)fprintf(stderr, "usage: campaign BOARD CAMPAIGNS SEED "
				      "[load|hang|silence [BAUD]]\n");
		return 2;
	}
	c.load = argc > 4 && strcmp(argv[4], "load") == 0;
	c.hang = argc > 4 && strcmp(argv[4], "hang") == 0;
	c.silence = argc > 4 && strcmp(argv[4], "silence") == 0;
	if (argc > 5)
		c.baud = (uint32_t)strtoul(argv[5], NULL, 10);
	if (prepare(&c, argv[1], &e) == ERR_OK)
		ret = run_all(&c, strtoul(argv[2], NULL, 10),
			      strtoul(argv[3], NULL, 10));
	else
		printf("FAIL: %s\n", e.message);
	subject_free(&c.subject);
	subject_free(&c.other);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", c.folder);
	return system(command) == 0 ? ret : 1;
}
