"""Predictions and measurements of Anechoic.

    import anechoic

    with anechoic.Core(cpu="skylake", isa="x86_64") as core:
        p = core.predict("mulsd %xmm1, %xmm0")
        print(p.cycles, p.why)

    for row in anechoic.instructions("x.db"):
        print(row["form"], row["latency_high"], row["throughput_high"])

Core and Prediction call libanechoic (anechoic.h); everything else reads the
database with Python's sqlite3 (docs/database.md).  Only frame() needs pandas.
"""

import ctypes
import ctypes.util
import glob
import json
import os
import sqlite3

__all__ = ["Core", "Error", "Prediction", "claims", "frame", "instructions",
           "query"]


class Error(Exception):
    """What the library or the database refuses, in words."""


# ---- libanechoic ----------------------------------------------------------

_MESSAGE = 600
_MARKS = {"any": 0, "osaca": 1, "llvm-mca": 2, "none": 3}


class _Source(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in
                ("database", "file", "cpu", "board", "isa", "tables")]


class _Object(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("bytes", ctypes.c_char_p),
                ("n", ctypes.c_size_t)]


class _Options(ctypes.Structure):
    _fields_ = [("intel", ctypes.c_int), ("bounds_only", ctypes.c_int),
                ("equal_split", ctypes.c_int),
                ("function", ctypes.c_char_p),
                ("first_line", ctypes.c_uint), ("last_line", ctypes.c_uint),
                ("marker", ctypes.c_int), ("any_alignment", ctypes.c_int)]


class _Bounds(ctypes.Structure):
    _fields_ = [("cycles", ctypes.c_double), ("throughput", ctypes.c_double),
                ("ports", ctypes.c_double), ("front_end", ctypes.c_double),
                ("carried", ctypes.c_double),
                ("critical_path", ctypes.c_double),
                ("simulated", ctypes.c_double),
                ("n_instructions", ctypes.c_size_t),
                ("n_assumed", ctypes.c_size_t), ("why", ctypes.c_char_p),
                ("worst_cycles", ctypes.c_double)]


def _places():
    """Where the library may be: the environment's choice, the tree that this
    file was installed with, and the system's folders."""
    if "ANECHOIC_LIBRARY" in os.environ:
        return [os.environ["ANECHOIC_LIBRARY"]]
    lib = os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.abspath(__file__))))
    found = (glob.glob(os.path.join(lib, "libanechoic.so.0")) +
             glob.glob(os.path.join(lib, "*", "libanechoic.so.0")))
    return found + ["libanechoic.so.0"]


def _load():
    why = ""
    for place in _places():
        try:
            lib = ctypes.CDLL(place)
        except OSError as e:
            why = str(e)
            continue
        p, s = ctypes.c_void_p, ctypes.c_char_p
        to = ctypes.POINTER
        options = to(_Options)
        lib.anechoic_open.argtypes = [to(_Source), to(p), s]
        lib.anechoic_close.argtypes = [p]
        lib.anechoic_close.restype = None
        lib.anechoic_predict_text.argtypes = [p, s, s, options, to(p), s]
        lib.anechoic_predict_object.argtypes = [
            p, to(_Object), options, to(p), s]
        lib.anechoic_predict_code.argtypes = [
            p, s, ctypes.c_size_t, options, to(p), s]
        lib.anechoic_free.argtypes = [p]
        lib.anechoic_free.restype = None
        lib.anechoic_bounds.argtypes = [p]
        lib.anechoic_bounds.restype = to(_Bounds)
        lib.anechoic_print.argtypes = [p, s]
        lib.anechoic_print.restype = s
        return lib
    raise Error("libanechoic.so.0 is not found (%s); set ANECHOIC_LIBRARY to "
                "its path" % why)


_lib = None


def _library():
    global _lib
    if _lib is None:
        _lib = _load()
    return _lib


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _text(text):
    """Bytes of assembly, which need not be text of any encoding."""
    if isinstance(text, str):
        try:
            text = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as why:
            raise Error("the assembly is no text: %s" % why) from None
    if b"\0" in text:
        raise Error("the assembly contains a zero byte")
    return bytes(text)


def _decoded(printed):
    """Names in it come from files, so it need not be UTF-8."""
    return printed.decode("utf-8", "replace")


def _options(marker="any", lines=None, function=None, intel=False,
             bounds_only=False, equal_split=False, any_alignment=False):
    if marker not in _MARKS:
        raise Error("marker is %r, not one of %s" %
                    (marker, ", ".join(_MARKS)))
    first, last = lines if lines else (0, 0)
    return _Options(intel, bounds_only, equal_split, _bytes(function), first,
                    last, _MARKS[marker], any_alignment)


class Prediction:
    """Cycles of one iteration of a loop, and the reasons.

    cycles         the prediction
    throughput, ports, front_end, carried, critical_path, simulated
                   its bounds in cycles; 0: unknown
    worst_cycles   at the worst alignment; 0: not asked for
    n_instructions, n_assumed
                   instructions, and how many have an assumption among their
                   values
    why            what limits the loop
    """

    def __init__(self, pointer):
        lib = _library()
        try:
            bounds = lib.anechoic_bounds(pointer).contents
            for name, _ in _Bounds._fields_:
                setattr(self, name, getattr(bounds, name))
            self.why = _decoded(self.why or b"")
            self._printed = {}
            for format in ("text", "json", "html", "dot"):
                printed = lib.anechoic_print(pointer, format.encode())
                if printed is None:
                    raise Error("memory is short")
                self._printed[format] = _decoded(printed)
        finally:
            lib.anechoic_free(pointer)

    def __repr__(self):
        return "<Prediction %g cycles: %s>" % (self.cycles, self.why)

    def text(self):
        """The report of `anechoic predict`."""
        return self._printed["text"]

    def html(self):
        """The report as a page."""
        return self._printed["html"]

    def dot(self):
        """The dependency graph for Graphviz."""
        return self._printed["dot"]

    def json(self):
        """The report as dicts and lists."""
        return json.loads(self._printed["json"])


class Core:
    """The model of a core, from exactly one of a database of measurements, a
    model file and LLVM's name of a CPU ("native": this one).

    board    in the database; None: that of the newest run
    isa      "x86_64", "aarch64", "riscv64"; None: the source's or this
             machine's
    tables   published tables for what the model lacks: LLVM's name of a CPU,
             a model file or "none"; None: LLVM's of the model's CPU

    One thread uses a core at a time.
    """

    def __init__(self, database=None, file=None, cpu=None, board=None,
                 isa=None, tables=None):
        self._core = ctypes.c_void_p()
        message = ctypes.create_string_buffer(_MESSAGE)
        source = _Source(*(_bytes(x) for x in
                           (database, file, cpu, board, isa, tables)))
        if _library().anechoic_open(ctypes.byref(source),
                                    ctypes.byref(self._core), message) != 0:
            raise Error(_decoded(message.value))

    def close(self):
        """Free the model.  Its predictions stay valid."""
        if self._core:
            _library().anechoic_close(self._core)
            self._core = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_core", None):
            self.close()

    def _predict(self, function, *arguments, **options):
        result = ctypes.c_void_p()
        message = ctypes.create_string_buffer(_MESSAGE)
        if not self._core:
            raise Error("the core is closed")
        if function(self._core, *arguments,
                    ctypes.byref(_options(**options)), ctypes.byref(result),
                    message) != 0:
            raise Error(_decoded(message.value))
        return Prediction(result)

    def predict(self, text, name="<text>", **options):
        """Predict the loop in assembly (str or bytes).  Options: marker
        ("any", "osaca", "llvm-mca", "none"), lines (first, last), function,
        intel, bounds_only, equal_split, any_alignment."""
        return self._predict(_library().anechoic_predict_text, _bytes(name),
                             _text(text), **options)

    def predict_object(self, data, name="<object>", **options):
        """Predict the loop in the bytes of an object file."""
        return self._predict(_library().anechoic_predict_object,
                             ctypes.byref(_Object(_bytes(name), data,
                                                  len(data))), **options)

    def predict_code(self, code, **options):
        """Predict plain machine code."""
        return self._predict(_library().anechoic_predict_code, code,
                             len(code), **options)


# ---- the database ---------------------------------------------------------

def query(database, sql, *values):
    """Rows of an SQL query as dicts.  The database is only read."""
    path = os.path.abspath(database)
    if not os.path.exists(path):
        raise Error("%s does not exist" % database)
    address = "file:%s?mode=ro" % path.replace("%", "%25").replace(
        "?", "%3f").replace("#", "%23")
    try:
        connection = sqlite3.connect(address, uri=True)
        try:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]
        finally:
            connection.close()
    except sqlite3.Error as e:
        raise Error("%s: %s" % (database, e)) from None


def claims(database, kind=None):
    """The newest claims of each core and form, of one kind or of all."""
    return query(database, "SELECT * FROM latest WHERE ? IN (kind, '') "
                 "ORDER BY board, isa, core, form, kind, source, destination",
                 kind or "")


def instructions(database):
    """One row for each core and form: text, latencies, throughput, ports."""
    if not query(database, "SELECT 1 FROM sqlite_schema WHERE "
                 "name = 'instruction'"):
        raise Error("%s is of an older version: `anechoic merge -o NEW.db %s` "
                    "makes a current one" % (database, database))
    return query(database, "SELECT * FROM instruction")


def frame(rows):
    """Rows as a pandas data frame."""
    import pandas

    return pandas.DataFrame.from_records(rows)
