// Tells the thread sanitizer about the contended locks and unlocks of Mutex.
//
// Without contention, a Mutex is locked and unlocked by an atomic operation that is inlined into our code, where the
// sanitizer sees it. With contention, the Synchronization library is called. It is compiled without the sanitizer, so
// every access under the lock would be reported as a race. The linker's --wrap (see Scripts/sanitize) redirects the
// three functions of the library to this file. It finds them by their mangled names. If a later toolchain changes these
// names, the false races are reported again.
//
// The lock belongs to the caller. No pointer to it is kept after a call.
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

// Swift passes `self` in a special register.
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
