# One cross compiler for every target: clang and lld of LLVM 19.
# -DISA=riscv64|aarch64|x86_64
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR ${ISA})
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_C_COMPILER_TARGET ${ISA}-unknown-elf)
set(CMAKE_ASM_COMPILER_TARGET ${ISA}-unknown-elf)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ISA)
# The compiler's driver knows no linker for a bare x86-64; lld needs none.
find_program(LLD ld.lld-19 REQUIRED)
find_program(OBJCOPY llvm-objcopy-19 REQUIRED)
set(CMAKE_C_LINK_EXECUTABLE
  "${LLD} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
