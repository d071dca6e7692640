/**
 * The messages that wait behind the running turn: the owner takes them back to change or drop them. The kernel drops a
 * message with those behind it (WAIT-4), so those are sent again.
 */
import type { KernelClient } from '@chat-kernel/client';
import type { OpenChats } from '../chats/open-chats.ts';
import type { Outbox } from '../chats/outbox.ts';
import type { AppState, WaitingMessage } from '../state/app-state.ts';
import { otherWaiting, waitingHere } from '../state/waiting-messages.ts';
import type { MessageInput } from './message-input.ts';

export class WaitingLine {
  readonly #client: KernelClient;
  readonly #state: () => AppState;
  readonly #chats: OpenChats;
  readonly #outbox: Outbox;
  readonly #input: MessageInput;
  /** A message is on its way back. */
  #taking = false;

  constructor(
    client: KernelClient,
    state: () => AppState,
    chats: OpenChats,
    outbox: Outbox,
    input: MessageInput,
  ) {
    this.#client = client;
    this.#state = state;
    this.#chats = chats;
    this.#outbox = outbox;
    this.#input = input;
  }

  /** The messages of this client that wait in the chat on the screen and can be taken back, the oldest first. */
  get messages(): readonly WaitingMessage[] {
    const state = this.#state();
    return waitingHere(state).filter(({ turn_id }) => turn_id !== state.snapshot.turn?.turn_id);
  }

  /** Takes one message back into the input; those behind it stay in line. @throws Error with a sentence for the owner */
  async takeBack(message: WaitingMessage): Promise<void> {
    const line = this.messages;
    const index = line.indexOf(message);
    if (index < 0) throw new Error(BEGUN);
    await this.#drop(line.slice(index));
    this.#input.restore(message.sent);
    for (const { sent } of line.slice(index + 1)) this.#outbox.send(sent);
  }

  /** Takes the last one back, unless one is on its way. @throws Error with a sentence for the owner */
  async takeLastBack(): Promise<void> {
    const last = this.messages.at(-1);
    if (last === undefined || this.#taking) return;
    this.#taking = true;
    try {
      await this.takeBack(last);
    } finally {
      this.#taking = false;
    }
  }

  /** Takes all of them back into the input. The turn that runs goes on. @returns how many @throws Error */
  async takeAllBack(): Promise<number> {
    const line = this.messages;
    if (line.length === 0) return 0;
    await this.#drop(line);
    for (const { sent } of line.toReversed()) this.#input.restore(sent);
    return line.length;
  }

  /** @param line the end of the line, the oldest first */
  async #drop(line: readonly WaitingMessage[]): Promise<void> {
    const [first] = line;
    if (first === undefined) return;
    if (otherWaiting(this.#state(), line) > 0) {
      throw new Error('Messages of another client wait among them: /cancel queue drops all.');
    }
    // The same call would rewind a chat to before a message whose turn is over.
    if (!(await this.#outbox.isWaiting(first))) throw new Error(BEGUN);
    await this.#client.rewind(first.chat_id, first.message_id);
    this.#outbox.forget(line);
    await this.#chats.shown?.view.refresh();
  }
}

const BEGUN = 'Its turn has begun.';
