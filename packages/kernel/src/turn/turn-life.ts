/**
 * Tracks the life of a turn: when its speaker is known, how long clients can be asked for it, and how it is ended from
 * outside.
 */
import type { TurnEnd, TurnErrorCode } from '@chat-kernel/protocol';
import type { NewMessage } from '../ports/index.ts';
import type { Ending } from './ending.ts';

export class TurnLife {
  readonly #abort = new AbortController();
  /** True once the speaker is known, so that the client of the turn may be asked. */
  begun = false;
  #closing = false;
  /** True once the chat belongs to another kernel: this kernel no longer writes or publishes anything for the turn. */
  isFenced = false;

  /** Aborted when the turn must end, with the ending as its reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True while clients can be asked for the turn: it is not closing and has not ended. */
  get isOpen(): boolean {
    return !this.#closing && !this.signal.aborted;
  }

  begin(): void {
    this.begun = true;
  }

  /** Marks the turn as closing: clients can no longer be asked for it. */
  beginClosing(): void {
    this.#closing = true;
  }

  /** Ends the turn here because the chat belongs to another kernel, which continues its turns. */
  fence(ending: Ending): void {
    this.isFenced = true;
    this.end(ending);
  }

  /** Ends the turn from outside; the first ending counts. */
  end(ending: Ending): void {
    this.#abort.abort(ending);
  }
}

/** The messages that a turn has written, the model's last text, and how the turn ended. */
export class TurnOutcome {
  /** The ids of the messages that the turn has written, in order. */
  readonly messageIds: string[] = [];
  /** The last text of the model; empty until then. */
  lastText = '';
  /** The status of an ended turn; null before. */
  status: TurnEnd | null = null;
  /** The code of the error with which the turn failed. */
  errorCode: TurnErrorCode | undefined;

  /** Records messages that the turn wrote in an earlier process. */
  takeUp(messages: readonly NewMessage[]): void {
    this.messageIds.push(...messages.map(message => message.id));
  }

  /** Records messages of the turn that are stored or are being stored. */
  addMessages(messages: readonly NewMessage[]): void {
    this.messageIds.push(...messages.map(message => message.id));
    const reply = messages.findLast(({ role }) => role === 'assistant')?.content ?? [];
    const texts = reply.flatMap(block =>
      block.type === 'text' && !block.internal?.note ? [block.text] : [],
    );
    if (texts.length > 0) this.lastText = texts.join('\n');
  }

  end(status: TurnEnd, errorCode?: TurnErrorCode): void {
    this.status = status;
    this.errorCode = errorCode;
  }
}
