/** Sends the answer of a turn: a preview while the model writes, and the complete answer at the end. */
import { setTimeout } from 'node:timers/promises';
import { type Item, isRetryable } from '@chat-kernel/client';
import type { KernelClient, TurnStream } from '@chat-kernel/module-sdk';
import {
  errorDetail,
  GivenUp,
  hasStatus,
  isKeyAlive,
  retry,
  retryUntilAvailable,
} from '@chat-kernel/module-sdk/surface';
import { answerText, buildBodies, endingText } from './answer-bodies.ts';
import { Draft } from './draft.ts';
import { answerWork, describeHidden } from './given-up.ts';
import type { SendingServices } from './outbox.ts';
import type { Body, TurnRow } from './tables.ts';

const POLL_INTERVAL_MS = 2000;
/** Delays between attempts to read an answer that the kernel cannot return yet, and the maximum number of rejections. */
const PAUSES = { firstMs: 2000, maxMs: 60_000 };
const MAX_REFUSALS = 10;
const PAGE = 50;
const RUNNING = new Set(['queued', 'sleeping', 'running']);

export const updateKey = (updateId: number): string => `telegram-${updateId}`;

type Turn = Awaited<ReturnType<KernelClient['getTurn']>>;

interface Answer {
  bodies: Body[];
  /** The text of the model, if the turn has completed. */
  said: string;
}

export class AnswerStream {
  /** Updates whose queued messages are being replaced. The end of their unstarted turns is not reported. */
  readonly replaced = new Set<number>();
  readonly #services: SendingServices;
  /** The last answer of each chat, until it is in the outbox. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(services: SendingServices) {
    this.#services = services;
  }

  /** Resumes the answers that an earlier process has not sent. */
  resume(): void {
    const { store, kernel, guard, signal } = this.#services;
    for (const turn of store.openTurns()) {
      const isShown = isKeyAlive(turn.taken_at) && !guard.isGivenUp(answerWork(turn.update_id));
      const options = { idempotencyKey: updateKey(turn.update_id), signal };
      void this.deliver(turn, isShown ? kernel.turn(turn.kernel_chat, turn.request, options) : undefined);
    }
  }

  /**
   * Resolves when the answer is in the outbox, after the answers of earlier turns of the chat.
   * @param stream of the turn; without one, its end is polled
   */
  deliver(turn: TurnRow, stream: TurnStream | undefined): Promise<void> {
    const { kernel_chat } = turn;
    const told = this.#tell(turn, stream, this.#last.get(kernel_chat)).finally(() => {
      if (this.#last.get(kernel_chat) === told) this.#last.delete(kernel_chat);
    });
    this.#last.set(kernel_chat, told);
    return told;
  }

  async #tell(
    turn: TurnRow,
    stream: TurnStream | undefined,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    const { signal, log } = this.#services;
    let open = stream;
    let refusals = 0;
    try {
      await retry(
        async () => {
          if (open) await this.#show(turn, open);
          await this.#finish(turn, earlier);
        },
        {
          signal,
          pauses: PAUSES,
          isRetryable: error => {
            if (signal.aborted || error instanceof GivenUp) return false;
            log.error(`An answer cannot be delivered yet, retrying: ${(error as Error).message}`);
            open = undefined;
            return isRetryable(error) || ++refusals < MAX_REFUSALS;
          },
        },
      );
    } catch (error) {
      if (!signal.aborted) await this.#report(turn, error);
    }
  }

  /** Sends a notice instead of the answer. */
  async #report(turn: TurnRow, error: unknown): Promise<void> {
    const { store, kernel, guard, outbox, log, signal } = this.#services;
    let body: Body = { kind: 'exact', text: `Reading the answer failed: ${errorDetail(error)}` };
    if (error instanceof GivenUp) {
      log.error(`An answer to chat ${turn.chat_id} is given up: reading it ended the process twice.`);
      const edit = store.turn(turn.update_id)?.live_message ?? undefined;
      const text = await describeHidden(turn, kernel, signal);
      body = { kind: 'exact', text, notice: true, ...(edit !== undefined && { edit }) };
    }
    store.transaction(() => {
      store.send(turn, body);
      store.forgetTurn(turn.update_id);
    });
    guard.end(answerWork(turn.update_id));
    outbox.flush();
  }

  async #show(turn: TurnRow, stream: TurnStream): Promise<void> {
    const { bot, store, signal } = this.#services;
    const draft = new Draft({
      bot,
      turn,
      signal,
      stop: () => store.buttons([[{ text: 'Stop', press: { do: 'stop', update_id: turn.update_id } }]]),
      onMessage: id => store.setLiveMessage(turn.update_id, id),
    });
    draft.begin();
    let text = '';
    try {
      for await (const event of stream) {
        if (event.type === 'reset') text = '';
        else if (event.type === 'text_delta') {
          text += event.text;
          draft.show(text);
        } else if (event.type === 'tool_call') {
          if (text !== '' && !text.endsWith('\n')) text += '\n\n';
          draft.begin();
        }
      }
    } catch {
      // The stream cannot be resumed, so poll for the end of the turn.
      signal.throwIfAborted();
    } finally {
      await draft.end();
    }
  }

  async #finish(turn: TurnRow, earlier: Promise<void> | undefined): Promise<void> {
    const { store, outbox, kernel, signal } = this.#services;
    const ended = await this.#endOf(turn);
    // Two turns can end within one poll. Keep the answers in the order of their questions.
    await earlier;
    if (ended?.status === 'cancelled' && this.replaced.has(turn.update_id)) {
      this.replaced.delete(turn.update_id);
      store.forgetTurn(turn.update_id);
      return;
    }
    const isAnswered = await retryUntilAvailable(() => this.#queue(turn, ended), signal);
    outbox.flush();
    if (turn.chat_id < 0) {
      await kernel.reportTriage({ engaged: 1, responded: isAnswered ? 1 : 0 }, { signal }).catch(() => {});
    }
  }

  /**
   * Reads the answer and puts its messages into the outbox. Resolves with whether there are any.
   * @param ended undefined: the chat was deleted
   * @throws GivenUp if the answer has ended the process twice
   */
  async #queue(turn: TurnRow, ended: Turn | undefined): Promise<boolean> {
    const { store, guard } = this.#services;
    const { update_id, kernel_chat } = turn;
    const work = answerWork(update_id);
    await guard.begin(work);
    try {
      const { bodies, said } = await this.#answerOf(turn, ended);
      const answer = { update_id, kernel_chat };
      // The message with the preview is known by now.
      const edit = store.turn(update_id)?.live_message ?? undefined;
      const beginning = bodies.findIndex(({ kind }) => kind === 'text');
      store.transaction(() => {
        bodies.forEach((body, index) => {
          const reply_to = turn.chat_id < 0 ? { reply_to: turn.message_id } : {};
          const first = index === beginning && { ...reply_to, ...(edit !== undefined && { edit }) };
          store.send(turn, { ...body, ...first, answer });
        });
        if (said !== '' && store.hasMark(turn, 'voice'))
          store.send(turn, { kind: 'voice', markdown: said, answer });
        store.forgetTurn(update_id);
      });
      return bodies.length > 0;
    } finally {
      // The outbox continues it.
      guard.pause(work);
    }
  }

  async #answerOf({ kernel_chat, turn_id }: TurnRow, ended: Turn | undefined): Promise<Answer> {
    try {
      if (ended) {
        const items = await this.#itemsOf(kernel_chat, turn_id as string);
        const said = ended.status === 'completed' ? answerText(items) : '';
        return { bodies: buildBodies(items, endingText(ended)), said };
      }
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
    }
    return { bodies: [{ kind: 'text', markdown: 'The chat of this message was deleted.' }], said: '' };
  }

  /** Waits for the end of the turn; undefined: the chat was deleted. */
  async #endOf({ kernel_chat, turn_id }: TurnRow): Promise<Turn | undefined> {
    const { kernel, signal } = this.#services;
    const read = () => kernel.getTurn(kernel_chat, turn_id as string, { signal });
    try {
      for (;;) {
        const turn = await retryUntilAvailable(read, signal);
        if (!RUNNING.has(turn.status)) return turn;
        await setTimeout(POLL_INTERVAL_MS, undefined, { signal });
      }
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      return undefined;
    }
  }

  async #itemsOf(chatId: string, turnId: string): Promise<Item[]> {
    const { kernel, signal } = this.#services;
    let found: Item[] = [];
    for (let before: string | undefined; ; ) {
      const { items } = await kernel.listItems(
        chatId,
        { limit: PAGE, ...(before && { before }) },
        { signal },
      );
      found = [...items.filter(item => item.turn_id === turnId), ...found];
      // The message of the user is the first item of its turn.
      if (items.length === 0 || found[0]?.kind === 'user_message') return found;
      before = items[0]?.id;
    }
  }
}
