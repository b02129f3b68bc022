# registry(TARGET NAME TYPE HEADER ITEMS...): compile each ITEM.c of the
# caller's folder into TARGET and generate `const TYPE *const NAMEs[]`, NULL-terminated.
# ITEM.c must define `const TYPE NAME_ITEM`.
function(registry target name type header)
  set(externs "")
  set(rows "")
  foreach(item IN LISTS ARGN)
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${item}.c)
    string(APPEND externs "extern const ${type} ${name}_${item};\n")
    string(APPEND rows "\t&${name}_${item},\n")
  endforeach()
  set(out ${CMAKE_BINARY_DIR}/gen/${name}s.c)
  file(GENERATE OUTPUT ${out} CONTENT
"/* Generated from ${CMAKE_CURRENT_LIST_DIR}. Do not edit. */
#include \"${header}\"

${externs}
const ${type} *const ${name}s[] = {
${rows}\t0,
};
")
  target_sources(${target} PRIVATE ${out})
endfunction()
