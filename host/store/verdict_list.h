/* The table of verdicts, for verdict.h: name, word, what it gives, facts, and
 * its meaning in a line.  The comment above a row is its meaning in
 * docs/verdicts.md, which tests/lint/verdicts.sh writes from this file.  No
 * include guard. */

/* Visits agree, the line is straight; a latency's chain shows. */
VERDICT(OK, "ok", EXACT, VERDICT_SETTLED,
	"visits agree and the line is straight")
/* The mean of a chain is not a whole number of cycles (above 1, below 25):
 * instances take different times, and the value is the latency of none. A form
 * that is part of mixtures only has this verdict, too. */
VERDICT(MIXTURE, "mixture", MEASURED, VERDICT_SETTLED,
	"a mean: instances take different times")
/* The kernel runs at two speeds, `low` and `high`; on a reference clock `high`
 * is [more frequent than disturbances
 * explain](method/agreement.md#when-there-are-two-states), or long bodies and
 * small loops differ by more than 3 % in a class whose kernels often have
 * states. */
VERDICT(TWO_STATES, "two-states", BOTH, VERDICT_SETTLED | VERDICT_REPEATED,
	"the kernel runs at two speeds, both are given")
/* The chain does not show: latency between `low` and `high`. */
VERDICT(THROUGHPUT_BOUND, "throughput-bound", INTERVAL, VERDICT_SETTLED,
	"the chain is not slower than the throughput")
/* The form is part of a latency cycle through several forms: a lower value here
 * means a higher one for its partners. A part of a latency cycle without a
 * value has the verdict of the cycle. */
VERDICT(CIRCLE, "circle", INTERVAL, VERDICT_SETTLED,
	"part of a sum: lower here means higher in its partners")
/* A sum of a latency cycle that contradicts others, or chains with fillers that
 * no size of a buffer explains. */
VERDICT(CONTRADICTION, "contradiction", NONE, VERDICT_REASON,
	"sums that cannot all be true, no value")
/* A latency cycle that costs less than its parts can (one cycle each, zero for
 * a form that is renamed away): not every instance waits for the previous one,
 * because a bridge does not read what the form writes. */
VERDICT(NO_CHAIN, "no-chain", NONE, VERDICT_REASON,
	"the next form does not depend on the source")
/* The chain, or the part of a latency cycle, costs less than 0.9 cycles: it is
 * renamed away, or never executed. An interval from 0 to a bound if no value of
 * the chain counts, but its whole iterations cost less than that. */
VERDICT(ELIMINATED, "eliminated", EXACT, VERDICT_SETTLED,
	"renamed away, or never executed")
/* Throughput measured together with helpers. */
VERDICT(HELPER, "helper", INTERVAL, VERDICT_SETTLED,
	"with and without the helpers that cut a dependency")
/* The results use so few registers that the latency divided by their number
 * explains the value, or may explain it: the true throughput is `high` or
 * less. */
VERDICT(REGISTER_BOUND, "register-bound", INTERVAL, VERDICT_SETTLED,
	"too few registers to keep the units busy")
/* Instances wait for each other through a register, and no helper cuts the
 * dependency: `high` is measured. */
VERDICT(DEPENDENT, "dependent", INTERVAL, VERDICT_SETTLED,
	"instances wait for each other, with no helper")
/* A form that is [slow to decode](method/front-end.md#decoding) takes a
 * cycle or more, and the same form without the prefix takes less or is not
 * known: the decoder may be the limit, and `high` is measured. */
VERDICT(DECODE_BOUND, "decode-bound", INTERVAL, VERDICT_SETTLED,
	"the decoder may be the limit; a cache may be faster")
/* The chain's value, but no usable control to prove that it is a chain, or that
 * one through a single register is not faster. */
VERDICT(NO_CONTROL, "no-control", MEASURED, 0,
	"no control proves that this is a chain")
/* Ports: other sets of ports agree as well with all saturating kernels of this
 * form; the value is one of them. */
VERDICT(OPEN, "open", MEASURED, VERDICT_PORTS,
	"other ports agree as well with its times")
/* Ports: the saturating kernels of this form fit no whole numbers of uops; the
 * value is what they showed. */
VERDICT(UNSURE, "unsure", SEEN, 0, "its times fit no whole numbers of uops")
/* Ports: while this form is in flight, other forms have fewer ports, so its own
 * ports do not explain the times of mixes with it. */
VERDICT(CLOSES, "closes", NONE, 0, "other forms have fewer ports while it runs")
/* Ports: more than a third of the trial mixes of this form, or most of its mixes
 * of the fit, are off by more than 10 %. */
VERDICT(MISFIT, "misfit", SEEN, 0,
	"most mixes with it are off by more than 10 %")
/* Core clock: fewer than two repeats, or bounds of more than a percent.
 * Reference clock: too few visits agree for a kernel of its class; the value,
 * if any, is from rows without flags. Structures: over a quarter of a step's values
 * are in doubt. */
VERDICT(NOISY, "noisy", SEEN, VERDICT_REPEATED,
	"too few undisturbed visits, or too many values in doubt")
/* Core clock: repeats disagree, `low` and `high` are their extremes. Reference
 * clock: the same of visits, or most visits near the value do not agree on it,
 * or one visit is more than 5 % faster than those that agree; then `low` is the
 * fastest value of any visit and `high` the one they agree on. */
VERDICT(UNSTABLE, "unstable", SEEN, VERDICT_REPEATED,
	"visits disagree without a pattern, not published")
/* The middle length lies off the line by more than 2 %, or whole iterations cost
 * over 5 % less than the slope: `high` is the time of a whole iteration divided
 * by its ops, where that is least, and `low` the bound by the core's width. Or
 * it lies off by less, but [on the same side in all visits that
 * agree, at least three](method/agreement.md#when-a-value-is-not-linear): `low`
 * and `high` are the slopes of the two halves. Of a small loop as fast as the core
 * is wide, `low` is the bound by the width, `high` what was measured. */
VERDICT(NOT_LINEAR, "not-linear", INTERVAL, VERDICT_SETTLED | VERDICT_REPEATED,
	"the three lengths are not on a line: a bound")
/* Not above zero, faster than any core issues, or two alternating forms that
 * cost ten cycles more than alone: the chain passes values that the core
 * handles slowly. */
VERDICT(IMPLAUSIBLE, "implausible", NONE, VERDICT_REPEATED | VERDICT_REASON,
	"not above zero, or faster than any core")
/* The kernel was stopped; causes are those of [the wire](../common/wire.md). */
VERDICT(FAULT, "fault:CAUSE", NONE, VERDICT_REASON, "the core stopped at it")
/* Own code: its jumps do not go the same ways each time, nor repeat what they do
 * within 16 iterations, so an iteration has no cycles of its own. */
VERDICT(PATH_VARIES, "path-varies", NONE, VERDICT_REASON,
	"iterations take different paths that do not repeat")
/* No samples arrived. */
VERDICT(MISSING, "missing", NONE, 0, "no samples arrived")
/* No sample retired exactly the kernel's instructions: something else ran each
 * time. */
VERDICT(INTERFERENCE, "interference", NONE, VERDICT_REPEATED,
	"something else ran in every sample")
/* A reference clock without its chains, or chains that differ by more than 2 %
 * in the median of all visits and of every class. */
VERDICT(NO_CALIBRATION, "no-calibration", NONE, 0,
	"the ticks of a cycle are not known")
/* Samples or unroll lengths that cannot be. */
VERDICT(BAD_DATA, "bad-data", NONE, 0, "impossible samples or lengths")
/* Structures: a lower bound; so much fits, and another limit may be reached before
 * this one. */
VERDICT(AT_LEAST, "at-least", SEEN, 0, "a lower bound: so much fits")
/* Structures: nothing showed it, and `detail` says why. */
VERDICT(NOT_SHOWN, "not-shown", NONE, 0, "no probe shows it")
/* On a site: a value of a model file. */
VERDICT(MODEL, "model", SEEN, VERDICT_OF_FILE, "of a model file")
