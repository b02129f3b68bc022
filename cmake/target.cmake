# Builds the runtimes: target/ is a project of its own, configured once per
# ISA with the cross toolchain. Results land in share/anechoic/runtime as
# <isa>-<boot> and, for the flat ones, <isa>-<boot>.elf with symbols.
include(ExternalProject)
include(newlib)

set(ANECHOIC_RUNTIME ${ANECHOIC_SHARE}/runtime)
set(TARGET_ISAS riscv64 aarch64 x86_64)
foreach(isa IN LISTS TARGET_ISAS)
  ExternalProject_Add(target_${isa}
    SOURCE_DIR ${CMAKE_SOURCE_DIR}/target
    BINARY_DIR ${CMAKE_BINARY_DIR}/target/${isa}
    STAMP_DIR ${CMAKE_BINARY_DIR}/target/${isa}-stamp
    TMP_DIR ${CMAKE_BINARY_DIR}/target/${isa}-tmp
    CMAKE_ARGS
      -DCMAKE_TOOLCHAIN_FILE=${CMAKE_SOURCE_DIR}/cmake/toolchain.cmake
      -DISA=${isa}
      -DNEWLIB_SOURCE=${NEWLIB_SOURCE}
      -DRUNTIME_DIR=${ANECHOIC_RUNTIME}
      -DWERROR=${WERROR}
    BUILD_ALWAYS ON
    INSTALL_COMMAND "")
endforeach()
