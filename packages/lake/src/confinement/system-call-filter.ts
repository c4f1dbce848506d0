/** The system calls of one processor architecture that the filter names. */
interface Calls {
  /** `AUDIT_ARCH_…` of the kernel. */
  readonly architecture: number;
  readonly socket: number;
  /** Calls that reach what no namespace separates, or much of the kernel that programs of tasks don't need. */
  readonly denied: readonly number[];
  /** What only processes without namespaces of their own lack. */
  readonly shared: SharedCalls;
}

/** The calls that reach what the processes of one account or machine share. */
interface SharedCalls {
  /**
   * mq_open, mq_unlink; msgget, msgsnd, msgrcv, msgctl; semget, semop, semctl, semtimedop; shmget, shmat, shmctl; unshare, setns;
   * ioprio_set; inotify_add_watch, fanotify_init and fanotify_mark, which show names of files that Landlock hides
   */
  readonly denied: readonly number[];
  /** sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr and prlimit64: their first argument is a process. */
  readonly onProcess: readonly number[];
  readonly setpriority: number;
  readonly socketpair: number;
  readonly listen: number;
  readonly clone: number;
  readonly clone3: number;
  /** sendto, sendmsg and sendmmsg, and which argument has their flags. */
  readonly send: readonly (readonly [call: number, flags: number])[];
}

const CALLS: Partial<Record<NodeJS.Architecture, Calls>> = {
  // add_key, request_key, keyctl: keyrings are inherited. io_uring_setup: it opens sockets without the call socket.
  // bpf, perf_event_open, userfaultfd: they serve to exploit errors of the kernel.
  x64: {
    architecture: 0xc000003e,
    socket: 41,
    denied: [248, 249, 250, 425, 321, 298, 323],
    shared: {
      denied: [240, 241, 68, 69, 70, 71, 64, 65, 66, 220, 29, 30, 31, 272, 308, 251, 254, 300, 301],
      onProcess: [142, 144, 203, 314, 302],
      setpriority: 141,
      socketpair: 53,
      listen: 50,
      clone: 56,
      clone3: 435,
      send: [
        [44, 3],
        [46, 2],
        [307, 3],
      ],
    },
  },
  arm64: {
    architecture: 0xc00000b7,
    socket: 198,
    denied: [217, 218, 219, 425, 280, 241, 282],
    shared: {
      denied: [180, 181, 186, 189, 188, 187, 190, 193, 191, 192, 194, 196, 195, 97, 268, 30, 27, 262, 263],
      onProcess: [118, 119, 122, 274, 261],
      setpriority: 140,
      socketpair: 199,
      listen: 201,
      clone: 220,
      clone3: 435,
      send: [
        [206, 3],
        [211, 2],
        [269, 3],
      ],
    },
  },
};

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Others, such as AF_VSOCK, lead past the network namespace. */
const FAMILIES = [1, 2, 10, 16];
/** AF_INET and AF_INET6. */
const INTERNET = [2, 10];
const UNIX = 1;
const NETLINK = 16;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
/** The type of a socket, without its flags. */
const TYPE = 0xf;
const TCP = 6;
/** Connects without the call connect, which Landlock checks. */
const MSG_FASTOPEN = 0x2000_0000;
/** CLONE_NEW…: every namespace. */
const NAMESPACES = 0x7e02_0000;
/** CLONE_THREAD */
const THREAD = 0x1_0000;

const ENOSYS = 38;
const EPERM = 1;
const EAFNOSUPPORT = 97;
/** Calls of x86-64 processors with 32-bit pointers have numbers from here on. */
const X32 = 0x4000_0000;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const FAIL = 0x0005_0000;

/** Where the kernel puts the number of the call and the architecture. */
const [NUMBER, ARCHITECTURE] = [0, 4];

/** An instruction of the kernel's filter: the jumps are the numbers of instructions to skip. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
/** Loads the low half of an argument. */
const argument = (index: number): Instruction => load(16 + 8 * index);
const result = (value: number): Instruction => [RETURN, 0, 0, value];
const ifThen = (jump: number, value: number, outcome: number): Instruction[] => [[jump, 0, 1, value], result(outcome)];

/** What the processes of a sandbox without namespaces of their own may do in the network. */
export type SharedNetwork = 'tcp' | 'everything';

/** Numbers on x86-64 and arm64; null where there is no such call. */
type Numbers = readonly [x64: number | null, arm64: number | null];

/** What query processes don't do, and a program that has taken one over would try next. */
const NOT_OF_ENGINES: Readonly<Record<string, Numbers>> = {
  // Other programs.
  fork: [57, null],
  vfork: [58, null],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  // The network.
  socketpair: [53, 199],
  // Permissions, owners and times of files, which Landlock doesn't cover.
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  mknod: [133, null],
  mknodat: [259, 33],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // What root may do to the machine.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  acct: [163, 89],
  quotactl: [179, 60],
  iopl: [172, null],
  ioperm: [173, null],
  syslog: [103, 116],
  personality: [135, 92],
  setuid: [105, 146],
  setgid: [106, 144],
  setreuid: [113, 145],
  setregid: [114, 143],
  setgroups: [116, 159],
  setresuid: [117, 147],
  setresgid: [119, 149],
  setfsuid: [122, 151],
  setfsgid: [123, 152],
  capset: [126, 91],
};

/**
 * The system call filter of sandboxes (seccomp) as the kernel reads it; null for architectures that it doesn't know.
 * @param shared for sandboxes without namespaces of their own, which share the network, IPC and processes of the machine
 */
export function systemCallFilter(
  architecture: NodeJS.Architecture,
  shared: SharedNetwork | null = null,
): Buffer | null {
  const calls = CALLS[architecture];
  if (calls === undefined) return null;
  const sockets = shared === null ? ownSockets() : sharedSockets(shared);
  return filterOf(calls, [
    ...(shared === null ? [] : sharedRules(calls.shared, shared)),
    ...onCall(calls.socket, sockets),
  ]);
}

/** The filter of query processes: threads and files, but no socket, no other process and nothing that only root may do. */
export function engineCallFilter(architecture: NodeJS.Architecture): Buffer | null {
  const calls = CALLS[architecture];
  if (calls === undefined) return null;
  const column = architecture === 'x64' ? 0 : 1;
  const denied = Object.values(NOT_OF_ENGINES).flatMap((numbers) => numbers[column] ?? []);
  const { shared } = calls;
  return filterOf(calls, [
    ...deny([...shared.denied, ...denied]),
    ...shared.onProcess.flatMap((number) => onCall(number, [argument(0), ...OWN])),
    ...ifThen(JUMP_IF_EQUAL, calls.socket, FAIL | EAFNOSUPPORT),
    ...onCall(shared.clone, [argument(0), ...ifThen(JUMP_IF_ANY_BIT, THREAD, ALLOW), result(FAIL | EPERM)]),
    ...ifThen(JUMP_IF_EQUAL, shared.clone3, FAIL | ENOSYS),
  ]);
}

/** @param rules what is special; everything else is allowed */
function filterOf(calls: Calls, rules: readonly Instruction[]): Buffer {
  const program: Instruction[] = [
    load(ARCHITECTURE),
    // A program of another architecture would call the same kernel with other numbers.
    [JUMP_IF_EQUAL, 1, 0, calls.architecture],
    result(FAIL | ENOSYS),
    load(NUMBER),
    ...ifThen(JUMP_IF_AT_LEAST, X32, FAIL | ENOSYS),
    ...deny(calls.denied),
    ...rules,
    result(ALLOW),
  ];
  return Buffer.concat(program.map(encode));
}

const deny = (numbers: readonly number[]): Instruction[] =>
  numbers.flatMap((number) => ifThen(JUMP_IF_EQUAL, number, FAIL | EPERM));

/** For the first argument: a process or thread other than the caller's own is refused. */
const OWN: readonly Instruction[] = [...ifThen(JUMP_IF_EQUAL, 0, ALLOW), result(FAIL | EPERM)];

/** Instructions for one call. They end with a result. */
const onCall = (number: number, instructions: readonly Instruction[]): Instruction[] => [
  [JUMP_IF_EQUAL, 0, instructions.length, number],
  ...instructions,
];

const ownSockets = (): Instruction[] => [
  argument(0),
  ...FAMILIES.flatMap((family) => ifThen(JUMP_IF_EQUAL, family, ALLOW)),
  result(FAIL | EAFNOSUPPORT),
];

/**
 * Unix sockets would lead to the programs of the machine, whose files no rule of Landlock covers, so there are only
 * {@link CONNECTED_PAIRS}. Landlock checks TCP alone.
 */
function sharedSockets(network: SharedNetwork): Instruction[] {
  const stream: Instruction[] = [
    argument(1),
    [AND, 0, 0, TYPE],
    [JUMP_IF_EQUAL, 1, 0, SOCK_STREAM],
    result(FAIL | EPERM),
    argument(2),
    ...ifThen(JUMP_IF_EQUAL, 0, ALLOW),
    ...ifThen(JUMP_IF_EQUAL, TCP, ALLOW),
    result(FAIL | EPERM),
  ];
  const internet = network === 'tcp' ? stream : [result(ALLOW)];
  // Interfaces and addresses: programs of tasks read them, and have no right to change them.
  const netlink: Instruction[] = [argument(2), ...ifThen(JUMP_IF_EQUAL, 0, ALLOW), result(FAIL | EPERM)];
  return [
    argument(0),
    ...INTERNET.flatMap((family) => onCall(family, internet)),
    ...onCall(NETLINK, netlink),
    result(FAIL | EAFNOSUPPORT),
  ];
}

/** A socket for datagrams sends to any address, although it has a pair. */
const CONNECTED_PAIRS: readonly Instruction[] = [
  argument(0),
  [JUMP_IF_EQUAL, 1, 0, UNIX],
  result(FAIL | EAFNOSUPPORT),
  argument(1),
  [AND, 0, 0, TYPE],
  ...ifThen(JUMP_IF_EQUAL, SOCK_STREAM, ALLOW),
  ...ifThen(JUMP_IF_EQUAL, SOCK_SEQPACKET, ALLOW),
  result(FAIL | EPERM),
];

function sharedRules(calls: SharedCalls, network: SharedNetwork): Instruction[] {
  const refuse = (bits: number): Instruction[] => [...ifThen(JUMP_IF_ANY_BIT, bits, FAIL | EPERM), result(ALLOW)];
  return [
    ...deny(calls.denied),
    ...calls.onProcess.flatMap((number) => onCall(number, [argument(0), ...OWN])),
    // Not by group and not by account.
    ...onCall(calls.setpriority, [argument(0), [JUMP_IF_EQUAL, 1, 0, 0], result(FAIL | EPERM), argument(1), ...OWN]),
    ...onCall(calls.clone, [argument(0), ...refuse(NAMESPACES)]),
    // Its flags are in memory. Libraries then use clone.
    ...ifThen(JUMP_IF_EQUAL, calls.clone3, FAIL | ENOSYS),
    ...onCall(calls.socketpair, CONNECTED_PAIRS),
    ...(network === 'tcp' ? connectOnly(calls, refuse(MSG_FASTOPEN)) : []),
  ];
}

/** Without bind, which Landlock checks, the kernel chooses a port for a socket that listens. */
const connectOnly = ({ listen, send }: SharedCalls, sends: readonly Instruction[]): Instruction[] => [
  ...ifThen(JUMP_IF_EQUAL, listen, FAIL | EPERM),
  ...send.flatMap(([number, flags]) => onCall(number, [argument(flags), ...sends])),
];

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
