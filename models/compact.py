"""compact.py CORE TOOL NOISE SHARE: a model file from standard input, with facts
for people and bounds of five digits.

Bounds are rounded outwards, so that an interval holds what it held.  The facts
replace those of the key `about`; an empty one leaves it as it is.
"""
import decimal
import json
import re
import sys

FIVE_DIGITS = {
    way: decimal.Context(prec=5, rounding=way)
    for way in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING)
}
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"


def short(text, way):
    value = FIVE_DIGITS[way].create_decimal(text)
    return format(value.normalize(), "f") if value else "0"


def span(match):
    return "[%s, %s]" % (
        short(match[1], decimal.ROUND_FLOOR),
        short(match[2], decimal.ROUND_CEILING),
    )


def main():
    text = sys.stdin.read()
    model = json.loads(text)
    about = model["about"]
    for key, fact in zip(("core", "tool", "noise", "share"), sys.argv[1:]):
        if key == "core" and fact and "core" in about:
            fact = "%s (%s)" % (fact, about["core"])
        if fact:
            about[key] = fact
    text = re.sub(r"\[(%s), (%s)\]" % (NUMBER, NUMBER), span, text)
    facts = json.dumps(about, ensure_ascii=False)
    text = re.sub(
        r'("about": )\{.*?\}(,\n)', lambda m: m[1] + facts + m[2], text, count=1
    )
    json.loads(text)
    sys.stdout.write(text)


main()
