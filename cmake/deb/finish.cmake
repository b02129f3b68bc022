# Run by CPack on the tree of the package, before it is packed: Debian's
# changelog and copyright file, compressed manual pages, and the folders that
# Debian's zsh and Python read.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${root}/share/doc/anechoic)
set(here ${CPACK_ANECHOIC_SOURCE}/cmake/deb)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(RENAME ${doc}/LICENSE ${doc}/copyright)
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
file(TIMESTAMP ${CPACK_ANECHOIC_SOURCE}/CHANGELOG.md date
  "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
file(WRITE ${doc}/changelog.Debian
"anechoic (${version}) unstable; urgency=medium

  * See changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
file(GLOB pages ${root}/share/man/man1/*.1)
run(gzip -9n ${pages} ${doc}/changelog ${doc}/changelog.Debian)

file(GLOB runtimes ${root}/lib/anechoic/runtime/*-linux)
run(llvm-strip-19 --strip-debug ${runtimes})
file(RENAME ${root}/share/zsh/site-functions
  ${root}/share/zsh/vendor-completions)
file(MAKE_DIRECTORY ${root}/share/lintian/overrides)
file(COPY_FILE ${here}/overrides ${root}/share/lintian/overrides/anechoic)
if(EXISTS ${root}/share/anechoic/python)
  file(MAKE_DIRECTORY ${root}/lib/python3/dist-packages)
  file(CREATE_LINK ../../../share/anechoic/python/anechoic.py
    ${root}/lib/python3/dist-packages/anechoic.py SYMBOLIC)
endif()
run(chmod -R go-w,a+rX ${root})
