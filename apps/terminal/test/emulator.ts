/** A real terminal emulator around Ink: tests assert the screen that a user would see. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { type Instance, render } from 'ink';
import type { ReactElement } from 'react';

const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
/** The sequences that Ink and this app write: styles, hyperlinks of the web, moves, erasures, modes. */
const EXPECTED = new RegExp(
  [
    `${ESC}\\[[\\d;]*[mABCDGHJKu]`,
    `${ESC}\\[\\?(?:25|2004|2026)[hl]`,
    `${ESC}\\]8;;[\\x21-\\x7e]*${BELL}`,
  ].join('|'),
  'g',
);

/** Removes the sequences of Ink and this app: no control should be left. */
export const withoutExpected = (bytes: string): string => bytes.replaceAll(EXPECTED, '');

export class Emulator {
  /** The whole output, escape sequences included. */
  bytes = '';
  #terminal: InstanceType<typeof xterm.Terminal>;
  #stdout: EventEmitter;
  #stdin: EventEmitter;
  #pending: string[] = [];
  #ink: Instance | undefined;

  constructor(columns: number, rows: number) {
    // A line break goes to the first column, as with the line discipline of a real terminal.
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      convertEol: true,
      allowProposedApi: true,
      scrollback: 5000,
    });
    this.#stdout = Object.assign(new EventEmitter(), {
      isTTY: true,
      columns,
      rows,
      writable: true,
      write: (data: string, done?: unknown) => {
        this.bytes += data;
        this.#terminal.write(data, () => typeof done === 'function' && done());
        return true;
      },
    });
    this.#stdin = Object.assign(new EventEmitter(), {
      isTTY: true,
      setEncoding: () => undefined,
      setRawMode: () => undefined,
      resume: () => undefined,
      pause: () => undefined,
      ref: () => undefined,
      unref: () => undefined,
      read: () => this.#pending.shift() ?? null,
    });
  }

  async show(element: ReactElement): Promise<void> {
    if (this.#ink) this.#ink.rerender(element);
    else {
      this.#ink = render(element, {
        stdout: this.#stdout as unknown as NodeJS.WriteStream,
        stdin: this.#stdin as unknown as NodeJS.ReadStream,
        stderr: this.#stdout as unknown as NodeJS.WriteStream,
        interactive: true,
        exitOnCtrlC: false,
        patchConsole: false,
      });
    }
    await this.settle();
  }

  /** Sends keys as a terminal does. A lone Esc counts only after a pause. */
  async keys(...chunks: string[]): Promise<void> {
    for (const chunk of chunks) {
      this.#pending.push(chunk);
      this.#stdin.emit('readable');
      if (chunk === '\u001b') await sleep(60);
      await this.settle();
    }
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.#terminal.resize(columns, rows);
    Object.assign(this.#stdout, { columns, rows });
    this.#stdout.emit('resize');
    await this.settle();
  }

  /** Waits until all is rendered, including the changes by effects and promises. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await this.#ink?.waitUntilRenderFlush();
      await new Promise(resolve => setImmediate(resolve));
    }
    await this.#ink?.waitUntilRenderFlush();
    await new Promise<void>(resolve => this.#terminal.write('', resolve));
  }

  /** The visible rows, without spaces and empty rows at their end. */
  screen(): string[] {
    const { baseY } = this.#terminal.buffer.active;
    return this.#read(baseY, baseY + this.#terminal.rows);
  }

  /** The scrollback and the visible rows. */
  everything(): string[] {
    return this.#read(0, this.#terminal.buffer.active.length);
  }

  /** The position of the cursor on the visible screen. */
  cursor(): { x: number; y: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { x: cursorX, y: cursorY };
  }

  close(): void {
    this.#ink?.unmount();
    this.#ink?.cleanup();
    this.#terminal.dispose();
  }

  #read(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let row = from; row < to; row++) {
      lines.push(this.#terminal.buffer.active.getLine(row)?.translateToString(true) ?? '');
    }
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }
}
