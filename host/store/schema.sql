-- Schema of a store, version 1.  One file per machine or campaign.  The
-- migrations of schema.c convert it to the newest version; the columns that they
-- add are described below at their tables.
--
--	run -> env, text, kernel -> sample | fault
--	run -> claim
--
-- Measured data is never changed; claims can be derived again at any time.
-- 64-bit patterns (content ids, addresses) are kept as signed integers of the
-- same bits: printf('%016x', id) shows them as they are written elsewhere.

-- One measurement of one board; a resumed run is the same run.
CREATE TABLE run (
	id INTEGER PRIMARY KEY,
	board TEXT NOT NULL,
	isa TEXT NOT NULL,
	cpu TEXT NOT NULL,		-- LLVM name the forms were loaded for
	clock TEXT NOT NULL,		-- core: cycles; ref: constant rate
	what TEXT NOT NULL,		-- latency,throughput
	forms TEXT NOT NULL,		-- expression that chose the forms
	tool TEXT NOT NULL,		-- version of this program
	date TEXT NOT NULL,		-- ISO 8601, UTC
	ref_hz INTEGER NOT NULL,	-- 0: unknown
	kernel_cycles INTEGER NOT NULL,
	finished INTEGER NOT NULL
) STRICT;

-- Fields of the target's info record.
CREATE TABLE env (
	run INTEGER NOT NULL REFERENCES run,
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;

-- Console lines that are not records: firmware output, remarks, damaged lines.
CREATE TABLE text (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES run,
	line BLOB NOT NULL
) STRICT;

-- Register images, struct pack_image byte by byte.
CREATE TABLE image (
	id INTEGER PRIMARY KEY,
	bytes BLOB NOT NULL UNIQUE
) STRICT;

-- Machine code of the three unroll lengths, once per content id.
CREATE TABLE code (
	id INTEGER PRIMARY KEY,
	code0 BLOB NOT NULL,
	code1 BLOB NOT NULL,
	code2 BLOB NOT NULL,
	image INTEGER REFERENCES image
) STRICT;

-- Kernels of a run by their number in its pack.  Migrations add:
--   chains		registers that results rotate through, 0: none are read
--   instructions	retired per body, 0: unknown
--   place		number in the undivided set, of a kernel of a shard; NULL:
--			its own number
--   class		a word of kernel_class.h: '256 bits load'; '': unknown, as
--			in databases of earlier versions
CREATE TABLE kernel (
	run INTEGER NOT NULL REFERENCES run,
	kernel INTEGER NOT NULL,
	content INTEGER NOT NULL,	-- code.id, which may be unknown
	label TEXT NOT NULL,		-- the experiment
	unroll0 INTEGER NOT NULL,	-- bodies per iteration
	unroll1 INTEGER NOT NULL,
	unroll2 INTEGER NOT NULL,
	ops_per_body INTEGER NOT NULL,
	calib INTEGER NOT NULL,		-- 1: calibration chain or probe
	PRIMARY KEY (run, kernel)
) STRICT, WITHOUT ROWID;

-- One visit of one kernel: n_rows rows of `row` raw counter differences,
-- as on the wire.  values: each number as unsigned LEB128 (seven bits per
-- byte, lowest first, top bit set on all but the last byte), row by row.
--   row 3: ticks of length 0, 1, 2
--   row 8: chain a length 2, chain b length 0, probe length 2,
--          kernel length 0, 1, 2, chain b length 2, chain a length 0
--   row 10: the same, then the probes of the wide units and of 32-byte loads
-- Visits that ended early have fewer rows, down to 1 (common/wire.md).
-- Migrations add:
--   retired		instructions, as values; NULL: the core does not count
--   core		number of the core that measured, of several at once; 0
--			in databases of earlier versions
CREATE TABLE sample (
	run INTEGER NOT NULL,
	kernel INTEGER NOT NULL,
	visit INTEGER NOT NULL,
	iterations INTEGER NOT NULL,	-- of each length
	iterations_a INTEGER NOT NULL,	-- of the calibration kernels
	iterations_b INTEGER NOT NULL,
	iterations_probe INTEGER NOT NULL,
	n_rows INTEGER NOT NULL,
	row INTEGER NOT NULL,
	"values" BLOB NOT NULL,
	PRIMARY KEY (run, kernel, visit),
	FOREIGN KEY (run, kernel) REFERENCES kernel
) STRICT, WITHOUT ROWID;

-- Kernels that faulted; common/wire.md lists the causes.
CREATE TABLE fault (
	run INTEGER NOT NULL,
	kernel INTEGER NOT NULL,
	cause TEXT NOT NULL,
	code INTEGER NOT NULL,
	pc INTEGER NOT NULL,
	address INTEGER NOT NULL,
	PRIMARY KEY (run, kernel),
	FOREIGN KEY (run, kernel) REFERENCES kernel
) STRICT, WITHOUT ROWID;

-- Values that the solver derived; docs/verdicts.md lists the verdicts.
CREATE TABLE claim (
	run INTEGER NOT NULL REFERENCES run,
	form TEXT NOT NULL,
	kind TEXT NOT NULL,		-- docs/method/README.md, "Kinds of claims"
	source TEXT NOT NULL,		-- operand; '' for throughput
	destination TEXT NOT NULL,
	low_cycles REAL,		-- NULL: no value, the verdict says why
	high_cycles REAL,
	residual REAL NOT NULL,		-- of the line fit, relative
	visits INTEGER NOT NULL,	-- that agree; core clock: undisturbed
	verdict TEXT NOT NULL,
	label TEXT NOT NULL,		-- its main kernel
	kernel INTEGER NOT NULL,
	solver_version INTEGER NOT NULL,
	detail TEXT NOT NULL,
	PRIMARY KEY (run, form, kind, source, destination)
) STRICT, WITHOUT ROWID;

-- Migrations add the view `identity`, which names the core of each run from its
-- environment:
--   core		ISA/VENDOR/VERSION/PART/TYPE/MICROCODE, '-' for an unknown
--			part; VERSION joins with '.' what there is of family,
--			model and stepping; midr; marchid and mimpid
--   machine		serial number or hash of the machine-id, or '-'
-- Views of the newest claims have the column `core` and choose the newest run of
-- each core.

-- The newest claims of each form: those of the newest finished run that has
-- any, else of the newest unfinished one.
CREATE VIEW latest AS
SELECT * FROM (
	SELECT run.board, run.isa, claim.form, claim.kind, claim.source,
		claim.destination, claim.low_cycles, claim.high_cycles,
		claim.residual, claim.visits, claim.verdict, claim.label,
		claim.kernel, claim.solver_version, claim.detail, claim.run,
		rank() OVER (PARTITION BY run.board, run.isa, claim.form
			ORDER BY run.finished DESC, run.id DESC) AS age
	FROM claim JOIN run ON run.id = claim.run)
WHERE age = 1;

CREATE VIEW latest_latency AS
SELECT board, isa, form, source, destination, low_cycles, high_cycles,
	verdict, visits, residual, run
FROM latest WHERE kind = 'latency'
ORDER BY board, isa, form, source, destination;

CREATE VIEW latest_throughput AS
SELECT board, isa, form, low_cycles, high_cycles, verdict, visits, residual,
	run
FROM latest WHERE kind = 'throughput'
ORDER BY board, isa, form;

-- Migrations add the table `form` (isa, form, mnemonic, assembly, operands): what
-- the forms are in words, for people who query the database; and the view
-- `instruction`, one row per core and form (docs/database.md).

-- One row per run: its parameters and the counts of its results.
CREATE VIEW overview AS
SELECT run.id AS run, date, board, isa, cpu, clock, what, forms, finished,
	(SELECT count(*) FROM kernel WHERE kernel.run = run.id) AS kernels,
	(SELECT count(*) FROM sample WHERE sample.run = run.id) AS samples,
	(SELECT count(*) FROM fault WHERE fault.run = run.id) AS faults,
	(SELECT count(*) FROM claim WHERE claim.run = run.id) AS claims,
	(SELECT count(*) FROM claim WHERE claim.run = run.id
		AND verdict = 'ok') AS ok
FROM run ORDER BY run.id;
