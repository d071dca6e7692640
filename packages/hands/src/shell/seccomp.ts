/**
 * Builds the filter for system calls of the sandbox: no Unix sockets, through which services of this machine run
 * commands, no sockets to the host of a virtual machine, no keys of the kernel of the system, and no io_uring, which
 * opens sockets without system calls. Connected pairs of sockets remain, because programs use them between processes.
 */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Numbers of system calls, as <asm/unistd.h> has them. */
interface Calls {
  /** AUDIT_ARCH_… of <linux/audit.h>. */
  audit: number;
  socket: number;
  socketpair: number;
  /** Calls that do not exist in the sandbox. */
  missing: readonly number[];
  /** Calls with this bit are a second table of 64-bit processors. */
  secondTable?: number;
}

const IO_URING = [425, 426, 427];
/** A processor runs programs of its own kind and of the 32-bit one. `socketcall` hides its arguments from filters. */
const PROCESSORS: Partial<Record<NodeJS.Architecture, readonly Calls[]>> = {
  x64: [
    {
      audit: 0xc000003e,
      socket: 41,
      socketpair: 53,
      missing: [...IO_URING, 248, 249, 250],
      secondTable: 0x40000000,
    },
    { audit: 0x40000003, socket: 359, socketpair: 360, missing: [...IO_URING, 102, 286, 287, 288] },
  ],
  arm64: [
    { audit: 0xc00000b7, socket: 198, socketpair: 199, missing: [...IO_URING, 217, 218, 219] },
    { audit: 0x40000028, socket: 281, socketpair: 288, missing: [...IO_URING, 102, 309, 310, 311] },
  ],
};

const AF_UNIX = 1;
const AF_VSOCK = 40;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
/** The bits of a socket type without its flags. */
const TYPE_BITS = 0xf;

/** Offsets in `struct seccomp_data`; of arguments, the lower half. */
const NUMBER = 0;
const PROCESSOR = 4;
const ARGUMENT = [16, 24];

const ALLOW = 0x7fff0000;
const failWith = (errno: number): number => 0x00050000 | errno;
const ENOSYS = failWith(38);
/** Programs try something else, or say that this kind of socket is not supported. */
const EAFNOSUPPORT = failWith(97);

/** An instruction of BPF: code, value, and how many instructions to skip if the comparison holds or not. */
type Instruction = [code: number, value: number, ifTrue?: number, ifFalse?: number];
const load = (offset: number): Instruction => [0x20, offset];
const and = (bits: number): Instruction => [0x54, bits];
const finish = (result: number): Instruction => [0x06, result];
/** Ends with a result if the loaded value is this one, and otherwise continues. */
const ifEqual = (value: number, result: number): Instruction[] => [[0x15, value, 0, 1], finish(result)];
/** Runs a block if the loaded value is this one. */
const block = (value: number, inside: Instruction[]): Instruction[] => [
  [0x15, value, 0, inside.length],
  ...inside,
];

/** Returns the filter as bytes; null for a processor whose numbers are not listed. */
export function seccompFilter(arch: NodeJS.Architecture = process.arch): Buffer | null {
  const processors = PROCESSORS[arch];
  if (processors === undefined) return null;
  const program = [
    load(PROCESSOR),
    ...processors.flatMap(calls => block(calls.audit, rulesFor(calls))),
    finish(ENOSYS),
  ];
  return Buffer.concat(program.map(encode));
}

function rulesFor({ socket, socketpair, missing, secondTable }: Calls): Instruction[] {
  return [
    load(NUMBER),
    ...(secondTable === undefined ? [] : ([[0x35, secondTable, 0, 1], finish(ENOSYS)] as Instruction[])),
    ...missing.flatMap(number => ifEqual(number, ENOSYS)),
    ...block(socket, [
      load(ARGUMENT[0]!),
      ...ifEqual(AF_UNIX, EAFNOSUPPORT),
      ...ifEqual(AF_VSOCK, EAFNOSUPPORT),
      finish(ALLOW),
    ]),
    // Sockets of other types can send to an address although they are a pair.
    ...block(socketpair, [
      load(ARGUMENT[1]!),
      and(TYPE_BITS),
      ...ifEqual(SOCK_STREAM, ALLOW),
      ...ifEqual(SOCK_SEQPACKET, ALLOW),
      finish(EAFNOSUPPORT),
    ]),
    finish(ALLOW),
  ];
}

function encode([code, value, ifTrue = 0, ifFalse = 0]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}

let file: string | null | undefined;

/**
 * Returns a path at which this machine's filter can be read while this process runs; null if there is none. The file has
 * no name, so that it needs no removal.
 */
export function seccompFile(): string | null {
  file ??= unnamedFile(seccompFilter());
  return file;
}

function unnamedFile(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  const path = join(tmpdir(), `chat-kernel-seccomp-${process.pid}-${Date.now()}`);
  const written = openSync(path, 'wx', 0o600);
  writeSync(written, bytes);
  const read = openSync(path, 'r');
  closeSync(written);
  unlinkSync(path);
  return `/proc/${process.pid}/fd/${read}`;
}
