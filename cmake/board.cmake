# board_read(FILE PREFIX): the `key = value` lines of a board file as
# PREFIX_key variables, but for the dialogue, which a build does not need.
# host/base/conf.c reads the same lines and is the strict one of the two.
function(board_read file prefix)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^[a-z_]+[^a-z_.]")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([a-z_]+) *= *(.*)$")
      message(FATAL_ERROR "${file}: expected key = value, found: ${line}")
    endif()
    set(${prefix}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
endfunction()
