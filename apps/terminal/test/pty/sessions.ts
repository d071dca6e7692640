/** The setup of sessions in a pseudo-terminal: a kernel with a scripted model, a folder, terminals. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/directory.ts';
import { type KernelProcess, startKernelProcess } from '../../../../test/harness/process.ts';
import { KEY, Terminal, type TerminalOptions } from './terminal.ts';

export const READY = 'Type a message, or / for commands';

interface Sessions {
  readonly kernel: KernelProcess;
  /** The working directory and home of the program; a new one for each test. */
  readonly folder: string;
  /** Opens a terminal; resolves once the program takes keys. */
  open(options?: Partial<TerminalOptions>): Promise<Terminal>;
  /** Returns the screen without the values that differ from run to run. */
  plain(terminal: Terminal): string[];
}

export function sessions(options: Parameters<typeof startKernelProcess>[0] = {}): Sessions {
  let kernel: KernelProcess;
  let directory: ReturnType<typeof temporaryDirectory>;
  let terminals: Terminal[] = [];
  beforeAll(async () => {
    kernel = await startKernelProcess(options);
  });
  // Killing does not wait for turns that a test has left.
  afterAll(() => kernel.kill());
  beforeEach(() => {
    kernel.upstream.forget();
    directory = temporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(terminals.map(each => each.close()));
    terminals = [];
    directory.remove();
  });
  return {
    get kernel() {
      return kernel;
    },
    get folder() {
      return directory.path;
    },
    async open(more = {}) {
      const terminal = new Terminal({
        url: kernel.url,
        workdir: directory.path,
        home: directory.path,
        ...more,
      });
      terminals.push(terminal);
      await terminal.sees(READY);
      return terminal;
    },
    plain: terminal => terminal.screen().map(line => plainLine(line, directory.path)),
  };
}

export const plainLine = (line: string, folder: string): string =>
  line
    .replaceAll(folder, '<folder>')
    .replace(/[▰▱]{8} \d+% of 100k · \$0\.\d+/, '<meter> · <cost>')
    .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (.*) \d+ s(?= |$)/, '⠋ $1 <n> s');

/** Presses a key once the dialog says that keys are answers. */
export async function decide(terminal: Terminal, key: string): Promise<void> {
  await terminal.sees(/a letter, or|a number(, or| or Space)/);
  terminal.write(key);
}

/** Selects a lasting decision by its letter, and confirms it once keys are answers again. */
export async function confirm(terminal: Terminal, key: string): Promise<void> {
  await decide(terminal, key);
  await terminal.sees('Enter confirm');
  terminal.write(KEY.enter);
}

/** Whether the turn is over and its cost is shown. */
export const idle = (lines: string[]): boolean =>
  // The cost is 0 until the first usage.
  lines.some(line => / · \$(?!0( |$))/.test(line)) && !lines.some(line => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /.test(line));

export const RULE_80 = '─'.repeat(80);
export const STATUS = 'scripted/plain · <meter> · <cost> · <folder>';
