// What the thread sanitizer must be told of Mutex.
//
// Where nobody else holds it, a Mutex is taken and left by an atomic operation that is inlined into our code, where
// the sanitizer sees it. Where it must wait for another thread, or has one waiting, it calls the Synchronization
// library, which is compiled without the sanitizer: all that one thread left to the other under the lock would be
// called a race. The linker's --wrap (see Scripts/sanitize) brings those three calls here. It finds them by their
// mangled names: should a later toolchain have others, those races are reported again.
//
// The lock belongs to the caller, who waits for its return; nothing is kept of it.
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

// Swift passes `self` in a register of its own.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void __real_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF void *lock);
SWIFT bool __real_$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF(SELF void *lock);
SWIFT void __real_$s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF void *lock);

SWIFT void __wrap_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF void *lock) {
    __real_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(thread, lock);
    __tsan_acquire(lock);
}

SWIFT bool __wrap_$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF(SELF void *lock) {
    if (!__real_$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF(lock)) return false;
    __tsan_acquire(lock);
    return true;
}

SWIFT void __wrap_$s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF void *lock) {
    __tsan_release(lock);
    __real_$s15Synchronization12_MutexHandleV11_unlockSlowyyF(lock);
}
