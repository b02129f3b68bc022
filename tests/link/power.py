#!/usr/bin/python3
"""A relay of labgrid's power model "rest": power.py PORT PROCESS FILE

Switching it on resets the board, a process that takes SIGHUP for that, and adds
a line to the file.
"""

import http.server
import os
import signal
import sys


class Relay(http.server.BaseHTTPRequestHandler):
    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(b"1")

    def do_PUT(self):
        value = self.rfile.read(int(self.headers["Content-Length"]))
        if value == b"1":
            with open(sys.argv[3], "a", encoding="ascii") as file:
                file.write("on\n")
            os.kill(int(sys.argv[2]), signal.SIGHUP)
        self.answer(b"")


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Relay).serve_forever()
