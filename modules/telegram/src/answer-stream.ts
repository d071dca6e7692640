/** Sends the answer of a turn: a preview while the model writes, and the complete answer at the end. */
import { setTimeout } from 'node:timers/promises';
import { type Item, isRetryable } from '@chat-kernel/client';
import type { KernelClient, Logger, TurnStream } from '@chat-kernel/module-sdk';
import {
  errorDetail,
  hasStatus,
  isKeyAlive,
  retry,
  retryUntilAvailable,
} from '@chat-kernel/module-sdk/surface';
import type { Bot } from './bot.ts';
import { Draft } from './draft.ts';
import type { Outbox } from './outbox.ts';
import { split } from './split.ts';
import type { Store } from './store.ts';
import type { Body, Image, TurnRow } from './tables.ts';

const POLL_INTERVAL_MS = 2000;
/** Delays between attempts to read an answer that the kernel cannot return yet, and the maximum number of rejections. */
const PAUSES = { firstMs: 2000, maxMs: 60_000 };
const MAX_REFUSALS = 10;
const PAGE = 50;
const MAX_ALBUM_SIZE = 10;
const RUNNING = new Set(['queued', 'sleeping', 'running']);

interface Services {
  bot: Bot;
  store: Store;
  kernel: KernelClient;
  outbox: Outbox;
  log: Logger;
  signal: AbortSignal;
}

export const updateKey = (updateId: number): string => `telegram-${updateId}`;

interface Answer {
  bodies: Body[];
  /** The text of the model, if the turn has completed. */
  said: string;
}

export class AnswerStream {
  /** Updates whose queued messages are being replaced. The end of their unstarted turns is not reported. */
  readonly replaced = new Set<number>();
  readonly #services: Services;
  /** The last answer of each chat, until it is in the outbox. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Resumes the answers that an earlier process has not sent. */
  resume(): void {
    const { store, kernel, signal } = this.#services;
    for (const turn of store.openTurns()) {
      const options = { idempotencyKey: updateKey(turn.update_id), signal };
      void this.deliver(
        turn,
        isKeyAlive(turn.taken_at) ? kernel.turn(turn.kernel_chat, turn.request, options) : undefined,
      );
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
    const { signal, store, outbox, log } = this.#services;
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
            if (signal.aborted) return false;
            log.error(`An answer cannot be delivered yet, retrying: ${(error as Error).message}`);
            open = undefined;
            return isRetryable(error) || ++refusals < MAX_REFUSALS;
          },
        },
      );
    } catch (error) {
      if (signal.aborted) return;
      store.transaction(() => {
        store.send(turn, { kind: 'exact', text: `Reading the answer failed: ${errorDetail(error)}` });
        store.forgetTurn(turn.update_id);
      });
      outbox.flush();
    }
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
    const answer = await this.#answerOf(turn);
    // Two turns can end within one poll. Keep the answers in the order of their questions.
    await earlier;
    if (!answer) {
      this.replaced.delete(turn.update_id);
      store.forgetTurn(turn.update_id);
      return;
    }
    const { bodies, said } = answer;
    // The message with the preview is known by now.
    const edit = store.turn(turn.update_id)?.live_message ?? undefined;
    const beginning = bodies.findIndex(({ kind }) => kind === 'text');
    store.transaction(() => {
      bodies.forEach((body, index) => {
        const first = index === beginning;
        const reply_to = turn.chat_id < 0 ? { reply_to: turn.message_id } : {};
        store.send(turn, first ? { ...body, ...reply_to, ...(edit !== undefined && { edit }) } : body);
      });
      if (said !== '' && store.hasMark(turn, 'voice')) store.send(turn, { kind: 'voice', markdown: said });
      store.forgetTurn(turn.update_id);
    });
    outbox.flush();
    if (turn.chat_id < 0) {
      await kernel
        .reportTriage({ engaged: 1, responded: bodies.length > 0 ? 1 : 0 }, { signal })
        .catch(() => {});
    }
  }

  /** Waits for the end of the turn and returns its answer; undefined: its message was replaced. */
  async #answerOf({ update_id, kernel_chat, turn_id }: TurnRow): Promise<Answer | undefined> {
    const { kernel, signal } = this.#services;
    try {
      for (;;) {
        const turn = await retryUntilAvailable(
          () => kernel.getTurn(kernel_chat, turn_id as string, { signal }),
          signal,
        );
        if (RUNNING.has(turn.status)) {
          await setTimeout(POLL_INTERVAL_MS, undefined, { signal });
          continue;
        }
        if (turn.status === 'cancelled' && this.replaced.has(update_id)) return undefined;
        const items = await retryUntilAvailable(() => this.#itemsOf(kernel_chat, turn_id as string), signal);
        const said = turn.status === 'completed' ? answerText(items) : '';
        return { bodies: buildBodies(items, endingText(turn)), said };
      }
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      return { bodies: [{ kind: 'text', markdown: 'The chat of this message was deleted.' }], said: '' };
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

/** The last line of a failed or stopped answer. */
function endingText({ status, error }: { status: string; error?: { message: string } | undefined }): string {
  if (status === 'failed') return `⚠️ ${error?.message ?? 'The turn failed.'}`;
  return status === 'cancelled' ? '⏹ Stopped.' : '';
}

const answerText = (items: readonly Item[]): string =>
  items
    .flatMap(item => (item.kind === 'agent_message' ? [item.text] : []))
    .join('\n\n')
    .trim();

/** Consecutive images form one album, up to the size that Telegram allows. */
function addImage(bodies: Body[], image: Image): void {
  const last = bodies.at(-1);
  if (last?.kind === 'album' && last.images.length < MAX_ALBUM_SIZE) last.images.push(image);
  else if (last?.kind === 'image') {
    const { kind: _, ...first } = last;
    bodies.splice(-1, 1, { kind: 'album', images: [first, image] });
  } else bodies.push({ kind: 'image', ...image });
}

/** Splits an answer into messages: texts between images, each text in as many messages as it needs. */
function buildBodies(items: readonly Item[], ending: string): Body[] {
  const bodies: Body[] = [];
  let text: string[] = [];
  const flush = () => {
    for (const markdown of split(text.join('\n\n'))) bodies.push({ kind: 'text', markdown });
    text = [];
  };
  for (const item of items) {
    if (item.kind === 'agent_message') text.push(item.text);
    else if (item.kind === 'image') {
      flush();
      addImage(bodies, { image_id: item.image_id, media_type: item.media_type });
    }
  }
  if (ending !== '') text.push(ending);
  flush();
  return bodies.length > 0 ? bodies : [{ kind: 'text', markdown: '(Empty response)' }];
}
