/** Rewinding: a message and all after it are deleted (MSG-3). Effects of tools outside the chat stay. */
import { cutText, KernelError, type RewoundMessages } from '@chat-kernel/protocol';
import { isId } from '../base/ids.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { Ownership } from '../fleet/ownership.ts';
import type { Histories } from '../history/histories.ts';
import { type ChatRecord, type Clock, type Store, type StoredMessage, timestamp } from '../ports/index.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import { summaryBefore } from './summary.ts';

interface RewindServices {
  store: Store;
  histories: Histories;
  toolbox: Toolbox;
  events: KernelEvents;
  clock: Clock;
  ownership: Ownership;
}

/** The longest summary of a call, in characters. */
const SUMMARY_CHARS = 200;

/** The message to rewind to. @throws KernelError not_found */
export async function messageToCut(
  chatId: string,
  id: string,
  { store }: Pick<RewindServices, 'store'>,
): Promise<StoredMessage> {
  const message = isId(id) ? await store.messages.get(chatId, id) : undefined;
  if (message === undefined) throw new KernelError('not_found', `There is no message ${id} in this chat.`);
  return message;
}

/** Deletes a message that has its place, and all after it; returns what cannot be undone. No message waits. */
export async function rewind(
  chat: ChatRecord,
  message: StoredMessage,
  { store, histories, toolbox, events, clock, ownership }: RewindServices,
): Promise<RewoundMessages> {
  const position = message.position as number;
  const [last] = await store.messages.list(chat.id, { limit: 1, before: position });
  const { deleted, with_calls } = await store.messages.rewind(
    chat.id,
    position,
    {
      summary: await summaryBefore(store, chat, position),
      // The tokens of the shorter history are unknown until the next trip.
      context_tokens: 0,
      last_message_at: last?.created_at ?? null,
      updated_at: timestamp(clock),
    },
    ownership.epochOf(chat.id),
  );
  histories.forget(chat.id);
  events.chatUpdated((await store.chats.get(chat.id)) ?? chat);
  return {
    deleted,
    first_deleted: message.id,
    not_undone: effectsOf(with_calls, toolbox),
  };
}

/** The calls with an effect outside of the chat. @param undone the ids of calls of which nothing is left */
export function effectsOf(
  messages: readonly StoredMessage[],
  toolbox: Pick<Toolbox, 'hasOutsideEffect'>,
  undone: ReadonlySet<string> = new Set(),
): RewoundMessages['not_undone'] {
  return messages
    .flatMap(({ content }) => content)
    .flatMap(block =>
      block.type === 'tool_use' &&
      !block.internal?.kernel &&
      toolbox.hasOutsideEffect(block.name) &&
      !undone.has(block.id)
        ? [{ tool: block.name, summary: cutText(JSON.stringify(block.input), SUMMARY_CHARS) }]
        : [],
    );
}
