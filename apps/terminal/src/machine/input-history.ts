/** Stores sent texts across sessions: one JSON string per line, in a file that only the user can read. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { stateDirectory } from './state-directory.ts';

const MAX_TEXTS = 1000;
/** Longer texts are rarely sent again. */
const MAX_CHARS = 10_000;

/** Returns `$XDG_STATE_HOME/chat-kernel/history`, by default below ~/.local/state. */
export const historyPath = (env: NodeJS.ProcessEnv): string => join(stateDirectory(env), 'history');

export class InputHistory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the last 1,000 texts, oldest first, and truncates a file with twice as many. @throws Error on read errors */
  load(): string[] {
    if (!existsSync(this.#path)) return [];
    chmodSync(this.#path, 0o600);
    const text = readFileSync(this.#path, 'utf8');
    // End a line that a crash cut off, so that it does not corrupt the next one.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#path, '\n');
    const texts = text
      .split('\n')
      .map(parseLine)
      .filter(each => each !== null);
    const kept = texts.slice(-MAX_TEXTS);
    if (texts.length > 2 * MAX_TEXTS) {
      const fresh = `${this.#path}.${process.pid}`;
      writeFileSync(fresh, kept.map(formatLine).join(''), { mode: 0o600 });
      renameSync(fresh, this.#path);
    }
    return kept;
  }

  /** @throws Error on write errors */
  add(text: string): void {
    if (!isKept(text)) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    appendFileSync(this.#path, formatLine(text), { mode: 0o600 });
  }
}

/** Whether a text is stored: not if it is empty, too long, or starts with a space, as in a shell. */
export const isKept = (text: string): boolean =>
  text.trim() !== '' && !text.startsWith(' ') && text.length <= MAX_CHARS;

const formatLine = (text: string): string => `${JSON.stringify(text)}\n`;

/** Returns null for a line that a crash cut off. */
function parseLine(line: string): string | null {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
