/**
 * The start of Python programs that restrict themselves and then become another program: `restrict_files` sets rules of Landlock,
 * `filter_calls` a filter of system calls, and `drop_capabilities` leaves only those of root that are listed. Standard Python without
 * packages, because svc compiles nothing, and util-linux has options for this only from 2.40 on.
 *
 * The first argument is a {@link KernelRules} as JSON, which Python reads as an expression: importing its modules json and signal would
 * take most of the time of a start.
 */
export const KERNEL_RULES = `import _signal as signal, ctypes, os, stat, sys
options = eval(sys.argv[1], {'true': True, 'false': False, 'null': None})
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def checked(what, result):
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, what + ': ' + os.strerror(error))
    return result

def prctl(option, *values):
    return libc.prctl(option, *(ctypes.c_ulong(value) for value in (*values, *(0,) * (4 - len(values)))))

def call(number, *values):
    return libc.syscall(ctypes.c_long(number), *(v if isinstance(v, ctypes.c_void_p) else ctypes.c_long(v) for v in values))

def pointer(buffer):
    return ctypes.c_void_p(ctypes.addressof(buffer))

PDEATHSIG, SECCOMP, DROP_BOUND, SUBREAPER, NO_NEW_PRIVS = 1, 22, 24, 36, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1, 2, 4, 8, 1 << 14
# MAKE_CHAR, MAKE_BLOCK, MAKE_SOCK, IOCTL_DEV
NEVER = 1 << 6 | 1 << 11 | 1 << 9 | 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE

def restrict_files(abi):
    bits = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5)
    handled = (1 << bits) - 1
    port = options['port']
    # Binding and connecting; abstract Unix sockets and signals.
    network, scoped = (3 if options['restrictsNetwork'] else 0), 3
    words = [handled, *([network] if abi >= 4 else []), *([scoped] if abi >= 6 else [])]
    attributes = (ctypes.c_uint64 * len(words))(*words)
    rules = checked('landlock_create_ruleset', call(444, pointer(attributes), ctypes.sizeof(attributes), 0))

    class Beneath(ctypes.Structure):
        _pack_ = 1
        _fields_ = [('access', ctypes.c_uint64), ('file', ctypes.c_int32)]

    def allow(path, access):
        try:
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not stat.S_ISDIR(os.fstat(file).st_mode):
            access &= OF_FILES
        rule = Beneath(access & handled, file)
        checked('landlock_add_rule', call(445, rules, 1, pointer(rule), 0))
        os.close(file)

    for path in options['read']:
        allow(path, EXECUTE | READ_FILE | READ_DIR)
    for path in options['show']:
        allow(path, READ_FILE | READ_DIR)
    for path in options['write']:
        allow(path, handled & ~NEVER)
    for name in ('null', 'zero', 'full', 'random', 'urandom'):
        allow('/dev/' + name, WRITE_FILE | READ_FILE | TRUNCATE)
    if network and port is not None:
        rule = (ctypes.c_uint64 * 2)(2, port)
        checked('landlock_add_rule', call(445, rules, 2, pointer(rule), 0))
    checked('landlock_restrict_self', call(446, rules, 0))
    os.close(rules)

def drop_bound(kept):
    # What is left after the next program has started, if this is root.
    capability = 0
    while capability in kept or prctl(DROP_BOUND, capability) == 0:
        capability += 1

def drop_capabilities(kept):
    mask = sum(1 << capability for capability in kept)
    header, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(mask, mask)
    checked('capset', libc.capset(pointer(header), pointer(rights)))
    checked('no_new_privs', prctl(NO_NEW_PRIVS, 1))

def filter_calls():
    program = bytes.fromhex(options['filter'])
    code = ctypes.create_string_buffer(program, len(program))

    class Filter(ctypes.Structure):
        _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]

    whole = Filter(len(program) // 8, ctypes.addressof(code))
    checked('seccomp', prctl(SECCOMP, 2, ctypes.addressof(whole)))

`;

/** What the rules allow. Missing files and folders are skipped. */
export interface KernelRules {
  /** Files and folders to read and execute. */
  readonly read: readonly string[];
  /** Files and folders to read. */
  readonly show: readonly string[];
  readonly write: readonly string[];
  readonly restrictsNetwork: boolean;
  /** The only port to connect to, if the network is restricted. */
  readonly port: number | null;
  /** The filter of system calls, in hexadecimal digits. */
  readonly filter: string;
}
