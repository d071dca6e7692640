/**
 * The journal: what viewers are about to be told of the running steps is first in a file, so that a process that is
 * killed loses nothing that anybody saw (SAFE-4). A write goes to the system and not to the disk: it outlives the
 * process, and what has to outlive the machine is in the store when the step is over.
 */
import type { JournalFile, Log, NewMessage, StoredBlock } from '../ports/index.ts';
import { beginLine, blockLine, messagesOf, textLine, wholeLines } from './lines.ts';

/** Bytes from which on the file is written anew without what the store has by now. */
const LARGE = 16 * 1024 * 1024;

export class Journal {
  #file: JournalFile | undefined;
  readonly #log: Log;
  /** What the next write brings. */
  #lines = '';
  /** The messages that the store does not have yet, by their turns and ids, in the order in which they began. */
  readonly #kept = new Map<string, Map<string, NewMessage>>();
  readonly #places = new WeakMap<StoredBlock, { id: string; at: number }>();
  /** Bytes from which on the next write makes the file anew. */
  #most = LARGE;
  #failing = false;
  /** What was recovered is not all stored yet: until then nothing leaves the file. */
  #recovering = false;

  /** @param file absent: nothing is kept, and the store gets copies of the running steps */
  constructor(file: JournalFile | undefined, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** True while a crash loses nothing that the store has no copy of. */
  get isEnough(): boolean {
    return this.#file?.alone === true && !this.#failing;
  }

  /** The messages that the process before this one may not have stored, by their turns. */
  recover(): Map<string, NewMessage[]> {
    this.#recovering = true;
    return messagesOf(this.#file?.read() ?? []);
  }

  /** All that was recovered is stored, or was taken up by a running step; the rest of the file goes. */
  recovered(): void {
    this.#recovering = false;
    this.#lines = '';
    this.#safely(file => this.#writeAnew(file));
  }

  /** A message of a running step begins, or was taken up as it stands. */
  begin(message: NewMessage): void {
    const turnId = message.turn_id;
    if (this.#file === undefined || turnId === null) return;
    const messages = this.#kept.get(turnId) ?? new Map<string, NewMessage>();
    messages.set(message.id, message);
    this.#kept.set(turnId, messages);
    this.#lines += beginLine(message);
    for (const block of message.content) this.block(message, block);
  }

  /** A block came to a message that began, or was changed. */
  block(message: NewMessage, block: StoredBlock): void {
    if (this.#file === undefined) return;
    const at = this.#places.get(block)?.at ?? message.content.lastIndexOf(block);
    this.#places.set(block, { id: message.id, at });
    this.#lines += blockLine(message.id, at, block);
  }

  /** The text of a block grew. @param json what was added, as JSON */
  text(block: StoredBlock, json: string): void {
    const place = this.#places.get(block);
    if (place !== undefined) this.#lines += textLine(place.id, place.at, json);
  }

  /** The store has these messages. */
  stored(messages: readonly NewMessage[]): void {
    for (const { turn_id, id } of messages) {
      const kept = this.#kept.get(turn_id ?? '');
      if (kept?.delete(id) && kept.size === 0) this.ended(turn_id ?? '');
    }
  }

  /** Nothing of this turn is to be kept any more. */
  ended(turnId: string): void {
    this.#kept.delete(turnId);
    if (this.#kept.size > 0 || this.#file === undefined || this.#recovering) return;
    this.#lines = '';
    if (this.#file.size > 0) this.#safely(file => file.replace(''));
  }

  /** Writes what is new. Whatever is told afterwards is in the file. */
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

  /** A turn goes on without its journal: the store then gets copies, and the next write makes the file anew. */
  #safely(work: (file: JournalFile) => void): void {
    if (this.#file === undefined) return;
    try {
      work(this.#file);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.#log.error({ err: error }, 'the journal of running turns could not be written');
      this.#failing = true;
    }
  }
}
