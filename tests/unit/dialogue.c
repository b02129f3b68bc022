/* Dialogues: which step a console's bytes complete. */
#include "host/link/dialogue.h"
#include "tests/unit/unit.h"

static const struct step uboot[] = {
	{ .text = "stop autoboot:", .keys = " ", .n_keys = 1 },
	{ .text = "=> ", .keys = "load\r", .n_keys = 5, .limit_s = 20 },
	{ .text = "=> ", .keys = "go\r", .n_keys = 3, .limit_s = 10 },
};

static const struct board board = {
	.name = "b",
	.path = "b.conf",
	.dialogue = uboot,
	.n_dialogue = ARRAY_LEN(uboot),
};

/* Feed a text; returns the numbers of the steps it completes, from 1. */
static const char *feed(struct dialogue *d, const char *text)
{
	static char steps[32];
	size_t n = 0;

	for (; *text; text++) {
		const struct step *s = dialogue_take(d, *text, 1000);

		if (s)
			steps[n++] = (char)('1' + (s - uboot));
	}
	steps[n] = '\0';
	return steps;
}

TEST(steps_follow_each_other)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	assert_string_equal(feed(&d, "U-Boot\r\nHit any key to stop autoboot:"),
			    "1");
	assert_string_equal(feed(&d, " 2 \b\b\b 0\r\n=> "), "2");
	assert_string_equal(feed(&d, "load\r\n7 bytes\r\n=> "), "3");
	assert_string_equal(feed(&d, "go\r\nStarting\r\n"), "");
	assert_false(dialogue_is_stuck(&d));
}

TEST(a_step_may_be_skipped)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	assert_string_equal(feed(&d, "=> load\r\n=> "), "23");
}

TEST(a_reset_begins_again)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	assert_string_equal(feed(&d, "stop autoboot:\r\n=> "), "12");
	assert_string_equal(feed(&d, "U-Boot\r\nstop autoboot:\r\n=> x\n=> "),
			    "123");
	assert_int_equal(d.n_turns, 1);
}

TEST(a_dialogue_in_a_circle_is_stuck)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	for (int i = 0; i <= DIALOGUE_MAX_TURNS; i++) {
		assert_false(dialogue_is_stuck(&d));
		assert_string_equal(feed(&d, "\n=> \n=> "), "23");
	}
	assert_string_equal(feed(&d, "\n=> "), "2");
	assert_true(dialogue_is_stuck(&d));
	dialogue_restart(&d);
	assert_false(dialogue_is_stuck(&d));
	assert_string_equal(feed(&d, "=> "), "2");
}

TEST(control_sequences_are_no_text)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	assert_string_equal(
		feed(&d, "stop \x1b[1m\x1b[33;40mauto\x1b[12;4Hboot\x1b=:"),
		"1");
	assert_string_equal(feed(&d, "=\x1b[0m> "), "2");
}

TEST(a_text_lies_within_a_line)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	assert_string_equal(feed(&d, "stop\nautoboot:=\n> =\r> "), "");
	for (int i = 0; i < 100; i++)
		assert_string_equal(feed(&d, "long long line "), "");
	assert_string_equal(feed(&d, "=> "), "2");
	assert_string_equal(dialogue_prompt(&d), "");
}

TEST(a_limit_runs_from_the_step_before)
{
	struct dialogue d;

	dialogue_open(&d, &board);
	assert_null(dialogue_late(&d, 1000000));
	assert_string_equal(feed(&d, "stop autoboot:"), "1");
	assert_null(dialogue_late(&d, 20999));
	assert_ptr_equal(dialogue_late(&d, 21000), &uboot[1]);
	assert_string_equal(feed(&d, "=> \n=> "), "23");
	assert_null(dialogue_late(&d, 1000000));
}

TEST(an_unknown_prompt_is_explained)
{
	struct dialogue d;
	char text[512];

	dialogue_open(&d, &board);
	assert_string_equal(feed(&d, "\r\nf3 login: "), "");
	assert_string_equal(dialogue_prompt(&d), "f3 login: ");
	dialogue_advise(&d, &board, text, sizeof(text));
	assert_part(text, "b: the board is silent after 'f3 login: "
			  "': an operating system has started");
	assert_part(text, "b.conf: dialogue.4 = f3 login: |KEYS");
	assert_string_equal(feed(&d, "\n"), "");
	assert_string_equal(dialogue_prompt(&d), "");
}

/* The advice, copied into the file, is a step whose text is that prompt. */
TEST(an_advice_is_a_step)
{
	static const char *const prompts[] = {
		"f3 login: ", "Continue? [y|n] ", "  boot: ",
		"C:\\> ",     "5|x|> ",
	};

	for (size_t i = 0; i < ARRAY_LEN(prompts); i++) {
		struct dialogue d;
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { 0 };
		struct step s;
		struct board own = board;
		char text[512];
		const char *line;

		dialogue_open(&d, &board);
		assert_string_equal(feed(&d, prompts[i]), "");
		dialogue_advise(&d, &board, text, sizeof(text));
		line = strstr(text, "dialogue.4 = ");
		assert_non_null(line);
		assert_ok(step_read(&a, line + strlen("dialogue.4 = "), &s, &e),
			  &e);
		assert_memory_equal(s.keys, "KEYS\r", s.n_keys);
		assert_int_equal(s.limit_s, 0);
		own.dialogue = &s;
		own.n_dialogue = 1;
		dialogue_open(&d, &own);
		for (const char *at = prompts[i]; at[1]; at++)
			assert_null(dialogue_take(&d, *at, 1));
		assert_ptr_equal(
			dialogue_take(&d, prompts[i][strlen(prompts[i]) - 1],
				      1),
			&s);
	}
}

/* What a board that waits at its prompt already is told: the steps from the
 * first one with the last one's text on. */
TEST(what_to_type_begins_at_the_prompt)
{
	static const struct step steps[] = {
		{ .text = "any key", .keys = " ", .n_keys = 1 },
		{ .text = "=> ", .keys = "load x\r", .n_keys = 7 },
		{ .text = "=> ", .keys = "go x\r", .n_keys = 5 },
	};
	const struct board own = { .name = "o",
				   .dialogue = steps,
				   .n_dialogue = ARRAY_LEN(steps) };
	const struct board none = { .name = "n" };
	char text[256], few[16];
	struct dialogue d;

	dialogue_open(&d, &own);
	dialogue_typed(&d, text, sizeof(text));
	assert_part(text, "waits at '=> '");
	assert_part(text, "type there: load x and go x");
	assert_null(strchr(text, '\r'));
	dialogue_typed(&d, few, sizeof(few));
	assert_int_equal(strlen(few), sizeof(few) - 1);
	dialogue_open(&d, &none);
	dialogue_typed(&d, text, sizeof(text));
	assert_string_equal(text, "");
}

TEST(without_steps_nothing_is_typed)
{
	const struct board none = { .name = "n" };
	struct dialogue d;

	dialogue_open(&d, &none);
	assert_null(dialogue_take(&d, '=', 1));
	assert_null(dialogue_late(&d, 1000000));
}
