/** An export of real size comes in while neither the command nor the kernel holds more than a part of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { chatGpt } from '../harness/foreign-exports.ts';
import { startKernelProcess } from '../harness/process.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/server/bin/chat-kernel.js', import.meta.url));
/** Of about 10 KB each; more of them to measure by hand. */
const CONVERSATIONS = Number(process.env.IMPORT_CONVERSATIONS ?? 5000);
const MESSAGES = 10;
/** How often a message says the same, for a larger file of as many words. */
const REPEATED = Number(process.env.IMPORT_REPEATED ?? 1);
/** Of the command, beyond what it takes for one conversation; the file has 52. */
const COMMAND_MB = 70;
/** Of the kernel, beyond what its start took. */
const KERNEL_MB = 130;

/** Words that differ from message to message, as a search index meets them. */
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

/** The most memory that a process has had, in MB; undefined where it is gone, or the system does not tell. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Imports a file as `chat-kernel` does. Returns the most memory that it took, in MB, with what it said. */
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
  `[FACE-3] thousands of conversations come in while the command has at most ${COMMAND_MB} MB more than for one, and the kernel ${KERNEL_MB} more than before`,
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
