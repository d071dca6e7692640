/** A real terminal emulator around Ink: what is asserted is the screen that a user would see. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { type Instance, render } from 'ink';
import type { ReactElement } from 'react';

const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
/** What Ink and this app write on purpose: styles, hyperlinks of the web, moves, erasures, modes. */
const OWN = new RegExp(
  [
    `${ESC}\\[[\\d;]*[mABCDGHJKu]`,
    `${ESC}\\[\\?(?:25|2004|2026)[hl]`,
    `${ESC}\\]8;;[\\x21-\\x7e]*${BELL}`,
  ].join('|'),
  'g',
);

/** What was written without the sequences that belong to it: no control should be left in it. */
export const withoutOwn = (bytes: string): string => bytes.replaceAll(OWN, '');

export class Emulator {
  /** All that was written, as it was written. */
  bytes = '';
  #terminal: InstanceType<typeof xterm.Terminal>;
  #stdout: EventEmitter;
  #stdin: EventEmitter;
  #pending: string[] = [];
  #ink: Instance | undefined;

  constructor(columns: number, rows: number) {
    // Line breaks go to the first column, as the line discipline of a real terminal has it.
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

  /** Keys as a terminal sends them. A lone Esc is one only after a while. */
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

  /** Until what was asked for is drawn, also what an effect or a promise asks for after it. */
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

  /** Where the cursor stands on the visible screen. */
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
