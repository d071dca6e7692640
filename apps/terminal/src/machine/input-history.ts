/** What the owner has sent before, kept for the next time: one JSON text a line, in a file for the owner alone. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const MOST = 1000;
/** A longer text is a document, not a line to say again. */
const LONGEST_CHARS = 10_000;

/** `$XDG_STATE_HOME/chat-kernel/history`, by default below ~/.local/state. */
export function historyPath(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME;
  const state = given?.startsWith('/') ? given : join(homedir(), '.local/state');
  return join(state, 'chat-kernel', 'history');
}

export class InputHistory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The oldest first, at most 1,000; a file that has grown to twice of that is cut. @throws where it can't be read */
  load(): string[] {
    if (!existsSync(this.#path)) return [];
    chmodSync(this.#path, 0o600);
    const text = readFileSync(this.#path, 'utf8');
    // What a crash has cut should not take the next line with it.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#path, '\n');
    const texts = text
      .split('\n')
      .map(textOf)
      .filter(each => each !== null);
    const kept = texts.slice(-MOST);
    if (texts.length > 2 * MOST) {
      const fresh = `${this.#path}.${process.pid}`;
      writeFileSync(fresh, kept.map(lineOf).join(''), { mode: 0o600 });
      renameSync(fresh, this.#path);
    }
    return kept;
  }

  /** @throws where it can't be written */
  add(text: string): void {
    if (!isKept(text)) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    appendFileSync(this.#path, lineOf(text), { mode: 0o600 });
  }
}

/** Neither nothing nor a document; and as in a shell, what begins with a space is not kept. */
export const isKept = (text: string): boolean =>
  text.trim() !== '' && !text.startsWith(' ') && text.length <= LONGEST_CHARS;

const lineOf = (text: string): string => `${JSON.stringify(text)}\n`;

/** Null where a line was cut off by a crash. */
function textOf(line: string): string | null {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
