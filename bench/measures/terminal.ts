/**
 * Measures the terminal client in a pseudo-terminal while a model sends 200 words a second. The numbers are only of its
 * process.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import { temporaryDirectory } from '../../test/harness/directory.ts';
import { type KernelProcess, startKernelProcess } from '../../test/harness/process.ts';
import { SOURCES } from '../../test/harness/program.ts';
import { now } from '../clock.ts';
import { BUNDLE, CHECKOUT, ownFlags } from '../kernel.ts';
import { processorMs, residentMb } from '../process.ts';
import type { Measure } from '../rig.ts';
import type { Row } from '../table.ts';

const COLUMNS = 120;
const ROWS = 40;
/** Duration at 200 words a second, in paragraphs, with code and lists between them. */
const SECONDS = 20;
const PER_SECOND = 200;
/** The bundle that users have, if `npm run build` has created one. */
const FILE = [join(CHECKOUT, BUNDLE), SOURCES].find(file => existsSync(file))!;
const PROGRAM = [...ownFlags(FILE), FILE];
/** The text that the input shows while it is empty. */
const READY = 'Type a message, or / for commands';

export const terminal: Measure = {
  name: 'terminal',
  async run({ quick }) {
    const kernel = await startKernelProcess();
    try {
      const { processor, mb } = await stream(kernel, quick ? SECONDS / 4 : SECONDS);
      const row = (measure: string, unit: string, value: number, most: number): Row => ({
        measure: `terminal: ${measure}`,
        unit,
        kernel: value,
        target: { at: 'most', value: most },
      });
      return [
        row('processor at 200 words/s', '%', processor, 10),
        row('memory then, at most', 'MB', mb, 120),
      ];
    } finally {
      await kernel.kill();
    }
  },
};

async function stream(kernel: KernelProcess, seconds: number) {
  const client = await openClient(kernel);
  try {
    const pieces = words(seconds * PER_SECOND);
    kernel.upstream.next({ steps: [{ text: pieces, delay_ms: 1000 / PER_SECOND }] });
    client.write('Go.\r');
    await client.shows('word');
    const [began, busy] = [now(), processorMs(client.pid)];
    await sleep(seconds * 900);
    const processor = ((processorMs(client.pid) - busy) / (now() - began)) * 100;
    return { processor, mb: residentMb(client.pid, 'peak') };
  } finally {
    await client.close();
  }
}

interface Client {
  pid: number;
  write(keys: string): void;
  /** Resolves with the next output that contains the text. */
  shows(text: string): Promise<void>;
  close(): Promise<void>;
}

async function openClient(kernel: KernelProcess): Promise<Client> {
  const { path, remove } = temporaryDirectory();
  const words = ['chat', '--url', kernel.url, '--workdir', path, '--hands', 'none'];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const pty: IPty = spawn(process.execPath, [...PROGRAM, ...words], {
    name: 'xterm-256color',
    cols: COLUMNS,
    rows: ROWS,
    cwd: path,
    env: { PATH, NODE_COMPILE_CACHE, HOME: path, XDG_STATE_HOME: path, TERM: 'xterm-256color' },
  });
  const ended = new Promise<void>(resolve => pty.onExit(() => resolve()));
  let wanted: { text: string; resolve: () => void } | undefined;
  let seen = '';
  pty.onData(data => {
    seen = (seen + data).slice(-100_000);
    if (wanted === undefined || !seen.includes(wanted.text)) return;
    const { resolve } = wanted;
    wanted = undefined;
    resolve();
  });
  const shows = (text: string): Promise<void> => {
    seen = '';
    return new Promise(resolve => {
      wanted = { text, resolve };
    });
  };
  await shows(READY);
  return {
    pid: pty.pid,
    write: keys => pty.write(keys),
    shows,
    async close() {
      pty.kill('SIGTERM');
      await ended;
      remove();
    },
  };
}

/** Paragraphs of ten to sixty words, with occasional lists and code. */
function words(count: number): string[] {
  const pieces: string[] = [];
  for (let index = 0; pieces.length < count; index++) {
    const length = 10 + ((index * 17) % 50);
    const [before, between] =
      index % 4 === 3 ? ['```js\n', ';\n'] : index % 4 === 2 ? ['- ', '\n- '] : ['', ' '];
    for (let word = 0; word < length; word++) {
      pieces.push(`${word === 0 ? before : ''}word${word}${word % 6 === 5 ? between : ' '}`);
    }
    pieces.push(index % 4 === 3 ? '\n```\n\n' : '\n\n');
  }
  return pieces;
}
