/* Boards: the machines that can be measured, one text file each. */
#ifndef BASE_BOARD_H
#define BASE_BOARD_H

#include "host/base/arena.h"
#include "host/base/clock_kind.h"
#include "host/base/devices.h"
#include "host/base/err.h"
#include "host/base/step.h"

/* A board as read from boards/<name>/<isa>-<boot>.conf; docs/porting-board.md
 * explains each key.  Strings are never NULL, "" when the key is absent. */
struct board {
	const char *name;       /* folder: "qemu-virt" */
	const char *isa;        /* "riscv64" */
	const char *boot;       /* "sbi" | "mmode" | "efi" | "linux" |
				 * "none" */
	const char *path;       /* the .conf file */
	const char *describe;   /* one line for `anechoic boards` */
	const char *runtime;    /* runtime to use: "riscv64-sbi", "none" */
	const char *transport;  /* "qemu" | "process" | "fake" | "serial" */
	const char *image;      /* image kind: "flat" | "fat" | "sd" | "none" */
	const char *cpu;        /* LLVM CPU name, "native", "" */
	const char *features;   /* extra LLVM features: "+v,+zba" */
	const char *command;    /* command that the transport starts; @IMAGE@
				 * and @PACK@ stand for file names, $ENV is not
				 * expanded */
	const char *firmware;   /* file the command needs, for doctor */
	const char *package;    /* Debian package that has it */
	enum clock clock;       /* expected; CLOCK_NONE: not said */
	const char *console;    /* that the runtime tries first, "" */
	const char *core;       /* that measures: a number, "all",
				 * "each-kind"; "": the one that boots */
	const char *info;       /* fields that INFO must have:
				 * "key=value,key=value", "" */
	const char *verified;   /* where it has been seen to work, in words */
	uint32_t timeout_s;     /* silence after which it counts as dead */
	uint32_t kernel_cycles; /* budget of a kernel; 0: what values need */
	uint32_t unroll;        /* instances in the shortest length; 0: as many
				 * as the budget allows, few without one */
	uint32_t repeats; /* rows of a kernel on a core clock; 0: as usual */
	uint32_t visits; /* of a kernel on a ref clock, at least; 0: as usual */
	uint32_t ready_ms; /* wait for a host, or BOARD_READY_USUAL */
	uint32_t cores;    /* of this machine that measure at once */
	struct devices devices;
	size_t n_dialogue; /* dialogue.1 to dialogue.N */
	const struct step *dialogue;
};

#define BOARD_READY_USUAL UINT32_MAX

/* Read every boards/<name>/<isa>-<boot>.conf below `folder`, ordered by name
 * and file.  Strings are owned by `a`.  ERR_INPUT with file and line if one is
 * malformed. */
int boards_read(struct arena *a, const char *folder, struct board **ret_boards,
		size_t *ret_n, struct err *e);

/* The boards of the folder <folder>/<name> alone. */
int boards_read_one(struct arena *a, const char *folder, const char *name,
		    struct board **ret_boards, size_t *ret_n, struct err *e);

/* Find the board `name` for `isa`.  If isa is NULL or "", choose this machine's
 * ISA, or the board's only one.  ERR_USAGE listing the choices if there is no
 * match. */
int board_find(const struct board *boards, size_t n, const char *name,
	       const char *isa, const struct board **ret_board, struct err *e);

#endif
