/**
 * The life of a turn: when its speaker is known, how long clients can be asked in its name, and the ending from
 * outside.
 */
import { type Ending, endingOf } from './ending.ts';

export class TurnLife {
  /**
   * Resolves once the message that started the turn is on the disk. A turn begins before that, and its model is asked;
   * nobody is told anything of it, and nothing follows from the answer, until this resolves. Rejects where the message
   * could not be stored: the turn then never was.
   */
  stored: Promise<void> = Promise.resolve();
  isStored = true;
  readonly #abort = new AbortController();
  #begun = false;
  #closing = false;
  #fenced = false;

  /** Aborted when the turn is to end, with the ending as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True once the speaker is known, so that the client of the turn may be asked. */
  get begun(): boolean {
    return this.#begun;
  }

  /** True once the chat belongs to another kernel: nothing is written or told in the name of the turn any more. */
  get isFenced(): boolean {
    return this.#fenced;
  }

  /** True while clients can be asked in the name of the turn, which is neither about to end nor over. */
  get isOpen(): boolean {
    return !this.#closing && !this.signal.aborted;
  }

  begin(): void {
    this.#begun = true;
  }

  /** The turn begins while its message is being stored. */
  beginUnstored(stored: Promise<void>): void {
    this.isStored = false;
    this.stored = stored.then(() => {
      this.isStored = true;
    });
    this.stored.catch(error => this.end(endingOf(error)));
  }

  /** Notes that the turn is closing: clients cannot be asked in its name any more. */
  beginClosing(): void {
    this.#closing = true;
  }

  /** The chat belongs to another kernel, which goes on with its turns. */
  fence(ending: Ending): void {
    this.#fenced = true;
    this.end(ending);
  }

  /** Ends the turn from outside; the first ending counts. */
  end(ending: Ending): void {
    this.#abort.abort(ending);
  }
}
