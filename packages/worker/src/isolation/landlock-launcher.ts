import { KERNEL_RULES, type KernelRules } from '@svc/lake/confinement';

/**
 * Starts a program under rules of Landlock, a filter of system calls and without a way to more rights. Arguments: what
 * {@link LauncherOptions} says, as JSON, then the program.
 *
 * The first process stays outside of the rules as the parent of everything that the program leaves behind, whatever group or
 * session it moves to. It kills all of it when the program exits, and when the worker exits or stops it. Its exit code is that
 * of the program, or 128 and the number of the signal that killed it.
 */
export const LANDLOCK_LAUNCHER = `${KERNEL_RULES}
os.closerange(3, min(os.sysconf('SC_OPEN_MAX'), 65536))

def change_account():
    if options['account'] is not None:
        os.setgroups([])
        os.setresgid(*[options['account']] * 3)
        os.setresuid(*[options['account']] * 3)

def start(parent):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Before the account, whose change drops the right to do so.
    drop_bound([])
    change_account()
    drop_capabilities([])
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
export interface LauncherOptions extends KernelRules {
  /** Version of the kernel's rules. */
  readonly abi: number;
  /** The account to change to, which then owns the folders to write. */
  readonly account: number | null;
}
