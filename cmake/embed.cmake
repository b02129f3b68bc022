# Compile a text file into the program: `name` becomes a constant string,
# declared in `header`.  *ret_source: the generated file.
function(embed file name header ret_source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n\t\"" text "${text}")
  set(source ${CMAKE_BINARY_DIR}/gen/${name}.c)
  file(GENERATE OUTPUT ${source} CONTENT
"/* Generated from ${CMAKE_CURRENT_LIST_DIR}/${file}. Do not edit. */
#include \"${header}\"

const char ${name}[] =
\t\"${text}\";
")
  set(${ret_source} ${source} PARENT_SCOPE)
endfunction()
