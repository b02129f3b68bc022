/* The part of QEMU's plugin interface that the plugin uses, as version 1 (QEMU
 * 6.0 to 8.2) has it.  Debian packages no header; the build's check
 * (tests/estimate) compares these names with the symbols of the emulators.
 * Source: QEMU 7.2, "QEMU TCG Plugins" and the exported symbols. */
#ifndef GUEST_QEMU_H
#define GUEST_QEMU_H

#include "common/types.h"

enum { QEMU_PLUGIN_VERSION = 1 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct qemu_info {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	union {
		struct {
			int smp_vcpus, max_vcpus;
		} system;
	} of;
};

enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS,
	QEMU_PLUGIN_CB_R_REGS,
	QEMU_PLUGIN_CB_RW_REGS,
};

enum qemu_plugin_mem_rw {
	QEMU_PLUGIN_MEM_R = 1,
	QEMU_PLUGIN_MEM_W,
	QEMU_PLUGIN_MEM_RW
};

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

/* What QEMU calls. */
extern int qemu_plugin_version;
int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info,
			int argc, char **argv);

/* What it offers. */
typedef void qemu_vcpu_cb(qemu_plugin_id_t id, unsigned vcpu);
typedef void qemu_udata_cb(qemu_plugin_id_t id, void *data);
typedef void qemu_trans_cb(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void qemu_exec_cb(unsigned vcpu, void *data);
typedef void qemu_mem_cb(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data);
typedef void qemu_syscall_cb(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
			     uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
			     uint64_t a5, uint64_t a6, uint64_t a7,
			     uint64_t a8);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_vcpu_cb *cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_trans_cb *cb);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id,
					  qemu_syscall_cb *cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(
	const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb,
					      enum qemu_plugin_op op,
					      void *counter, uint64_t add);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  qemu_exec_cb *cb,
					  enum qemu_plugin_cb_flags flags,
					  void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_exec_cb *cb,
					    enum qemu_plugin_cb_flags flags,
					    void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      qemu_mem_cb *cb,
				      enum qemu_plugin_cb_flags flags,
				      enum qemu_plugin_mem_rw rw, void *data);
void qemu_plugin_register_vcpu_mem_inline(struct qemu_plugin_insn *insn,
					  enum qemu_plugin_mem_rw rw,
					  enum qemu_plugin_op op, void *counter,
					  uint64_t add);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_udata_cb *cb,
				    void *data);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#endif
