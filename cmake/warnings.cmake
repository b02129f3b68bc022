# One set of warnings for everything we compile, host and target.
set(ANECHOIC_WARNINGS
  -Wall -Wextra -Wshadow -Wvla -Wundef -Wwrite-strings -Wpointer-arith
  -Wcast-qual -Wimplicit-fallthrough -Wconversion -Wno-sign-conversion
  -Wformat=2)
set(ANECHOIC_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes)
option(WERROR "warnings are errors" OFF)
# The sanitizers' checks hide from gcc what range a value has: it then warns of
# conversions, and of texts cut short, that the other tree, of the same sources,
# finds to be fine.
if(SANITIZE)
  list(REMOVE_ITEM ANECHOIC_WARNINGS -Wconversion)
  list(APPEND ANECHOIC_WARNINGS -Wno-format-truncation)
endif()
if(WERROR)
  list(APPEND ANECHOIC_WARNINGS -Werror)
endif()
add_compile_options(${ANECHOIC_WARNINGS}
  "$<$<COMPILE_LANGUAGE:C>:${ANECHOIC_C_WARNINGS}>" -fno-common)
