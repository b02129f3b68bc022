# What `cmake --install` puts into a prefix.  The program finds its data in
# ../share/anechoic from its own folder, so the tree can be moved.  Machine code
# lies in lib/anechoic, with links from share.
include(GNUInstallDirs)
set(DATA ${CMAKE_INSTALL_DATADIR}/anechoic)
set(CODE lib/anechoic)
set(DOC ${CMAKE_INSTALL_DATADIR}/doc/anechoic)

install(TARGETS anechoic RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY boards examples/caches models DESTINATION ${DATA}
  PATTERN "*.sh" EXCLUDE PATTERN "*.py" EXCLUDE)
install(DIRECTORY examples/lab lib/schema DESTINATION ${DATA})
# The .elf files are those of the debugger.
install(DIRECTORY ${ANECHOIC_SHARE}/runtime DESTINATION ${CODE}
  USE_SOURCE_PERMISSIONS PATTERN "*.elf" EXCLUDE)
set(code runtime anechoic-qemu.so)
install(TARGETS anechoic-qemu LIBRARY DESTINATION ${CODE})
foreach(isa x86_64 aarch64)
  install(PROGRAMS ${ANECHOIC_SHARE}/guest-state-${isa} DESTINATION ${CODE})
  list(APPEND code guest-state-${isa})
endforeach()
file(RELATIVE_PATH up "/${DATA}" "/${CODE}")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links)
foreach(name IN LISTS code)
  file(CREATE_LINK ${up}/${name} ${CMAKE_BINARY_DIR}/links/${name} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/links/${name} DESTINATION ${DATA})
endforeach()

# Manual pages and completion are printed by the program.
set(PAGES ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${PAGES}/stamp
  COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/pages.sh $<TARGET_FILE:anechoic> ${PAGES}
  DEPENDS anechoic ${CMAKE_SOURCE_DIR}/cmake/pages.sh VERBATIM)
add_custom_target(pages ALL DEPENDS ${PAGES}/stamp)
install(DIRECTORY ${PAGES}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${PAGES}/bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME anechoic)
install(FILES ${PAGES}/zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _anechoic)
install(FILES ${PAGES}/fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  RENAME anechoic.fish)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${DOC})
install(DIRECTORY docs DESTINATION ${DOC})
install(DIRECTORY examples DESTINATION ${DOC} PATTERN caches EXCLUDE)

include(deb)
