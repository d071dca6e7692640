/**
 * The life of a turn: when its speaker is known, how long clients can be asked in its name, and the ending from
 * outside.
 */
import type { Ending } from './ending.ts';

export class TurnLife {
  readonly #abort = new AbortController();
  #begun = false;
  #closing = false;

  /** Aborted when the turn is to end, with the ending as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True once the speaker is known, so that the client of the turn may be asked. */
  get begun(): boolean {
    return this.#begun;
  }

  /** True while clients can be asked in the name of the turn, which is neither about to end nor over. */
  get isOpen(): boolean {
    return !this.#closing && !this.signal.aborted;
  }

  begin(): void {
    this.#begun = true;
  }

  /** Notes that the turn is closing: clients cannot be asked in its name any more. */
  beginClosing(): void {
    this.#closing = true;
  }

  /** Ends the turn from outside; the first ending counts. */
  end(ending: Ending): void {
    this.#abort.abort(ending);
  }
}
