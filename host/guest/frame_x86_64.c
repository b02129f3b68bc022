/* Callbacks of QEMU on x86-64: translated code keeps the address of the CPU
 * state in rbp (TCG_AREG0 of QEMU's code generator), which becomes the third
 * argument. */
#define FRAME(name)                               \
	__asm__(".text\n"                         \
		".globl plugin_frame_" name "\n"  \
		".hidden plugin_frame_" name "\n" \
		"plugin_frame_" name ":\n"        \
		"mov %rbp, %rdx\n"                \
		"jmp plugin_state_" name "\n")

FRAME("early");
FRAME("settle");
FRAME("probe");
