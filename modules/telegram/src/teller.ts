/** Tells the answer of a turn: its beginning while it grows, and the whole once it has ended. */
import { setTimeout } from 'node:timers/promises';
import type { Item } from '@chat-kernel/client';
import type { KernelClient, Logger, TurnStream } from '@chat-kernel/module-sdk';
import type { Bot } from './bot.ts';
import { Draft } from './draft.ts';
import { hasStatus, whenThere } from './kernel-answers.ts';
import type { Outbox } from './outbox.ts';
import { split } from './split.ts';
import type { Store } from './store.ts';
import type { Body, Image, TurnRow } from './tables.ts';

/** The kernel knows a key for a day: after that, a repeat would be a new turn. */
const KEY_COUNTS_MS = 23 * 60 * 60 * 1000;
const LOOK_AGAIN_MS = 2000;
/** Between attempts to tell an answer that the kernel cannot show. */
const LONGEST_WAIT_MS = 60_000;
const PAGE = 50;
const MOST_IN_ALBUM = 10;
const RUNNING = new Set(['queued', 'sleeping', 'running']);

interface Services {
  bot: Bot;
  store: Store;
  kernel: KernelClient;
  outbox: Outbox;
  log: Logger;
  signal: AbortSignal;
}

export const keyCounts = ({ taken_at }: Pick<TurnRow, 'taken_at'>): boolean =>
  Date.now() - taken_at < KEY_COUNTS_MS;

export const keyOf = (updateId: number): string => `telegram-${updateId}`;

interface Answer {
  bodies: Body[];
  /** What the model said, where the turn has completed. */
  said: string;
}

export class Teller {
  /** The updates of messages that are being replaced: of the end of a turn that never began nobody is told. */
  readonly replaced = new Set<number>();
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Goes on with the answers that a process before this one has not told. */
  resume(): void {
    const { store, kernel, signal } = this.#services;
    for (const turn of store.openTurns()) {
      const options = { idempotencyKey: keyOf(turn.update_id), signal };
      void this.tell(
        turn,
        keyCounts(turn) ? kernel.turn(turn.kernel_chat, turn.request, options) : undefined,
      );
    }
  }

  /** Resolves when the answer is in the outbox. Never rejects. @param stream the turn's; without one its end is looked up */
  async tell(turn: TurnRow, stream: TurnStream | undefined): Promise<void> {
    const { signal, log } = this.#services;
    let open = stream;
    for (let wait = LOOK_AGAIN_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        if (open) await this.#show(turn, open);
        return await this.#finish(turn);
      } catch (error) {
        if (signal.aborted) return;
        log.error(`An answer cannot be told yet: ${(error as Error).message}`);
        open = undefined;
        await setTimeout(wait, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #show(turn: TurnRow, stream: TurnStream): Promise<void> {
    const { bot, store, signal } = this.#services;
    const draft = new Draft({
      bot,
      turn,
      signal,
      stop: () => store.buttons([[{ text: 'Stop', press: { do: 'stop', update_id: turn.update_id } }]]),
      onMessage: id => store.growsIn(turn.update_id, id),
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
      // The stream is lost for good; how the turn ended is asked for instead.
      signal.throwIfAborted();
    } finally {
      await draft.end();
    }
  }

  async #finish(turn: TurnRow): Promise<void> {
    const { store, outbox, kernel, signal } = this.#services;
    const answer = await this.#answerOf(turn);
    if (!answer) {
      this.replaced.delete(turn.update_id);
      store.forgetTurn(turn.update_id);
      return;
    }
    const { bodies, said } = answer;
    // The message in which the answer grew is known by now.
    const edit = store.turn(turn.update_id)?.live_message ?? undefined;
    const beginning = bodies.findIndex(({ kind }) => kind === 'text');
    store.together(() => {
      bodies.forEach((body, index) => {
        const first = index === beginning;
        const reply_to = turn.chat_id < 0 ? { reply_to: turn.message_id } : {};
        store.send(turn, first ? { ...body, ...reply_to, ...(edit !== undefined && { edit }) } : body);
      });
      if (said !== '' && store.marked(turn, 'voice')) store.send(turn, { kind: 'voice', markdown: said });
      store.forgetTurn(turn.update_id);
    });
    outbox.flush();
    if (turn.chat_id < 0) {
      await kernel
        .reportTriage({ engaged: 1, responded: bodies.length > 0 ? 1 : 0 }, { signal })
        .catch(() => {});
    }
  }

  /** Waits for the end of the turn, and returns what it said; undefined: its message was replaced. */
  async #answerOf({ update_id, kernel_chat, turn_id }: TurnRow): Promise<Answer | undefined> {
    const { kernel, signal } = this.#services;
    try {
      for (;;) {
        const turn = await whenThere(
          () => kernel.getTurn(kernel_chat, turn_id as string, { signal }),
          signal,
        );
        if (RUNNING.has(turn.status)) {
          await setTimeout(LOOK_AGAIN_MS, undefined, { signal });
          continue;
        }
        if (turn.status === 'cancelled' && this.replaced.has(update_id)) return undefined;
        const items = await whenThere(() => this.#itemsOf(kernel_chat, turn_id as string), signal);
        const said = turn.status === 'completed' ? wordsOf(items) : '';
        return { bodies: bodiesOf(items, endingOf(turn)), said };
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

/** The sentence that ends an answer which did not end by itself. */
function endingOf({ status, error }: { status: string; error?: { message: string } | undefined }): string {
  if (status === 'failed') return `⚠️ ${error?.message ?? 'The turn failed.'}`;
  return status === 'cancelled' ? '⏹ Stopped.' : '';
}

const wordsOf = (items: readonly Item[]): string =>
  items
    .flatMap(item => (item.kind === 'agent_message' ? [item.text] : []))
    .join('\n\n')
    .trim();

/** Images in a row are one album, of as many as Telegram takes. */
function addImage(bodies: Body[], image: Image): void {
  const last = bodies.at(-1);
  if (last?.kind === 'album' && last.images.length < MOST_IN_ALBUM) last.images.push(image);
  else if (last?.kind === 'image') {
    const { kind: _, ...first } = last;
    bodies.splice(-1, 1, { kind: 'album', images: [first, image] });
  } else bodies.push({ kind: 'image', ...image });
}

/** The messages of an answer: texts between images, each text in as many messages as it needs. */
function bodiesOf(items: readonly Item[], ending: string): Body[] {
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
  return bodies.length > 0 ? bodies : [{ kind: 'text', markdown: '(The model said nothing.)' }];
}
