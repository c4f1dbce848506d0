/**
 * Starts a program under rules of Landlock, a filter of system calls and without a way to more rights. Arguments: what
 * {@link LauncherOptions} says, as JSON, then the program. Standard Python without packages, because svc compiles nothing.
 *
 * The first process stays outside of the rules as the parent of everything that the program leaves behind, whatever group or
 * session it moves to. It kills all of it when the program exits, and when the worker exits or stops it. Its exit code is that
 * of the program, or 128 and the number of the signal that killed it.
 */
export const LANDLOCK_LAUNCHER = `import ctypes, json, os, signal, stat, sys
os.closerange(3, min(os.sysconf('SC_OPEN_MAX'), 65536))
options = json.loads(sys.argv[1])
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

def drop_rights():
    # Before the account, whose change drops the right to do so. Without that right, programs gain no rights anyway.
    capability = 0
    while prctl(DROP_BOUND, capability) == 0:
        capability += 1
    if options['account'] is not None:
        os.setgroups([])
        os.setresgid(*[options['account']] * 3)
        os.setresuid(*[options['account']] * 3)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    checked('capset', libc.capset(pointer(header), pointer(nothing)))
    checked('no_new_privs', prctl(NO_NEW_PRIVS, 1))

def filter_calls():
    program = bytes.fromhex(options['filter'])
    code = ctypes.create_string_buffer(program, len(program))

    class Filter(ctypes.Structure):
        _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]

    whole = Filter(len(program) // 8, ctypes.addressof(code))
    checked('seccomp', prctl(SECCOMP, 2, ctypes.addressof(whole)))

def start(parent):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    drop_rights()
    # After the account, whose change clears it.
    prctl(PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    restrict_files(options['abi'])
    filter_calls()
    os.execv(sys.argv[2], sys.argv[2:])

def kill_all():
    path = '/proc/self/task/%d/children' % os.getpid()
    while True:
        # Only its own children: their ids aren't used again before it has waited for them. Theirs become its own.
        with open(path) as file:
            children = file.read().split()
        for child in children:
            try:
                os.kill(int(child), signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return

def stop(*_):
    kill_all()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)

def own(path, account):
    os.lchown(path, account, account)
    for folder, folders, files in os.walk(path):
        for name in folders + files:
            os.lchown(os.path.join(folder, name), account, account)

checked('subreaper', prctl(SUBREAPER, 1))
signal.signal(signal.SIGTERM, stop)
# It would be killed without a chance to kill the others.
checked('pdeathsig', prctl(PDEATHSIG, signal.SIGTERM))
if options['account'] is not None:
    for path in options['write']:
        own(path, options['account'])
me = os.getpid()
child = os.fork()
if child == 0:
    try:
        start(me)
    except BaseException as error:
        os.write(2, ('the sandbox could not be created: %s\\n' % error).encode())
    finally:
        os._exit(125)
while True:
    pid, status = os.waitpid(-1, 0)
    if pid == child:
        break
kill_all()
os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;

/** What the launcher reads. */
export interface LauncherOptions {
  /** Version of the kernel's rules. */
  readonly abi: number;
  /** Files and folders to read and execute. Missing ones are skipped. */
  readonly read: readonly string[];
  /** Files and folders to read. */
  readonly show: readonly string[];
  readonly write: readonly string[];
  readonly restrictsNetwork: boolean;
  /** The only port to connect to, if the network is restricted. */
  readonly port: number | null;
  /** The account to change to, which then owns the folders to write. */
  readonly account: number | null;
  /** The filter of system calls, in hexadecimal digits. */
  readonly filter: string;
}
