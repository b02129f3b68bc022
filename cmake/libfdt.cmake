# libfdt's sources, unpacked once per build tree into LIBFDT_SOURCE. Debian's
# libfdt-dev is compiled for the host; the one package that has the sources is
# that of the Linux kernel, whose device tree compiler brings them along.
find_file(LINUX_ARCHIVE linux-source-6.1.tar.xz
  PATHS /usr/src NO_DEFAULT_PATH
  DOC "Linux 6.1, Debian package linux-source-6.1")
if(NOT LINUX_ARCHIVE)
  message(FATAL_ERROR
    "linux-source-6.1.tar.xz not found: install the package linux-source-6.1")
endif()
set(LIBFDT_ROOT ${CMAKE_BINARY_DIR}/libfdt)
set(LIBFDT_SOURCE ${LIBFDT_ROOT}/src)
if(NOT EXISTS ${LIBFDT_ROOT}/stamp
    OR ${LINUX_ARCHIVE} IS_NEWER_THAN ${LIBFDT_ROOT}/stamp)
  message(STATUS "Unpacking libfdt from ${LINUX_ARCHIVE}")
  file(REMOVE_RECURSE ${LIBFDT_ROOT})
  file(ARCHIVE_EXTRACT INPUT ${LINUX_ARCHIVE}
    DESTINATION ${LIBFDT_ROOT}/unpacked PATTERNS "*/scripts/dtc/libfdt/*")
  # The archive's top folder is named by its packager.
  file(GLOB libfdt ${LIBFDT_ROOT}/unpacked/*/scripts/dtc/libfdt)
  file(RENAME ${libfdt} ${LIBFDT_SOURCE})
  file(REMOVE_RECURSE ${LIBFDT_ROOT}/unpacked)
  file(TOUCH ${LIBFDT_ROOT}/stamp)
endif()
