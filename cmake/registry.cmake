# registry(TARGET NAME TYPE HEADER ITEMS...): compile each ITEM.c of the caller's
# folder, or all files of a folder ITEM, into TARGET and generate
# `const TYPE *const NAMEs[]`, NULL-terminated. They must define
# `const TYPE NAME_ITEM`; several items may be in one folder.
function(registry target name type header)
  set(externs "")
  set(rows "")
  foreach(item IN LISTS ARGN)
    set(folder ${CMAKE_CURRENT_LIST_DIR}/${item})
    if(EXISTS ${folder}.c)
      target_sources(${target} PRIVATE ${folder}.c)
    endif()
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.c)
    target_sources(${target} PRIVATE ${files})
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
