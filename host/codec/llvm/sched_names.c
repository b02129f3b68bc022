/* Names of LLVM 19's X86Schedule.td, AArch64Schedule.td, RISCVSchedule.td and
 * RISCVScheduleV.td. */
#include "host/codec/llvm/sched_names.h"

#include <string.h>

#include "common/types.h"

static const struct sched_names x86_64 = {
	.isa = "x86_64",
	.writes =
		"WriteADC WriteADCLd WriteAESDecEnc WriteAESDecEncLd "
		"WriteAESIMC WriteAESIMCLd WriteAESKeyGen WriteAESKeyGenLd "
		"WriteALU WriteALULd WriteBEXTR WriteBEXTRLd WriteBLS "
		"WriteBLSLd WriteBSF WriteBSFLd WriteBSR WriteBSRLd "
		"WriteBSWAP32 WriteBSWAP64 WriteBZHI WriteBZHILd WriteBitTest "
		"WriteBitTestImmLd WriteBitTestRegLd WriteBitTestSet "
		"WriteBitTestSetImmLd WriteBitTestSetRegLd WriteBlend "
		"WriteBlendLd WriteBlendY WriteBlendYLd WriteBlendZ "
		"WriteBlendZLd WriteCLMul WriteCLMulLd WriteCMOV WriteCMOVLd "
		"WriteCMPXCHG WriteCMPXCHGLd WriteCMPXCHGRMW WriteCRC32 "
		"WriteCRC32Ld WriteCvtI2PD WriteCvtI2PDLd WriteCvtI2PDY "
		"WriteCvtI2PDYLd WriteCvtI2PDZ WriteCvtI2PDZLd WriteCvtI2PS "
		"WriteCvtI2PSLd WriteCvtI2PSY WriteCvtI2PSYLd WriteCvtI2PSZ "
		"WriteCvtI2PSZLd WriteCvtI2SD WriteCvtI2SDLd WriteCvtI2SS "
		"WriteCvtI2SSLd WriteCvtPD2I WriteCvtPD2ILd WriteCvtPD2IY "
		"WriteCvtPD2IYLd WriteCvtPD2IZ WriteCvtPD2IZLd WriteCvtPD2PS "
		"WriteCvtPD2PSLd WriteCvtPD2PSY WriteCvtPD2PSYLd "
		"WriteCvtPD2PSZ WriteCvtPD2PSZLd WriteCvtPH2PS "
		"WriteCvtPH2PSLd WriteCvtPH2PSY WriteCvtPH2PSYLd "
		"WriteCvtPH2PSZ WriteCvtPH2PSZLd WriteCvtPS2I WriteCvtPS2ILd "
		"WriteCvtPS2IY WriteCvtPS2IYLd WriteCvtPS2IZ WriteCvtPS2IZLd "
		"WriteCvtPS2PD WriteCvtPS2PDLd WriteCvtPS2PDY "
		"WriteCvtPS2PDYLd WriteCvtPS2PDZ WriteCvtPS2PDZLd "
		"WriteCvtPS2PH WriteCvtPS2PHSt WriteCvtPS2PHY "
		"WriteCvtPS2PHYSt WriteCvtPS2PHZ WriteCvtPS2PHZSt "
		"WriteCvtSD2I WriteCvtSD2ILd WriteCvtSD2SS WriteCvtSD2SSLd "
		"WriteCvtSS2I WriteCvtSS2ILd WriteCvtSS2SD WriteCvtSS2SDLd "
		"WriteDPPD WriteDPPDLd WriteDPPS WriteDPPSLd WriteDPPSY "
		"WriteDPPSYLd WriteDiv16 WriteDiv16Ld WriteDiv32 WriteDiv32Ld "
		"WriteDiv64 WriteDiv64Ld WriteDiv8 WriteDiv8Ld WriteEMMS "
		"WriteFAdd WriteFAdd64 WriteFAdd64Ld WriteFAdd64X "
		"WriteFAdd64XLd WriteFAdd64Y WriteFAdd64YLd WriteFAdd64Z "
		"WriteFAdd64ZLd WriteFAddLd WriteFAddX WriteFAddXLd "
		"WriteFAddY WriteFAddYLd WriteFAddZ WriteFAddZLd WriteFBlend "
		"WriteFBlendLd WriteFBlendY WriteFBlendYLd WriteFBlendZ "
		"WriteFBlendZLd WriteFCMOV WriteFCmp WriteFCmp64 "
		"WriteFCmp64Ld WriteFCmp64X WriteFCmp64XLd WriteFCmp64Y "
		"WriteFCmp64YLd WriteFCmp64Z WriteFCmp64ZLd WriteFCmpLd "
		"WriteFCmpX WriteFCmpXLd WriteFCmpY WriteFCmpYLd WriteFCmpZ "
		"WriteFCmpZLd WriteFCom WriteFComLd WriteFComX WriteFComXLd "
		"WriteFDiv WriteFDiv64 WriteFDiv64Ld WriteFDiv64X "
		"WriteFDiv64XLd WriteFDiv64Y WriteFDiv64YLd WriteFDiv64Z "
		"WriteFDiv64ZLd WriteFDivLd WriteFDivX WriteFDivXLd "
		"WriteFDivY WriteFDivYLd WriteFDivZ WriteFDivZLd WriteFHAdd "
		"WriteFHAddLd WriteFHAddY WriteFHAddYLd WriteFHAddZ "
		"WriteFHAddZLd WriteFLD0 WriteFLD1 WriteFLDC WriteFLoad "
		"WriteFLoadX WriteFLoadY WriteFLogic WriteFLogicLd "
		"WriteFLogicY WriteFLogicYLd WriteFLogicZ WriteFLogicZLd "
		"WriteFMA WriteFMALd WriteFMAX WriteFMAXLd WriteFMAY "
		"WriteFMAYLd WriteFMAZ WriteFMAZLd WriteFMOVMSK "
		"WriteFMaskedLoad WriteFMaskedLoadY WriteFMaskedStore32 "
		"WriteFMaskedStore32Y WriteFMaskedStore64 "
		"WriteFMaskedStore64Y WriteFMove WriteFMoveX WriteFMoveY "
		"WriteFMoveZ WriteFMul WriteFMul64 WriteFMul64Ld WriteFMul64X "
		"WriteFMul64XLd WriteFMul64Y WriteFMul64YLd WriteFMul64Z "
		"WriteFMul64ZLd WriteFMulLd WriteFMulX WriteFMulXLd "
		"WriteFMulY WriteFMulYLd WriteFMulZ WriteFMulZLd WriteFRcp "
		"WriteFRcpLd WriteFRcpX WriteFRcpXLd WriteFRcpY WriteFRcpYLd "
		"WriteFRcpZ WriteFRcpZLd WriteFRnd WriteFRndLd WriteFRndY "
		"WriteFRndYLd WriteFRndZ WriteFRndZLd WriteFRsqrt "
		"WriteFRsqrtLd WriteFRsqrtX WriteFRsqrtXLd WriteFRsqrtY "
		"WriteFRsqrtYLd WriteFRsqrtZ WriteFRsqrtZLd WriteFShuffle "
		"WriteFShuffle256 WriteFShuffle256Ld WriteFShuffleLd "
		"WriteFShuffleY WriteFShuffleYLd WriteFShuffleZ "
		"WriteFShuffleZLd WriteFSign WriteFSignLd WriteFSqrt "
		"WriteFSqrt64 WriteFSqrt64Ld WriteFSqrt64X WriteFSqrt64XLd "
		"WriteFSqrt64Y WriteFSqrt64YLd WriteFSqrt64Z WriteFSqrt64ZLd "
		"WriteFSqrt80 WriteFSqrt80Ld WriteFSqrtLd WriteFSqrtX "
		"WriteFSqrtXLd WriteFSqrtY WriteFSqrtYLd WriteFSqrtZ "
		"WriteFSqrtZLd WriteFStore WriteFStoreNT WriteFStoreNTX "
		"WriteFStoreNTY WriteFStoreX WriteFStoreY WriteFTest "
		"WriteFTestLd WriteFTestY WriteFTestYLd WriteFTestZ "
		"WriteFTestZLd WriteFVarBlend WriteFVarBlendLd "
		"WriteFVarBlendY WriteFVarBlendYLd WriteFVarBlendZ "
		"WriteFVarBlendZLd WriteFVarShuffle WriteFVarShuffle256 "
		"WriteFVarShuffle256Ld WriteFVarShuffleLd WriteFVarShuffleY "
		"WriteFVarShuffleYLd WriteFVarShuffleZ WriteFVarShuffleZLd "
		"WriteFence WriteIDiv16 WriteIDiv16Ld WriteIDiv32 "
		"WriteIDiv32Ld WriteIDiv64 WriteIDiv64Ld WriteIDiv8 "
		"WriteIDiv8Ld WriteIMul16 WriteIMul16Imm WriteIMul16ImmLd "
		"WriteIMul16Ld WriteIMul16Reg WriteIMul16RegLd WriteIMul32 "
		"WriteIMul32Imm WriteIMul32ImmLd WriteIMul32Ld WriteIMul32Reg "
		"WriteIMul32RegLd WriteIMul64 WriteIMul64Imm WriteIMul64ImmLd "
		"WriteIMul64Ld WriteIMul64Reg WriteIMul64RegLd WriteIMul8 "
		"WriteIMul8Ld WriteIMulH WriteIMulHLd WriteJump WriteJumpLd "
		"WriteLAHFSAHF WriteLDMXCSR WriteLEA WriteLZCNT WriteLZCNTLd "
		"WriteLoad WriteMMXMOVMSK WriteMPSAD WriteMPSADLd WriteMPSADY "
		"WriteMPSADYLd WriteMPSADZ WriteMPSADZLd WriteMULX32 "
		"WriteMULX32Ld WriteMULX64 WriteMULX64Ld WriteMicrocoded "
		"WriteMove WriteNop WritePCmpEStrI WritePCmpEStrILd "
		"WritePCmpEStrM WritePCmpEStrMLd WritePCmpIStrI "
		"WritePCmpIStrILd WritePCmpIStrM WritePCmpIStrMLd WritePHAdd "
		"WritePHAddLd WritePHAddX WritePHAddXLd WritePHAddY "
		"WritePHAddYLd WritePHAddZ WritePHAddZLd WritePHMINPOS "
		"WritePHMINPOSLd WritePMULLD WritePMULLDLd WritePMULLDY "
		"WritePMULLDYLd WritePMULLDZ WritePMULLDZLd WritePOPCNT "
		"WritePOPCNTLd WritePSADBW WritePSADBWLd WritePSADBWX "
		"WritePSADBWXLd WritePSADBWY WritePSADBWYLd WritePSADBWZ "
		"WritePSADBWZLd WriteRMW WriteRotate WriteRotateCL "
		"WriteRotateCLLd WriteRotateLd WriteSETCC WriteSETCCStore "
		"WriteSHDmrcl WriteSHDmri WriteSHDrrcl WriteSHDrri "
		"WriteSTMXCSR WriteShift WriteShiftCL WriteShiftCLLd "
		"WriteShiftLd WriteShuffle WriteShuffle256 WriteShuffle256Ld "
		"WriteShuffleLd WriteShuffleX WriteShuffleXLd WriteShuffleY "
		"WriteShuffleYLd WriteShuffleZ WriteShuffleZLd WriteStore "
		"WriteStoreNT WriteSystem WriteTZCNT WriteTZCNTLd "
		"WriteVPMOV256 WriteVPMOV256Ld WriteVarBlend WriteVarBlendLd "
		"WriteVarBlendY WriteVarBlendYLd WriteVarBlendZ "
		"WriteVarBlendZLd WriteVarShuffle WriteVarShuffle256 "
		"WriteVarShuffle256Ld WriteVarShuffleLd WriteVarShuffleX "
		"WriteVarShuffleXLd WriteVarShuffleY WriteVarShuffleYLd "
		"WriteVarShuffleZ WriteVarShuffleZLd WriteVarVecShift "
		"WriteVarVecShiftLd WriteVarVecShiftY WriteVarVecShiftYLd "
		"WriteVarVecShiftZ WriteVarVecShiftZLd WriteVecALU "
		"WriteVecALULd WriteVecALUX WriteVecALUXLd WriteVecALUY "
		"WriteVecALUYLd WriteVecALUZ WriteVecALUZLd WriteVecExtract "
		"WriteVecExtractSt WriteVecIMul WriteVecIMulLd WriteVecIMulX "
		"WriteVecIMulXLd WriteVecIMulY WriteVecIMulYLd WriteVecIMulZ "
		"WriteVecIMulZLd WriteVecInsert WriteVecInsertLd WriteVecLoad "
		"WriteVecLoadNT WriteVecLoadNTY WriteVecLoadX WriteVecLoadY "
		"WriteVecLogic WriteVecLogicLd WriteVecLogicX "
		"WriteVecLogicXLd WriteVecLogicY WriteVecLogicYLd "
		"WriteVecLogicZ WriteVecLogicZLd WriteVecMOVMSK "
		"WriteVecMOVMSKY WriteVecMaskedGatherWriteback "
		"WriteVecMaskedLoad WriteVecMaskedLoadY WriteVecMaskedStore32 "
		"WriteVecMaskedStore32Y WriteVecMaskedStore64 "
		"WriteVecMaskedStore64Y WriteVecMove WriteVecMoveFromGpr "
		"WriteVecMoveToGpr WriteVecMoveX WriteVecMoveY WriteVecMoveZ "
		"WriteVecShift WriteVecShiftImm WriteVecShiftImmLd "
		"WriteVecShiftImmX WriteVecShiftImmXLd WriteVecShiftImmY "
		"WriteVecShiftImmYLd WriteVecShiftImmZ WriteVecShiftImmZLd "
		"WriteVecShiftLd WriteVecShiftX WriteVecShiftXLd "
		"WriteVecShiftY WriteVecShiftYLd WriteVecShiftZ "
		"WriteVecShiftZLd WriteVecStore WriteVecStoreNT "
		"WriteVecStoreNTY WriteVecStoreX WriteVecStoreY WriteVecTest "
		"WriteVecTestLd WriteVecTestY WriteVecTestYLd WriteVecTestZ "
		"WriteVecTestZLd WriteXCHG WriteZero",
	.reads = "ReadAfterLd ReadAfterVecLd ReadAfterVecXLd ReadAfterVecYLd "
		 "ReadInt2Fpu",
	.multiclasses = "",
};

static const struct sched_names aarch64 = {
	.isa = "aarch64",
	.writes = "WriteAdr WriteAtomic WriteBarrier WriteBr WriteBrReg "
		  "WriteExtr WriteF WriteFCmp WriteFCopy WriteFCvt WriteFDiv "
		  "WriteFImm WriteFMul WriteHint WriteI WriteID32 WriteID64 "
		  "WriteIEReg WriteIM32 WriteIM64 WriteIS WriteISReg WriteImm "
		  "WriteLD WriteLDHi WriteLDIdx WriteST WriteSTIdx WriteSTP "
		  "WriteSys WriteVLD WriteVST WriteVd WriteVq",
	.reads = "ReadAdrBase ReadExtrHi ReadI ReadID ReadIEReg ReadIM ReadIMA "
		 "ReadISReg ReadST ReadVLD",
	.multiclasses = "",
};

static const struct sched_names riscv64 = {
	.isa = "riscv64",
	.writes = "WriteCSR WriteIALU WriteIALU32 WriteIDiv WriteIDiv32 "
		  "WriteIMul WriteIMul32 WriteIRem WriteIRem32 WriteJal "
		  "WriteJalr WriteJmp WriteLDB WriteLDD WriteLDH WriteLDW "
		  "WriteNop WriteSTB WriteSTD WriteSTH WriteSTW WriteShiftImm "
		  "WriteShiftImm32 WriteShiftReg WriteShiftReg32",
	.reads = "ReadCSR ReadFMA16Addend ReadIALU ReadIALU32 ReadIDiv "
		 "ReadIDiv32 ReadIMul ReadIMul32 ReadIRem ReadIRem32 ReadJalr "
		 "ReadJmp ReadMemBase ReadShiftImm ReadShiftImm32 ReadShiftReg "
		 "ReadShiftReg32 ReadStoreData",
	.multiclasses =
		"UnsupportedSchedA UnsupportedSchedD UnsupportedSchedF "
		"UnsupportedSchedSFB UnsupportedSchedV UnsupportedSchedXsfvcp "
		"UnsupportedSchedZabha UnsupportedSchedZba "
		"UnsupportedSchedZbb UnsupportedSchedZbc UnsupportedSchedZbkb "
		"UnsupportedSchedZbkx UnsupportedSchedZbs UnsupportedSchedZfa "
		"UnsupportedSchedZfh UnsupportedSchedZvk",
};

const struct sched_names *sched_names_of(const struct isa *isa)
{
	static const struct sched_names *const all[] = { &x86_64, &aarch64,
							 &riscv64 };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (strcmp(all[i]->isa, isa->name) == 0)
			return all[i];
	return NULL;
}
