/* Control registers of the mode that the runtime runs in: machine.  Numbers:
 * Privileged ISA 1.12, chapter "Machine-Level ISA". */
#ifndef BOOT_CSR_H
#define BOOT_CSR_H

#define CSR_STATUS  mstatus
#define CSR_IE      mie
#define CSR_TVEC    mtvec
#define CSR_CAUSE   mcause
#define CSR_EPC     mepc
#define CSR_TVAL    mtval

#define STATUS_IE   8 /* interrupts enabled */
#define TIMER_CAUSE 7 /* of its interrupt, and its bit in CSR_IE */

#endif
