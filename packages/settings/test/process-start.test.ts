/** Tests what identifies a process in the facts that Linux and ps report. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { getProcessStart, parsePs, parseStat } from '../src/process-start.ts';

const stat = (name: string, state: string) =>
  `42 (${name}) ${state} ${Array.from({ length: 18 }, (_, index) => index).join(' ')} 777 888 999\n`;

it.each([
  ['node', 'S', '777'],
  ['a) Z 1 (b', 'R', '777'],
  ['node', 'Z', undefined],
  ['node', 'X', undefined],
])('finds the start of a process named %s in state %s on Linux: %s', (name, state, start) => {
  expect(parseStat(stat(name, state))).toBe(start);
});

it.each([
  ['Ss+  Mon Nov  2 10:00:00 2026\n', 'Mon Nov 2 10:00:00 2026'],
  ['Z    Mon Nov  2 10:00:00 2026\n', undefined],
  ['Z+   Mon Nov  2 10:00:00 2026\n', undefined],
  ['\n', undefined],
])('finds the start of a process in %j of ps: %s', (output, start) => {
  expect(parsePs(output)).toBe(start);
});

it.runIf(process.platform === 'linux')(
  'names the boot of the machine in the start, because another boot reuses process numbers and ticks',
  () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(getProcessStart(process.pid)).toMatch(new RegExp(`^${boot} \\d+$`));
    // No process has this number.
    expect(getProcessStart(2 ** 30)).toBeUndefined();
  },
);
