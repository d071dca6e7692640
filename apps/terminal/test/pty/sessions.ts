/** What the sessions in a pseudo-terminal have in common: a kernel with a scripted model, a folder, a terminal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/directory.ts';
import type { KernelOptions } from '../../../../test/harness/kernel.ts';
import { type KernelProcess, startKernelProcess } from '../../../../test/harness/process.ts';
import { QUIET_MS } from '../../src/dialogs/approval.ts';
import { Terminal, type TerminalOptions } from './terminal.ts';

export const READY = 'A message, or / for commands';

export interface Sessions {
  readonly kernel: KernelProcess;
  /** The working directory, and home; new for each test. */
  readonly folder: string;
  /** Another terminal, once it takes keys. */
  open(options?: Partial<TerminalOptions>): Promise<Terminal>;
  /** The screen with what differs from run to run taken out. */
  plain(terminal: Terminal): string[];
}

export function sessions(options: KernelOptions = {}): Sessions {
  let kernel: KernelProcess;
  let place: ReturnType<typeof temporaryDirectory>;
  let terminals: Terminal[] = [];
  beforeAll(async () => {
    kernel = await startKernelProcess(options);
  });
  // Turns that a test has left are not waited for.
  afterAll(() => kernel.kill());
  beforeEach(() => {
    place = temporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(terminals.map(each => each.close()));
    terminals = [];
    place.remove();
  });
  return {
    get kernel() {
      return kernel;
    },
    get folder() {
      return place.path;
    },
    async open(more = {}) {
      const terminal = new Terminal({ url: kernel.url, workdir: place.path, home: place.path, ...more });
      terminals.push(terminal);
      await terminal.sees(READY);
      return terminal;
    },
    plain: terminal => terminal.screen().map(line => plainLine(line, place.path)),
  };
}

export const plainLine = (line: string, folder: string): string =>
  line
    .replaceAll(folder, '<folder>')
    .replace(/[▰▱]{8} \d+% of 100k · \$0\.\d+/, '<meter> · <cost>')
    .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (.*) \d+ s /, '⠋ $1 <n> s ');

/** A dialog takes no key before its reader could have seen it. */
export async function decide(terminal: Terminal, key: string): Promise<void> {
  await sleep(QUIET_MS + 50);
  terminal.write(key);
}

/** The turn is over, and what it cost is told. */
export const idle = (lines: string[]): boolean =>
  lines.some(line => line.includes(' · $')) && !lines.some(line => line.includes('Esc cancels'));

export const RULE_80 = '─'.repeat(80);
export const STATUS = 'scripted/plain · <meter> · <cost> · <folder>';
