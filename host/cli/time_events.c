/* anechoic time --events: what the code does, other than taking cycles. */
#include <string.h>

#include "host/base/json.h"
#include "host/cli/time_command.h"

int time_read_events(struct timing_job *j, struct err *e)
{
	char *text = j->o->events ? arena_strdup(j->a, j->o->events) : NULL;
	char *rest = NULL;

	if (!text)
		return ERR_OK;
	j->events = ARENA_ARRAY(j->a, struct code_event, CODE_MAX_EVENTS);
	for (char *name = strtok_r(text, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		if (j->n_events == CODE_MAX_EVENTS)
			return err_set(e, ERR_USAGE,
				       "--events: more than %d events",
				       CODE_MAX_EVENTS);
		j->events[j->n_events++].name = name;
	}
	if (j->n_events == 0)
		return err_set(e, ERR_USAGE,
			       "--events needs names of events, such as "
			       "instructions,cycles");
	return code_events_check(&j->c, j->events, j->n_events, e);
}

int time_count_events(struct timing_job *j, struct err *e)
{
	const struct code_run run = {
		.campaign = &j->c, .store = j->s, .list = &j->snippet, .n = 1
	};

	/* Nothing is counted, because an iteration has no one path. */
	if (j->result.claim.verdict == VERDICT_PATH_VARIES)
		return ERR_OK;
	return code_events_count(&run, &j->result, j->events, j->n_events, e);
}

static bool is_time(const struct code_event *e)
{
	return strcmp(e->name, "task-clock") == 0;
}

void time_put_events(const struct timing_job *j, struct buffer *b)
{
	const char *unit = j->snippet.own_loop ? "iteration" : "copy";

	for (size_t i = 0; i < j->n_events; i++) {
		const struct code_count *c = &j->events[i].count;

		buffer_printf(b, "event      ");
		if (c->known)
			buffer_printf(b, "%8.4g %s%s per %s (%.4g to %.4g)\n",
				      c->middle,
				      is_time(&j->events[i]) ? "ns of " : "",
				      j->events[i].name, unit, c->low, c->high);
		else
			buffer_printf(b, "%s: not counted\n",
				      j->events[i].name);
	}
}

void time_put_json_events(const struct timing_job *j, struct buffer *b)
{
	buffer_printf(b, "  \"events\": {");
	for (size_t i = 0; i < j->n_events; i++) {
		const struct code_count *c = &j->events[i].count;

		buffer_printf(b, "%s\n    ", i > 0 ? "," : "");
		json_add_string(b, j->events[i].name);
		if (c->known)
			buffer_printf(b,
				      ": { \"unit\": \"%s\", \"low\": %.6g, "
				      "\"middle\": %.6g, \"high\": %.6g }",
				      is_time(&j->events[i]) ? "ns" : "events",
				      c->low, c->middle, c->high);
		else
			buffer_printf(b, ": null");
	}
	buffer_printf(b, j->n_events > 0 ? "\n  },\n" : "},\n");
}
