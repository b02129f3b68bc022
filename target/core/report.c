/* Records are written in one piece: the console may be shared with firmware,
 * and a torn line loses a kernel's sample. */
#include "target/core/report.h"

#include "target/arch.h"
#include "target/core/options.h"

static struct {
	const struct console *console;
	bool (*tee)(const char *bytes, size_t n);
	uint64_t seq;
	struct wire_line line;
} report;

static bool open_console(const struct console *c)
{
	if (!c->init())
		return false;
	report.console = c;
	return true;
}

bool report_open(void)
{
	const struct console *first = options()->console;
	bool open = first && open_console(first);

	for (size_t i = 0; !open && consoles[i]; i++)
		open = open_console(consoles[i]);
	return open;
}

const char *report_console(void)
{
	return report.console->name;
}

struct wire_line *report_begin(const char *kind)
{
	wire_begin(&report.line, report.seq, kind);
	return &report.line;
}

bool report_send(void)
{
	size_t n = wire_end(&report.line);

	if (n == 0)
		return false;
	bool torn = report.tee && !report.tee(report.line.text, n);

	report.console->write(report.line.text, n);
	report.seq++;
	if (torn) {
		report.tee = NULL;
		report_message("text", "the file on the boot disk is full or "
				       "gone");
	}
	return true;
}

void report_tee(bool (*write)(const char *bytes, size_t n))
{
	report.tee = write;
}

void report_message(const char *kind, const char *m)
{
	wire_word(report_begin(kind), "m", m);
	/* Every message of the runtime is a short constant: it fits. */
	(void)report_send();
}

int report_read(void)
{
	return report.console->read();
}

void report_wait(unsigned ms)
{
	if (report.console->wait)
		report.console->wait(ms);
}

bool report_closed(void)
{
	return report.console->closed && report.console->closed();
}

void report_fault(struct wire_line *w, const struct arch_fault *f)
{
	wire_word(w, "cause", f->cause);
	wire_hex(w, "code", f->code);
	wire_hex(w, "pc", f->pc);
	wire_hex(w, "addr", f->address);
}
