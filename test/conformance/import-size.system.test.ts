/**
 * Tests that the import of a realistic export needs only a part of its size in memory, in both the command and the
 * kernel.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { chatGpt } from '../harness/foreign-exports.ts';
import { startKernelProcess } from '../harness/process.ts';
import { PROGRAM } from '../harness/program.ts';
import { atScale } from '../harness/scale.ts';

/** About 10 KB each. At scale they exceed the allowed memory. */
const CONVERSATIONS = Number(process.env.IMPORT_CONVERSATIONS ?? atScale(200, 5000));
const MESSAGES = 10;
/** How often a message repeats its text, for a larger file with the same vocabulary. */
const REPEATED = Number(process.env.IMPORT_REPEATED ?? 1);
/** Limit for the command, above what one conversation takes; the file has 52. */
const COMMAND_MB = 70;
/** Limit for the kernel, above its memory after the start. */
const KERNEL_MB = 130;

/** Generates different words for each message, as a real search index has them. */
const words = (seed: number): string =>
  Array.from({ length: 130 }, (_, n) => ((seed * 7919 + n * 104_729) % 200_003).toString(36)).join(' ');

async function writeExport(path: string, conversations: number): Promise<void> {
  const file = createWriteStream(path);
  for (let n = 0; n < conversations; n++) {
    const nodes = Array.from({ length: MESSAGES }, (_, at) => [
      `node-${n}-${at}`,
      {
        role: at % 2 === 0 ? 'user' : 'assistant',
        at: n * 60 + at,
        content: `${words(n * MESSAGES + at)} `.repeat(REPEATED),
        parent: at === 0 ? null : `node-${n}-${at - 1}`,
      },
    ]);
    const conversation = chatGpt(`conversation ${n}`, Object.fromEntries(nodes));
    if (!file.write(`${n === 0 ? '[' : ',\n'}${JSON.stringify(conversation)}`)) await once(file, 'drain');
  }
  file.end(']');
  await once(file, 'close');
}

/** The peak memory of a process in MB; undefined if it has exited or the system does not report it. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Imports a file as `chat-kernel` does. Returns the peak memory in MB and the output. */
async function imported(file: string, home: string): Promise<{ peak: number; out: string; last: string }> {
  const env = { HOME: home, PATH: process.env.PATH };
  const words = ['--max-semi-space-size=4', PROGRAM, 'import', file, '--data', join(home, 'data')];
  const child = spawn(process.execPath, words, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number) ?? 0);
  }, 20);
  const ended = once(child, 'close');
  try {
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(await ended).toEqual([0, null]);
    return { peak, out, last: err.split('\n').at(-2) as string };
  } finally {
    clearInterval(watch);
  }
}

test.skipIf(process.platform !== 'linux')(
  `[FACE-3] imports ${CONVERSATIONS} conversations with at most ${COMMAND_MB} MB more than for one in the command, and ${KERNEL_MB} MB more than before in the kernel`,
  { timeout: 1_500_000 },
  async () => {
    const home = directoryOfTest();
    const [one, file] = [join(home, 'one.json'), join(home, 'conversations.json')];
    await writeExport(one, 1);
    await writeExport(file, CONVERSATIONS);
    const kernel = await startKernelProcess({ dataDir: join(home, 'data') });
    onTestFinished(async () => {
      await kernel.kill();
    });
    const { peak: base } = await imported(one, home);
    const atStart = peakOf(kernel.pid) as number;
    const begun = performance.now();
    const { peak, out, last } = await imported(file, home);
    expect(last).toBe(`conversations: ${CONVERSATIONS}`);
    const seconds = (performance.now() - begun) / 1000;
    const ofKernel = peakOf(kernel.pid) as number;
    const size = statSync(file).size / 1e6;
    process.stdout.write(
      `import: ${size.toFixed(0)} MB, ${CONVERSATIONS} conversations in ${seconds.toFixed(1)} s ` +
        `(${(CONVERSATIONS / seconds).toFixed(0)} a second); peak of the command ${peak.toFixed(0)} MB (${base.toFixed(0)} for one), of the kernel ${ofKernel.toFixed(0)} MB (${atStart.toFixed(0)} before)\n`,
    );
    const count = (number: number) => number.toLocaleString('en-US');
    expect(out).toContain(`${count(CONVERSATIONS - 1)} of ${count(CONVERSATIONS)} conversations imported`);
    expect((await kernel.api.get('/v1/stats')).body.messages).toBe(CONVERSATIONS * MESSAGES);
    expect(base).toBeGreaterThan(0);
    expect(peak - base).toBeLessThan(COMMAND_MB);
    expect(ofKernel - atStart).toBeLessThan(KERNEL_MB);
  },
);
