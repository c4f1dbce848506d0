/** The system calls of one processor architecture that the filter names. */
interface Calls {
  /** `AUDIT_ARCH_…` of the kernel. */
  readonly architecture: number;
  readonly socket: number;
  /** Calls that reach what no namespace separates, or much of the kernel that programs of tasks don't need. */
  readonly denied: readonly number[];
}

const CALLS: Partial<Record<NodeJS.Architecture, Calls>> = {
  // add_key, request_key, keyctl: keyrings are inherited. io_uring_setup: it opens sockets without the call socket.
  // bpf, perf_event_open, userfaultfd: they serve to exploit errors of the kernel.
  x64: { architecture: 0xc000003e, socket: 41, denied: [248, 249, 250, 425, 321, 298, 323] },
  arm64: { architecture: 0xc00000b7, socket: 198, denied: [217, 218, 219, 425, 280, 241, 282] },
};

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Others, such as AF_VSOCK, lead past the network namespace. */
const FAMILIES = [1, 2, 10, 16];

const ENOSYS = 38;
const EPERM = 1;
const EAFNOSUPPORT = 97;
/** Calls of x86-64 processors with 32-bit pointers have numbers from here on. */
const X32 = 0x4000_0000;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const FAIL = 0x0005_0000;

/** Where the kernel puts the number of the call, the architecture and the low half of the first argument. */
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16];

/** An instruction of the kernel's filter: the jumps are the numbers of instructions to skip. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const result = (value: number): Instruction => [RETURN, 0, 0, value];
const ifThen = (jump: number, value: number, outcome: number): Instruction[] => [[jump, 0, 1, value], result(outcome)];

/** The system call filter of sandboxes (seccomp) as bubblewrap reads it; null for architectures that it doesn't know. */
export function systemCallFilter(architecture: NodeJS.Architecture): Buffer | null {
  const calls = CALLS[architecture];
  if (calls === undefined) return null;
  const families = FAMILIES.flatMap((family) => ifThen(JUMP_IF_EQUAL, family, ALLOW));
  const ofSocket = [load(FIRST_ARGUMENT), ...families, result(FAIL | EAFNOSUPPORT)];
  const program: Instruction[] = [
    load(ARCHITECTURE),
    // A program of another architecture would call the same kernel with other numbers.
    [JUMP_IF_EQUAL, 1, 0, calls.architecture],
    result(FAIL | ENOSYS),
    load(NUMBER),
    ...ifThen(JUMP_IF_AT_LEAST, X32, FAIL | ENOSYS),
    ...calls.denied.flatMap((number) => ifThen(JUMP_IF_EQUAL, number, FAIL | EPERM)),
    [JUMP_IF_EQUAL, 0, ofSocket.length, calls.socket],
    ...ofSocket,
    result(ALLOW),
  ];
  return Buffer.concat(program.map(encode));
}

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
