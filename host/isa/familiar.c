/* See familiar.h. */
#include "host/isa/familiar.h"

#include <string.h>

const char *const x86_64_familiar[] = {
	"ADD64rr",    "AND64rr",     "CMP64rr",       "LEA64r/r64,r64",
	"SHL64ri",    "POPCNT64rr",  "CMOV64rr",      "IMUL64rr",
	"MUL64r",     "DIV64r/fast", "DIV64r/slow",   "MOV64rm",
	"MOV64mr",    "ADDSDrr_Int", "MULSDrr_Int",   "DIVSDrr_Int/slow",
	"VADDPDYrr",  "VMULPDYrr",   "VFMADD231PDYr", "VPADDDYrr",
	"VPSHUFBYrr", "VPERMDYrr",   "VPGATHERDDYrm", "VMOVUPSYrm",
	NULL,
};

const char *const aarch64_familiar[] = {
	"ADDXrs",      "ANDXrs",       "SUBSXrs",   "LSLVXr",
	"CSELXr",      "MADDXrrr",     "UMULHrr",   "SDIVXr/fast",
	"SDIVXr/slow", "LDRXui",       "LDPXi",     "STRXui",
	"FADDDrr",     "FMULDrr",      "FMADDDrrr", "FDIVDrr/slow",
	"ADDv4i32",    "FADDv2f64",    "FMLAv2f64", "TBLv16i8One",
	"LDRQui",      "FMLA_ZPmZZ_D", "LD1D_IMM",  "GLD1D_IMM",
	NULL,
};

const char *const riscv64_familiar[] = {
	"ADD",
	"ADDI",
	"ADDW",
	"SLL",
	"SLT",
	"SH1ADD",
	"CPOP",
	"MUL",
	"MULH",
	"DIV/fast",
	"DIV/slow",
	"LD",
	"SD",
	"AMOADD_D",
	"FADD_D",
	"FMUL_D",
	"FMADD_D",
	"FDIV_D/slow",
	"VADD_VV/e32,m1",
	"VFMACC_VV/e64,m1",
	"VRGATHER_VV/e32,m1",
	"VLE32_V/e32,m1",
	"VSE32_V/e32,m1",
	"VLUXEI32_V/e32,m1",
	NULL,
};

bool familiar_has(const char *const *list, const char *form)
{
	for (size_t i = 0; list[i]; i++)
		if (strcmp(list[i], form) == 0)
			return true;
	return false;
}
