/** The texts that the owner has sent, kept across sessions: one JSON string per line, in a file for the owner alone. */
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
/** A longer text is a document, which is hardly sent again. */
const MAX_CHARS = 10_000;

/** Returns `$XDG_STATE_HOME/chat-kernel/history`, by default below ~/.local/state. */
export const historyPath = (env: NodeJS.ProcessEnv): string => join(stateDirectory(env), 'history');

export class InputHistory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the last 1,000 texts, the oldest first; a file with twice as many is cut. @throws Error where it can't be read */
  load(): string[] {
    if (!existsSync(this.#path)) return [];
    chmodSync(this.#path, 0o600);
    const text = readFileSync(this.#path, 'utf8');
    // A line that a crash has cut would spoil the next one.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#path, '\n');
    const texts = text
      .split('\n')
      .map(textOf)
      .filter(each => each !== null);
    const kept = texts.slice(-MAX_TEXTS);
    if (texts.length > 2 * MAX_TEXTS) {
      const fresh = `${this.#path}.${process.pid}`;
      writeFileSync(fresh, kept.map(lineOf).join(''), { mode: 0o600 });
      renameSync(fresh, this.#path);
    }
    return kept;
  }

  /** @throws Error where it can't be written */
  add(text: string): void {
    if (!isKept(text)) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    appendFileSync(this.#path, lineOf(text), { mode: 0o600 });
  }
}

/** Whether a text is kept: empty texts and documents are not, nor, as in a shell, is one that begins with a space. */
export const isKept = (text: string): boolean =>
  text.trim() !== '' && !text.startsWith(' ') && text.length <= MAX_CHARS;

const lineOf = (text: string): string => `${JSON.stringify(text)}\n`;

/** Returns null for a line that a crash has cut. */
function textOf(line: string): string | null {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
