"""A small WebDriver client for headless Chromium, with the standard library.

Chromium is started without a way to the network: every host name fails, and
requests other than of files are counted as an error.
"""

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request


def find():
    """Paths of driver and browser, or None where one is missing."""
    driver = shutil.which("chromedriver")
    browser = shutil.which("chromium")
    return (driver, browser) if driver and browser else None


class Browser:
    def __init__(self, folder):
        driver, browser = find()
        self.folder = folder
        self.process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
            env=dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder,
                     XDG_CACHE_HOME=folder))
        self.url = "http://127.0.0.1:%d" % self._port()
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--user-data-dir=" + os.path.join(folder, "profile"),
        ]
        got = self._call("POST", "/session", {"capabilities": {
            "alwaysMatch": {
                "goog:chromeOptions": {
                    "binary": browser, "args": arguments},
                "goog:loggingPrefs": {
                    "browser": "ALL", "performance": "ALL"},
            }}})
        self.url += "/session/" + got["sessionId"]

    def _port(self):
        for line in self.process.stdout:
            if "started successfully" in line:
                return int(line.rstrip().rstrip(".").split()[-1])
        raise RuntimeError("chromedriver did not start")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError("%s: %s" % (path, value["message"])) from None

    def close(self):
        try:
            self._call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def back(self):
        self._call("POST", "/back", {})

    def js(self, script, *values):
        return self._call("POST", "/execute/sync",
                          {"script": script, "args": list(values)})

    def js_async(self, script, *values):
        return self._call("POST", "/execute/async",
                          {"script": script, "args": list(values)})

    def cdp(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute",
                          {"cmd": command, "params": parameters})

    def look(self, width, height, dark=False, scale=1):
        """Size of the window and colours of the user."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width,
                 height=height, deviceScaleFactor=scale, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", media="", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"}])

    def picture(self, path, whole=False):
        got = self.cdp("Page.captureScreenshot", format="png",
                       captureBeyondViewport=whole)
        with open(path, "wb") as out:
            out.write(base64.b64decode(got["data"]))

    def find(self, css):
        got = self._call("POST", "/element",
                         {"using": "css selector", "value": css})
        return next(iter(got.values()))

    def type(self, css, text):
        self._call("POST", "/element/%s/value" % self.find(css),
                   {"text": text})

    def click(self, css):
        self._call("POST", "/element/%s/click" % self.find(css), {})

    def wait(self, script, what, seconds=20):
        """Until the script returns something true; that is returned."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            got = self.js(script)
            if got:
                return got
            time.sleep(0.02)
        raise AssertionError("not within %d s: %s" % (seconds, what))

    def complaints(self):
        """Messages of the console, and requests that are not of files."""
        said = ["%s: %s" % (x["level"], x["message"])
                for x in self._call("POST", "/se/log", {"type": "browser"})]
        for x in self._call("POST", "/se/log", {"type": "performance"}):
            m = json.loads(x["message"])["message"]
            url = m["params"].get("request", {}).get("url", "file:")
            if (m["method"] == "Network.requestWillBeSent"
                    and not url.startswith(("file:", "data:", "chrome:"))):
                said.append("a request of %s" % url)
        return said
