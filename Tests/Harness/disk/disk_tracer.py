"""Runs a program under ptrace and records every system call that changes files below a folder. It can kill the program
at the N-th call, or make the N-th call fail. It runs as a process of its own:

disk_tracer.py FOLDER LOG [--kill N] [--fail N ERRNO] [--forever] [--data] [--reads] [--syncs] -- PROGRAM ARGUMENTS…

--forever: all calls from the N-th on fail
--data: the log contains the bytes that were written
--reads: calls that open files to read them are traced in place of changes
--syncs: only calls that synchronise count for N

strace's `inject` counts calls for each thread; this tracer counts over all threads, so that N = 1, 2, … reaches every
call. A seccomp filter stops the program only at the calls of interest. LOG is a sequence of pickled DiskCalls, in the
order in which they returned. The exit code is the program's, 137 after --kill.
"""

import ctypes
import errno
import os
import pickle
import signal
import struct
import sys

from disk_calls import NUMBERS, READING, SYNCING, DiskCall

CONTINUE, TRACE_ME, POKE_USER, UNTIL_SYSCALL = 7, 0, 6, 24
SET_OPTIONS, GET_SYSCALL_INFO = 0x4200, 0x420E
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x100000  # sysgood, fork, vfork, clone, exec, seccomp, exitkill
SECCOMP_EVENT, WALL, AT_FDCWD = 7, 0x40000000, -100
RAX, ORIG_RAX = 10 * 8, 15 * 8

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, thread, address=0, data=0):
    result = libc.ptrace(request, thread, address, data)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x}")
    return result


def stop_at_disk_calls():
    """Installs a seccomp filter (BPF) that reports the calls in NUMBERS to the tracer and allows all others."""
    numbers = sorted(NUMBERS)
    load, allow, trace = (0x20, 0, 0, 0), (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x7FF00000)
    tests = [(0x15, len(numbers) - place, 0, number) for place, number in enumerate(numbers)]
    code = b"".join(struct.pack("HBBI", *step) for step in (load, *tests, allow, trace))
    program = ctypes.create_string_buffer(code)
    header = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(program))
    assert libc.prctl(38, 1, 0, 0, 0) == 0, "no_new_privs"
    assert libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0) == 0, "seccomp filter"


class Process:
    """Resolves the arguments of a stopped thread: memory, descriptors, paths."""

    def __init__(self, pid):
        self.pid = pid

    def memory(self, address, size):
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as file:
            file.seek(address)
            return file.read(size)

    def text(self, address):
        pieces = b""
        while b"\0" not in pieces:
            here = address + len(pieces)
            pieces += self.memory(here, 4096 - here % 4096)
        return os.fsdecode(pieces.partition(b"\0")[0])

    def path_of(self, descriptor):
        try:
            return os.readlink(f"/proc/{self.pid}/fd/{descriptor}")
        except OSError:
            return None

    def position(self, descriptor):
        with open(f"/proc/{self.pid}/fdinfo/{descriptor}", encoding="ascii") as info:
            lines = dict(line.split(":\t", 1) for line in info if ":\t" in line)
        if int(lines["flags"], 8) & os.O_APPEND:
            return os.stat(f"/proc/{self.pid}/fd/{descriptor}").st_size
        return int(lines["pos"])

    def resolve(self, folder, name):
        text = self.text(name)
        folder = AT_FDCWD if folder is None else ctypes.c_int(folder & 0xFFFFFFFF).value
        start = os.readlink(f"/proc/{self.pid}/cwd") if folder == AT_FDCWD else self.path_of(folder)
        return os.path.normpath(os.path.join(start, text))


class Tracer:

    def __init__(
        self, command, folder, log, kill=0, fail=0, error=0, forever=False, keeps_data=False, reads=False, syncs=False
    ):
        self.command, self.folder, self.log = command, os.path.realpath(folder), log
        self.kill, self.fail, self.error, self.forever, self.keeps_data = kill, fail, error, forever, keeps_data
        self.reads, self.syncs = reads, syncs
        self.count = 0
        self.pending = {}

    def run(self):
        pid = os.fork()
        if pid == 0:
            ptrace(TRACE_ME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            stop_at_disk_calls()
            os.execv(self.command[0], self.command)
        os.waitpid(pid, 0)
        ptrace(SET_OPTIONS, pid, 0, OPTIONS)
        ptrace(CONTINUE, pid)
        self.process = Process(pid)
        code, started = 70, {pid}
        while True:
            try:
                thread, status = os.waitpid(-1, WALL)
            except ChildProcessError:
                return code
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                if thread == pid:
                    code = os.waitstatus_to_exitcode(status)
                continue
            try:
                self.handle_stop(thread, status, started)
            except ProcessLookupError:
                pass  # the thread was killed; the next waitpid reports its end

    def handle_stop(self, thread, status, started):
        number, event = os.WSTOPSIG(status), status >> 16
        if event == SECCOMP_EVENT:
            self.handle_entry(thread)
        elif number == signal.SIGTRAP | 0x80:
            self.handle_return(thread)
        elif event or (number == signal.SIGSTOP and thread not in started):
            started.add(thread)
            ptrace(CONTINUE, thread)
        else:
            ptrace(CONTINUE, thread, 0, number)

    def handle_entry(self, thread):
        info = self.info(thread)
        number, *arguments = struct.unpack_from("7Q", info, 24)
        call = DiskCall.read(number, arguments, self.process, self.folder, self.keeps_data)
        if call is None or (call.kind == READING) != self.reads:
            return ptrace(CONTINUE, thread)
        call.thread = thread
        counts = call.kind == SYNCING or not self.syncs
        self.count += counts
        if counts and self.count == self.kill:
            self.write(call)
            return os.kill(self.process.pid, signal.SIGKILL)
        if counts and self.fails(call):
            # The kernel skips a call whose number does not exist, and returns the result that is already in RAX.
            ptrace(POKE_USER, thread, ORIG_RAX, ctypes.c_uint64(-1 & (1 << 64) - 1).value)
            ptrace(POKE_USER, thread, RAX, ctypes.c_uint64(-self.error & (1 << 64) - 1).value)
            call.result = -self.error
            self.write(call)
            return ptrace(CONTINUE, thread)
        self.pending[thread] = call
        ptrace(UNTIL_SYSCALL, thread)

    def fails(self, call):
        if not self.fail or self.count < self.fail or call.name == "sync":
            return False  # sync(2) always succeeds
        if call.kind == "remove" and self.error in (errno.ENOSPC, errno.EDQUOT):
            return False  # a removal frees space, so a full disk does not make it fail
        return self.count == self.fail or self.forever

    def handle_return(self, thread):
        call = self.pending.pop(thread)
        call.result = struct.unpack_from("q", self.info(thread), 24)[0]
        self.write(call)
        ptrace(CONTINUE, thread)

    def info(self, thread):
        buffer = ctypes.create_string_buffer(88)
        ptrace(GET_SYSCALL_INFO, thread, 88, ctypes.addressof(buffer))
        return buffer.raw

    def write(self, call):
        pickle.dump(call, self.log)


def main(arguments):
    split = arguments.index("--")
    options, command = arguments[:split], arguments[split + 1 :]
    folder, log = options[:2]
    settings = {"forever": "--forever" in options, "keeps_data": "--data" in options, "reads": "--reads" in options,
                "syncs": "--syncs" in options}
    if "--kill" in options:
        settings["kill"] = int(options[options.index("--kill") + 1])
    if "--fail" in options:
        place = options.index("--fail")
        settings |= {"fail": int(options[place + 1]), "error": getattr(errno, options[place + 2])}
    with open(log, "wb") as file:
        code = Tracer(command, folder, file, **settings).run()
    sys.exit(128 - code if code < 0 else code)


if __name__ == "__main__":
    main(sys.argv[1:])
