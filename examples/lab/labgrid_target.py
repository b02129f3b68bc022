#!/usr/bin/python3
"""A target of a labgrid environment as a console and a power switch.

    labgrid_target.py console ENV.yaml TARGET   its console on standard input and output
    labgrid_target.py cycle ENV.yaml TARGET     power-cycle it
"""
import os
import select
import sys

from labgrid import Environment
from labgrid.protocol import ConsoleProtocol, PowerProtocol


def console(target):
    """Pass bytes both ways until an end is gone."""
    driver = target.get_driver(ConsoleProtocol)
    os.set_blocking(0, False)
    while True:
        ready, _, _ = select.select([0], [], [], 0.005)
        if ready:
            data = os.read(0, 4096)
            if not data:
                return
            driver.write(data)
        try:
            data = driver.read(size=4096, timeout=0.02)
        except Exception as why:  # the drivers have several timeouts
            if "timeout" not in type(why).__name__.lower() \
                    and type(why).__name__ != "TIMEOUT":
                raise
            continue
        while data:
            data = data[os.write(1, data):]


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("console", "cycle"):
        sys.exit("usage: labgrid_target.py console|cycle ENV.yaml TARGET")
    target = Environment(sys.argv[2]).get_target(sys.argv[3])
    if target is None:
        sys.exit(f"labgrid_target.py: {sys.argv[2]} has no target {sys.argv[3]}")
    if sys.argv[1] == "console":
        console(target)
    else:
        target.get_driver(PowerProtocol).cycle()


main()
