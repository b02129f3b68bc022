/* Extensions of RISC-V in LLVM 19's RISCVSchedule.td, RISCVScheduleZb.td,
 * RISCVScheduleV.td, RISCVScheduleXSf.td and RISCVScheduleZvk.td. */
#include "host/codec/llvm/sched_names.h"

#include <stddef.h>

const struct sched_extension sched_riscv64[] = {
	{ "UnsupportedSchedZfh", "HasStdExtZfh",
	  "WriteFAdd16 WriteFClass16 WriteFCvtF16ToF64 "
	  "WriteFCvtF64ToF16 WriteFCvtI64ToF16 "
	  "WriteFCvtF32ToF16 WriteFCvtI32ToF16 "
	  "WriteFCvtF16ToI64 WriteFCvtF16ToF32 "
	  "WriteFCvtF16ToI32 WriteFDiv16 WriteFCmp16 "
	  "WriteFLD16 WriteFMA16 WriteFMinMax16 WriteFMul16 "
	  "WriteFMovI16ToF16 WriteFMovF16ToI16 WriteFSGNJ16 "
	  "WriteFST16 WriteFSqrt16 ReadFAdd16 ReadFClass16 "
	  "ReadFCvtF16ToF64 ReadFCvtF64ToF16 ReadFCvtI64ToF16 "
	  "ReadFCvtF32ToF16 ReadFCvtI32ToF16 ReadFCvtF16ToI64 "
	  "ReadFCvtF16ToF32 ReadFCvtF16ToI32 ReadFDiv16 "
	  "ReadFCmp16 ReadFMA16 ReadFMinMax16 ReadFMul16 "
	  "ReadFMovI16ToF16 ReadFMovF16ToI16 ReadFSGNJ16 "
	  "ReadFSqrt16" },
	{ "UnsupportedSchedF", "HasStdExtF",
	  "WriteFST32 WriteFLD32 WriteFAdd32 WriteFSGNJ32 "
	  "WriteFMinMax32 WriteFCvtI32ToF32 WriteFCvtI64ToF32 "
	  "WriteFCvtF32ToI32 WriteFCvtF32ToI64 WriteFClass32 "
	  "WriteFCmp32 WriteFMovF32ToI32 WriteFMovI32ToF32 "
	  "WriteFMul32 WriteFMA32 WriteFDiv32 WriteFSqrt32 "
	  "ReadFAdd32 ReadFMul32 ReadFMA32 ReadFMA32Addend "
	  "ReadFDiv32 ReadFSqrt32 ReadFCmp32 ReadFSGNJ32 "
	  "ReadFMinMax32 ReadFCvtF32ToI32 ReadFCvtF32ToI64 "
	  "ReadFCvtI32ToF32 ReadFCvtI64ToF32 ReadFMovF32ToI32 "
	  "ReadFMovI32ToF32 ReadFClass32 ReadFStoreData "
	  "ReadFMemBase" },
	{ "UnsupportedSchedD", "HasStdExtD",
	  "WriteFST64 WriteFLD64 WriteFAdd64 WriteFSGNJ64 "
	  "WriteFMinMax64 WriteFCvtI32ToF64 WriteFCvtI64ToF64 "
	  "WriteFCvtF64ToI32 WriteFCvtF64ToI64 "
	  "WriteFCvtF32ToF64 WriteFCvtF64ToF32 WriteFClass64 "
	  "WriteFCmp64 WriteFMovF64ToI64 WriteFMovI64ToF64 "
	  "WriteFMul64 WriteFMA64 WriteFDiv64 WriteFSqrt64 "
	  "ReadFAdd64 ReadFMul64 ReadFMA64 ReadFMA64Addend "
	  "ReadFDiv64 ReadFSqrt64 ReadFCmp64 ReadFSGNJ64 "
	  "ReadFMinMax64 ReadFCvtF64ToI32 ReadFCvtF64ToI64 "
	  "ReadFCvtI32ToF64 ReadFCvtI64ToF64 ReadFCvtF32ToF64 "
	  "ReadFCvtF64ToF32 ReadFMovF64ToI64 ReadFMovI64ToF64 "
	  "ReadFClass64" },
	{ "UnsupportedSchedSFB", "HasShortForwardBranchOpt",
	  "WriteSFB ReadSFBJmp ReadSFBALU" },
	{ "UnsupportedSchedZfa", "HasStdExtZfa",
	  "WriteFRoundF16 WriteFRoundF32 WriteFRoundF64 "
	  "WriteFLI16 WriteFLI32 WriteFLI64 ReadFRoundF32 "
	  "ReadFRoundF64 ReadFRoundF16" },
	{ "UnsupportedSchedZabha", "HasStdExtZabha",
	  "WriteAtomicB WriteAtomicH ReadAtomicBA ReadAtomicBD "
	  "ReadAtomicHA ReadAtomicHD" },
	{ "UnsupportedSchedA", "HasStdExtA",
	  "WriteAtomicW WriteAtomicD WriteAtomicLDW "
	  "WriteAtomicLDD WriteAtomicSTW WriteAtomicSTD "
	  "ReadAtomicWA ReadAtomicWD ReadAtomicDA ReadAtomicDD "
	  "ReadAtomicLDW ReadAtomicLDD ReadAtomicSTW "
	  "ReadAtomicSTD" },
	{ "UnsupportedSchedZba", "HasStdExtZba",
	  "WriteSHXADD WriteSHXADD32 ReadSHXADD ReadSHXADD32" },
	{ "UnsupportedSchedZbb", "HasStdExtZbb",
	  "WriteRotateImm WriteRotateImm32 WriteRotateReg "
	  "WriteRotateReg32 WriteCLZ WriteCLZ32 WriteCTZ "
	  "WriteCTZ32 WriteCPOP WriteCPOP32 WriteREV8 "
	  "WriteORCB WriteIMinMax ReadRotateImm "
	  "ReadRotateImm32 ReadRotateReg ReadRotateReg32 "
	  "ReadCLZ ReadCLZ32 ReadCTZ ReadCTZ32 ReadCPOP "
	  "ReadCPOP32 ReadREV8 ReadORCB ReadIMinMax" },
	{ "UnsupportedSchedZbc", "HasStdExtZbc", "WriteCLMUL ReadCLMUL" },
	{ "UnsupportedSchedZbs", "HasStdExtZbs",
	  "WriteSingleBit WriteSingleBitImm WriteBEXT "
	  "WriteBEXTI ReadSingleBit ReadSingleBitImm" },
	{ "UnsupportedSchedZbkb", "HasStdExtZbkb",
	  "WriteBREV8 WritePACK WritePACK32 WriteZIP ReadBREV8 "
	  "ReadPACK ReadPACK32 ReadZIP" },
	{ "UnsupportedSchedZbkx", "HasStdExtZbkx", "WriteXPERM ReadXPERM" },
	{ "UnsupportedSchedZvbb", "HasStdExtZvbb",
	  "WriteVBREVV WriteVCLZV WriteVCPOPV WriteVCTZV "
	  "WriteVWSLLV WriteVWSLLX WriteVWSLLI ReadVBREVV "
	  "ReadVCLZV ReadVCPOPV ReadVCTZV ReadVWSLLV "
	  "ReadVWSLLX" },
	{ "UnsupportedSchedZvbc", "HasStdExtZvbc",
	  "WriteVCLMULV WriteVCLMULX ReadVCLMULV ReadVCLMULX" },
	{ "UnsupportedSchedZvkb", "HasStdExtZvkb",
	  "WriteVBREV8V WriteVREV8V WriteVRotV WriteVRotX "
	  "WriteVRotI ReadVBREV8V ReadVREV8V ReadVRotV "
	  "ReadVRotX" },
	{ "UnsupportedSchedZvkg", "HasStdExtZvkg",
	  "WriteVGHSHV WriteVGMULV ReadVGHSHV ReadVGMULV" },
	{ "UnsupportedSchedZvknhaOrZvknhb", "HasStdExtZvknhaOrZvknhb",
	  "WriteVSHA2CHV WriteVSHA2CLV WriteVSHA2MSV "
	  "ReadVSHA2CHV ReadVSHA2CLV ReadVSHA2MSV" },
	{ "UnsupportedSchedZvkned", "HasStdExtZvkned",
	  "WriteVAESMVV WriteVAESKF1V WriteVAESKF2V "
	  "WriteVAESZV ReadVAESMVV ReadVAESKF1V ReadVAESKF2V "
	  "ReadVAESZV" },
	{ "UnsupportedSchedZvksed", "HasStdExtZvksed",
	  "WriteVSM4KV WriteVSM4RV ReadVSM4KV ReadVSM4RV" },
	{ "UnsupportedSchedZvksh", "HasStdExtZvksh",
	  "WriteVSM3CV WriteVSM3MEV ReadVSM3CV ReadVSM3MEV" },
	{ "UnsupportedSchedXsfvcp", "HasVendorXSfvcp", "WriteVC_*" },
	{ "UnsupportedSchedV", "HasVInstructions",
	  "WriteRdVLENB WriteV* ReadV*" },
	{ .multiclass = NULL },
};
