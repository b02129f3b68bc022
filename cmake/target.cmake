# Builds the runtimes that the boards name: target/ is a project of its own,
# configured once per ISA with the cross toolchain. Results land in
# share/anechoic/runtime as <isa>-<boot> and, for the flat ones,
# <isa>-<boot>.elf with symbols.
include(ExternalProject)
include(board)
include(newlib)
include(libfdt)

set(ANECHOIC_RUNTIME ${ANECHOIC_SHARE}/runtime)
set(TARGET_ISAS riscv64 aarch64 x86_64)
file(GLOB boards CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/boards/*/*.conf)
foreach(file IN LISTS boards)
  unset(board_runtime)
  board_read(${file} board)
  if(board_runtime STREQUAL none)
    continue()
  endif()
  string(REGEX MATCH "^([a-z0-9_]+)-([a-z]+)$" name "${board_runtime}")
  if(NOT name OR NOT CMAKE_MATCH_1 IN_LIST TARGET_ISAS)
    message(FATAL_ERROR "${file}: runtime: expected <isa>-<boot> with an ISA "
      "of ${TARGET_ISAS}, found: ${board_runtime}")
  endif()
  list(APPEND BOOTS_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()

foreach(isa IN LISTS TARGET_ISAS)
  list(REMOVE_DUPLICATES BOOTS_${isa})
  list(JOIN BOOTS_${isa} , boots)
  ExternalProject_Add(target_${isa}
    SOURCE_DIR ${CMAKE_SOURCE_DIR}/target
    BINARY_DIR ${CMAKE_BINARY_DIR}/target/${isa}
    STAMP_DIR ${CMAKE_BINARY_DIR}/target/${isa}-stamp
    TMP_DIR ${CMAKE_BINARY_DIR}/target/${isa}-tmp
    LIST_SEPARATOR ,
    CMAKE_ARGS
      -DCMAKE_TOOLCHAIN_FILE=${CMAKE_SOURCE_DIR}/cmake/toolchain.cmake
      -DISA=${isa}
      -DBOOTS=${boots}
      -DNEWLIB_SOURCE=${NEWLIB_SOURCE}
      -DLIBFDT_SOURCE=${LIBFDT_SOURCE}
      -DRUNTIME_DIR=${ANECHOIC_RUNTIME}
      -DWERROR=${WERROR}
    BUILD_ALWAYS ON
    INSTALL_COMMAND "")
endforeach()
