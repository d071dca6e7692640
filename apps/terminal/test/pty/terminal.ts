/** The program in a real pseudo-terminal, and a terminal emulator that shows what a user would see. */
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { PROGRAM, programAt } from '../../../../test/harness/program.ts';
import type { ChatOptions } from '../../src/chat/chat.ts';

export const LAUNCH = programAt('apps/terminal/test/pty/launch.ts');
/** Less than a test has: what fails shows its screen, and not only that its time is over. */
const PATIENCE_MS = 20_000 * Number(process.env.TEST_SLOWNESS ?? 1);

export interface TerminalOptions extends Partial<Omit<ChatOptions, 'startKernel'>> {
  url: string;
  workdir: string;
  /** The directory of the input history. */
  home: string;
  columns?: number;
  rows?: number;
  /** The arguments of `chat-kernel`; absent: `launch.ts` starts the program. */
  words?: readonly string[];
  /** The settings file of the kernel that the program may start. */
  startable?: string;
  /** A script for bash that starts the program, which is its "$@". */
  script?: string;
}

export const KEY = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  interrupt: '\u0003',
  end: '\u0004',
  backspace: '\u007f',
} as const;

export class Terminal {
  /** The whole output of the program, escape sequences included. */
  bytes = '';
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  readonly exited: Promise<number>;
  /** Called after each piece that is on the screen. */
  readonly #watchers = new Set<() => void>();

  constructor({ home, columns = 80, rows = 24, words, startable, script, ...options }: TerminalOptions) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
    const launched = [
      LAUNCH,
      JSON.stringify({ hands: 'ask', ...options }),
      ...(startable ? [PROGRAM, startable] : []),
    ];
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const program = [process.execPath, ...(words ? [PROGRAM, ...words] : launched)];
    const [file, ...args] = script === undefined ? program : ['bash', '-c', script, 'bash', ...program];
    this.#pty = spawn(file!, args, {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: options.workdir,
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, XDG_STATE_HOME: home, TERM: 'xterm-256color', TZ: 'UTC' },
    });
    // The program asks the terminal questions, which xterm answers.
    this.#screen.onData(data => this.#pty.write(data));
    this.#pty.onData(data => {
      this.bytes += data;
      this.#screen.write(data, () => {
        for (const watch of [...this.#watchers]) watch();
      });
    });
    // The last words are on the screen by then, for the emulator handles its writes in their order.
    this.exited = new Promise(resolve =>
      this.#pty.onExit(({ exitCode }) => this.#screen.write('', () => resolve(exitCode))),
    );
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** The visible rows, without blanks and empty rows at their end. */
  screen(): string[] {
    const { baseY } = this.#screen.buffer.active;
    return this.#read(baseY, baseY + this.#screen.rows);
  }

  /** The scrollback and the visible rows. */
  everything(): string[] {
    return this.#read(0, this.#screen.buffer.active.length);
  }

  write(text: string): void {
    this.#pty.write(text);
  }

  /** Types a line, and sends it when the input shows it. */
  async say(text: string): Promise<void> {
    this.write(text);
    const end = text.split(/\s/).at(-1)!;
    await this.sees(lines => lines.some(line => line.startsWith('› ') && line.includes(end)));
    this.write(KEY.enter);
  }

  /** Waits until the screen shows a text, or passes a test. Rejects with the screen that it shows instead. */
  async sees(wanted: string | RegExp | ((screen: string[]) => boolean)): Promise<string[]> {
    const fits = (): boolean => {
      const screen = this.screen();
      if (typeof wanted === 'function') return wanted(screen);
      const text = screen.join('\n');
      return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    };
    const found = Promise.withResolvers<void>();
    const watch = () => fits() && found.resolve();
    const timer = setTimeout(
      () => found.reject(new Error(`never seen: ${wanted}\n${this.screen().join('\n')}`)),
      PATIENCE_MS,
    );
    this.#watchers.add(watch);
    try {
      watch();
      await found.promise;
      return this.screen();
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(watch);
    }
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  signal(name: string): void {
    this.#pty.kill(name);
  }

  /** Closes the window. */
  hangUp(): void {
    // Its type leaves the method out.
    (this.#pty as IPty & { destroy(): void }).destroy();
  }

  /** Kills the program. */
  async close(): Promise<void> {
    this.#pty.kill('SIGKILL');
    await this.exited;
    this.#screen.dispose();
  }

  #read(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let row = from; row < to; row++) {
      lines.push(this.#screen.buffer.active.getLine(row)?.translateToString(true) ?? '');
    }
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }
}
