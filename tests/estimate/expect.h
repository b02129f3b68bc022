/* Labels that say what the block after them accesses, for lines.c: executions
 * of its memory instructions, distinct lines of 64 bytes, and bytes. */
	.altmacro
	.macro	named executions, lines, bytes
lines_\executions\()_\lines\()_\bytes\()_\@:
	.endm
	.macro	expect executions, lines, bytes
	named	%(\executions), %(\lines), %(\bytes)
	.endm
