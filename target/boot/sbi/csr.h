/* Control registers of the mode that the runtime runs in: supervisor.  Numbers:
 * Privileged ISA 1.12, chapter "Supervisor-Level ISA". */
#ifndef BOOT_CSR_H
#define BOOT_CSR_H

#define CSR_STATUS  sstatus
#define CSR_IE      sie
#define CSR_TVEC    stvec
#define CSR_CAUSE   scause
#define CSR_EPC     sepc
#define CSR_TVAL    stval

#define STATUS_IE   2 /* interrupts enabled */
#define TIMER_CAUSE 5 /* of its interrupt, and its bit in CSR_IE */

#endif
