# newlib's sources, unpacked once per build tree into NEWLIB_SOURCE. What the
# runtimes use of it is listed and compiled in target/libc, with the runtimes'
# own flags: newlib's own build would compile the hand-written vector string
# functions and floating-point printf that a runtime must not contain.
find_file(NEWLIB_ARCHIVE newlib-3.3.0.tar.xz
  PATHS /usr/src/newlib NO_DEFAULT_PATH
  DOC "newlib 3.3.0, Debian package newlib-source")
if(NOT NEWLIB_ARCHIVE)
  message(FATAL_ERROR
    "newlib-3.3.0.tar.xz not found: install the package newlib-source")
endif()
set(NEWLIB_ROOT ${CMAKE_BINARY_DIR}/newlib)
set(NEWLIB_SOURCE ${NEWLIB_ROOT}/src)
if(NOT EXISTS ${NEWLIB_ROOT}/stamp
    OR ${NEWLIB_ARCHIVE} IS_NEWER_THAN ${NEWLIB_ROOT}/stamp)
  message(STATUS "Unpacking ${NEWLIB_ARCHIVE}")
  file(REMOVE_RECURSE ${NEWLIB_ROOT})
  file(ARCHIVE_EXTRACT INPUT ${NEWLIB_ARCHIVE}
    DESTINATION ${NEWLIB_ROOT}/unpacked PATTERNS "*/newlib/libc/*")
  # The archive's top folder is named by its packager.
  file(GLOB libc ${NEWLIB_ROOT}/unpacked/*/newlib/libc)
  file(RENAME ${libc} ${NEWLIB_SOURCE})
  file(REMOVE_RECURSE ${NEWLIB_ROOT}/unpacked)
  file(TOUCH ${NEWLIB_ROOT}/stamp)
endif()
