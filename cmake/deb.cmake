# `make deb`: a Debian package of the installed tree, by CPack.  deb/finish.cmake
# adds to the tree what Debian asks of a package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME anechoic)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_VENDOR "the Anechoic contributors")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER
  "Anechoic maintainers <maintainers@anechoic.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "measure what each instruction of a CPU core costs\n\
Latency from every source to every result, reciprocal throughput, micro-ops\n\
and ports of each instruction of x86-64, AArch64 and RISC-V cores, measured by\n\
a small runtime that boots as an SBI payload or an EFI application, or runs as\n\
a Linux process.  Loops are predicted from what was measured.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Of the module; everything else runs without it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mtools, dosfstools, u-boot-tools")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "opensbi, ovmf, qemu-efi-aarch64, \
qemu-system-arm, qemu-system-misc, qemu-system-x86, qemu-user, \
python3-matplotlib, python3-pandas")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Other programs link libanechoic from the same package.
file(WRITE ${CMAKE_BINARY_DIR}/gen/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/gen/triggers)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/deb/finish.cmake)
set(CPACK_ANECHOIC_SOURCE ${CMAKE_SOURCE_DIR})
include(CPack)
