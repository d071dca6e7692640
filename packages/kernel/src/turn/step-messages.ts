/**
 * Builds the messages of a step: the model's reply and the results of its calls. Records each added block in the
 * journal.
 */
import { newId } from '../base/ids.ts';
import type { Journal } from '../journal/journal.ts';
import { type Clock, type NewMessage, type StoredBlock, type TurnRecord, timestamp } from '../ports/index.ts';

export type StepJournal = Pick<Journal, 'begin' | 'block'>;

/** Returns a new message of a turn. One of the role `user` is not the user's: its blocks are results, or context. */
export const messageOfTurn = (
  { id: turn_id, chat_id }: { id: string; chat_id: string },
  role: NewMessage['role'],
  content: StoredBlock[],
  clock: Clock,
): NewMessage => ({
  id: newId(),
  chat_id,
  role,
  turn_id,
  content,
  created_at: timestamp(clock),
  status: 'completed',
});

export class StepMessages {
  readonly #turn: { id: string; chat_id: string };
  readonly #clock: Clock;
  readonly #journal: StepJournal | undefined;
  #reply: NewMessage | null = null;
  #results: NewMessage | null = null;

  /** @param journal absent: the step is not recorded */
  constructor(turn: { id: string; chat_id: string }, clock: Clock, journal?: StepJournal) {
    this.#turn = turn;
    this.#clock = clock;
    this.#journal = journal;
  }

  get reply(): Readonly<NewMessage> | null {
    return this.#reply;
  }

  get results(): Readonly<NewMessage> | null {
    return this.#results;
  }

  get all(): NewMessage[] {
    return [this.#reply, this.#results].filter(message => message !== null);
  }

  /** Adds a block to the reply; returns the time of that message, which its items use. */
  addToReply(block: StoredBlock): string {
    this.#reply ??= this.#begin('assistant');
    this.#add(this.#reply, block);
    return this.#reply.created_at;
  }

  /** @param isCutShort true if the call was ended without a real result */
  addToResults(blocks: readonly StoredBlock[], isCutShort: boolean): void {
    this.#results ??= this.#begin('user');
    if (isCutShort) this.#results.status = 'aborted';
    for (const block of blocks) this.#add(this.#results, block);
  }

  /** Records a block of the reply that has changed since it was added. */
  changed(block: StoredBlock): void {
    if (this.#reply) this.#journal?.block(this.#reply, block);
  }

  /**
   * Adds a block at the end; returns its message. After results, the block needs a separate message to be the last one.
   */
  addLast(block: StoredBlock): NewMessage {
    const message = this.#results === null && this.#reply !== null ? this.#reply : this.#begin('assistant');
    this.#add(message, block);
    return message;
  }

  endAs(status: NewMessage['status']): void {
    for (const message of this.all) message.status = status;
  }

  takeReply(): NewMessage[] {
    const message = this.#reply;
    this.#reply = null;
    return message === null ? [] : [message];
  }

  takeResults(): NewMessage[] {
    const message = this.#results;
    this.#results = null;
    return message === null ? [] : [message];
  }

  restore(checkpoint: readonly NewMessage[]): void {
    for (const message of checkpoint) {
      if (message.role === 'user') this.#results = message;
      else this.#reply = message;
      this.#journal?.begin(message);
    }
  }

  #add(message: NewMessage, block: StoredBlock): void {
    message.content.push(block);
    this.#journal?.block(message, block);
  }

  #begin(role: 'user' | 'assistant'): NewMessage {
    const message = messageOfTurn(this.#turn, role, [], this.#clock);
    this.#journal?.begin(message);
    return message;
  }
}

/**
 * The messages of a turn that the previous process published but did not store. If the journal could not be written for
 * a while, the checkpoint in the store is newer than the journal. Messages only grow, so the longer copy counts.
 * @param left the messages in the journal
 */
export function recoverMessages(
  { checkpoint }: Pick<TurnRecord, 'checkpoint'>,
  left: readonly NewMessage[] | undefined,
  stored: readonly NewMessage[],
): NewMessage[] {
  const known = new Set(stored.map(({ id }) => id));
  const found = new Map<string, NewMessage>();
  for (const message of [...(left ?? []), ...(checkpoint ?? [])]) {
    const other = found.get(message.id);
    if (known.has(message.id) || (other !== undefined && measureSize(other) >= measureSize(message)))
      continue;
    found.set(message.id, message);
  }
  return [...found.values()];
}

const measureSize = ({ content }: NewMessage): number => JSON.stringify(content).length;
