/**
 * The journal: writes the content of running steps to a file before readers get it, so that a killed process loses
 * nothing that was shown (SAFE-4). Writes go to the operating system without a sync: they survive the process, and
 * content that must survive the machine is in the store when the step is over.
 */
import type { JournalFile, Log, NewMessage, StoredBlock } from '../ports/index.ts';
import { beginLine, blockLine, parseMessages, textLine, wholeLines } from './lines.ts';

/** The size in bytes from which the file is rewritten without stored content. */
const LARGE = 16 * 1024 * 1024;

export class Journal {
  #file: JournalFile | undefined;
  readonly #log: Log;
  /** The content of the next write. */
  #lines = '';
  /** The messages that are not stored yet, by turn and id, in the order in which they began. */
  readonly #kept = new Map<string, Map<string, NewMessage>>();
  readonly #places = new WeakMap<StoredBlock, { id: string; at: number }>();
  /** The size in bytes from which the next write rewrites the file. */
  #most = LARGE;
  #failing = false;
  /** True while recovered content is not completely stored: until then nothing is removed from the file. */
  #recovering = false;

  /** @param file absent: nothing is written, and the store gets copies of the running steps */
  constructor(file: JournalFile | undefined, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** True while a crash cannot lose content of which the store has no copy. */
  get isEnough(): boolean {
    return this.#file?.alone === true && !this.#failing;
  }

  /** The messages that the previous process may not have stored, by turn. */
  recover(): Map<string, NewMessage[]> {
    this.#recovering = true;
    const lines = (this.#file?.read() ?? []).filter(line => line !== '');
    const { messages, unreadable } = parseMessages(lines);
    if (unreadable > 0) {
      this.#log.warn(
        { lines: lines.length, unreadable_lines: unreadable },
        'the journal of running turns is damaged; some text is lost',
      );
    }
    return messages;
  }

  /** Removes the rest of the file: everything recovered is stored or part of a running step. */
  recovered(): void {
    this.#recovering = false;
    this.#lines = '';
    this.#safely(file => this.#writeAnew(file));
  }

  /** Adds a message of a running step that begins or was restored in its current state. */
  begin(message: NewMessage): void {
    const turnId = message.turn_id;
    if (this.#file === undefined || turnId === null) return;
    const messages = this.#kept.get(turnId) ?? new Map<string, NewMessage>();
    messages.set(message.id, message);
    this.#kept.set(turnId, messages);
    this.#lines += beginLine(message);
    for (const block of message.content) this.block(message, block);
  }

  /** Adds a new or changed block of a message. */
  block(message: NewMessage, block: StoredBlock): void {
    if (this.#file === undefined) return;
    const at = this.#places.get(block)?.at ?? message.content.lastIndexOf(block);
    this.#places.set(block, { id: message.id, at });
    this.#lines += blockLine(message.id, at, block);
  }

  /** Appends text to a block. @param json the new text, as JSON */
  text(block: StoredBlock, json: string): void {
    const place = this.#places.get(block);
    if (place !== undefined) this.#lines += textLine(place.id, place.at, json);
  }

  /** Removes stored messages. */
  stored(messages: readonly NewMessage[]): void {
    for (const { turn_id, id } of messages) {
      const kept = this.#kept.get(turn_id ?? '');
      if (kept?.delete(id) && kept.size === 0) this.ended(turn_id ?? '');
    }
  }

  /** Removes all messages of an ended turn. */
  ended(turnId: string): void {
    this.#kept.delete(turnId);
    if (this.#kept.size > 0 || this.#file === undefined || this.#recovering) return;
    this.#lines = '';
    if (this.#file.size > 0) this.#safely(file => file.replace(''));
  }

  /** Writes new content. Everything sent to readers afterwards is in the file. */
  flush(): void {
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#safely(file => {
      if (!this.#recovering && (this.#failing || file.size > this.#most)) this.#writeAnew(file);
      else file.append(lines);
    });
  }

  close(): void {
    this.flush();
    this.#file?.close();
    this.#file = undefined;
  }

  #writeAnew(file: JournalFile): void {
    const messages = [...this.#kept.values()].flatMap(kept => [...kept.values()]);
    file.replace(messages.map(wholeLines).join(''));
    this.#most = Math.max(LARGE, 2 * file.size);
  }

  /**
   * If the journal fails, a turn continues without it: the store then gets copies, and the next write rewrites the
   * file.
   */
  #safely(work: (file: JournalFile) => void): void {
    if (this.#file === undefined) return;
    try {
      work(this.#file);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#log.error({ err: error }, 'writing the journal of running turns failed');
      this.#failing = true;
    }
  }
}
