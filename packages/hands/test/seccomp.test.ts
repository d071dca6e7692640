/** Runs the filter of system calls as the system would, for processors that this machine may not have. */
import { describe, expect, it } from 'vitest';
import { seccompFilter } from '../src/shell/seccomp.ts';

const ALLOW = 0x7fff0000;
const ENOSYS = 0x00050026;
const EAFNOSUPPORT = 0x00050061;

const X64 = 0xc000003e;
const I386 = 0x40000003;
const ARM64 = 0xc00000b7;
const ARM = 0x40000028;

/** Interprets the instructions that a filter of seccomp may have and this one uses. */
function run(filter: Buffer, number: number, processor: number, ...args: number[]): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(processor >>> 0, 4);
  args.forEach((value, index) => void data.writeUInt32LE(value, 16 + 8 * index));
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, ifTrue, ifFalse] = [filter.readUInt16LE(at), filter[at + 2]!, filter[at + 3]!];
    const value = filter.readUInt32LE(at + 4);
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x54) loaded = (loaded & value) >>> 0;
    else if (code === 0x15) at += 8 * (loaded === value ? ifTrue : ifFalse);
    else if (code === 0x35) at += 8 * (loaded >= value ? ifTrue : ifFalse);
    else if (code === 0x06) return value;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

describe('the filter of system calls', () => {
  it.each([
    ['x64', X64, 41, 53],
    ['x64', I386, 359, 360],
    ['arm64', ARM64, 198, 199],
    ['arm64', ARM, 281, 288],
  ] as const)('denies Unix sockets and allows stream pairs on %s (%i)', (arch, processor, socket, pair) => {
    const filter = seccompFilter(arch)!;
    const [unix, inet, netlink, vsock] = [1, 2, 16, 40];
    const [stream, datagram, raw, packets, flags] = [1, 2, 3, 5, 0x80800];
    expect(run(filter, socket, processor, unix, stream)).toBe(EAFNOSUPPORT);
    expect(run(filter, socket, processor, vsock, stream)).toBe(EAFNOSUPPORT);
    expect(run(filter, socket, processor, inet, stream)).toBe(ALLOW);
    expect(run(filter, socket, processor, netlink, raw)).toBe(ALLOW);
    expect(run(filter, pair, processor, unix, stream | flags)).toBe(ALLOW);
    expect(run(filter, pair, processor, unix, packets)).toBe(ALLOW);
    // Sockets of these types can send to any address.
    expect(run(filter, pair, processor, unix, datagram | flags)).toBe(EAFNOSUPPORT);
    expect(run(filter, pair, processor, unix, raw)).toBe(EAFNOSUPPORT);
    // Other calls are not restricted.
    expect(run(filter, 0, processor)).toBe(ALLOW);
  });

  it.each([
    ['x64', X64, [425, 426, 427, 248, 249, 250, 0x40000000, 0x40000029]],
    ['x64', I386, [425, 102, 286, 287, 288]],
    ['arm64', ARM64, [425, 217, 218, 219]],
    ['arm64', ARM, [425, 102, 309, 310, 311]],
    ['arm64', X64, [1, 41]],
  ] as const)('has no other way to a socket or a key on %s (%i)', (arch, processor, numbers) => {
    const filter = seccompFilter(arch)!;
    expect(numbers.map(number => run(filter, number, processor, 2, 1))).toEqual(numbers.map(() => ENOSYS));
  });

  it('does not exist for other processors', () => {
    expect(seccompFilter('riscv64')).toBeNull();
  });
});
