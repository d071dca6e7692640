/** Rewinds a chat: removes a message and all after it (MSG-3, EDIT-7). Effects of tools outside the chat remain. */
import { KernelError, type RewoundMessages } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { isId } from '../base/ids.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { Histories } from '../history/histories.ts';
import {
  type ChatRecord,
  type Clock,
  type HeldChat,
  type Store,
  type StoredMessage,
  type TurnEntry,
  timestamp,
} from '../ports/index.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import { summaryBefore } from './summary.ts';

interface RewindServices {
  store: Store;
  histories: Histories;
  toolbox: Toolbox;
  events: KernelEvents;
  clock: Clock;
}

/** The maximum length of the summary of a call, in characters. */
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

/**
 * Removes a message with a position and all after it; returns the effects that cannot be undone. No messages may be
 * waiting.
 * @param keeps whether the messages become a version, or are deleted
 */
export async function rewind(
  chat: ChatRecord,
  held: HeldChat,
  message: StoredMessage,
  keeps: boolean,
  { store, histories, toolbox, events, clock }: RewindServices,
): Promise<RewoundMessages> {
  const { position, version, chat: changes } = await leaving(chat, message, store);
  const [last] = await store.messages.list(chat.id, { limit: 1, before: position });
  const { deleted, with_calls } = await store.messages
    .rewind(
      held,
      position,
      { ...changes, last_message_at: last?.created_at ?? null, updated_at: timestamp(clock) },
      keeps ? version : undefined,
    )
    .finally(() => {
      // Also if only the answer of the store was lost.
      histories.forget(chat.id);
      events.historyChanged(chat.id, message.id);
    });
  events.chatUpdated((await store.chats.get(chat.id)) ?? chat);
  return {
    deleted,
    first_deleted: message.id,
    not_undone: listOutsideEffects(with_calls, toolbox),
  };
}

/** The version that a message with a position and all after it become, and what changes in their chat. */
export async function leaving(
  chat: ChatRecord,
  { id, position: at }: StoredMessage,
  store: Pick<Store, 'messages'>,
): Promise<NonNullable<TurnEntry['replace']>> {
  const position = at as number;
  const summary = await summaryBefore(store, chat, position);
  return {
    position,
    version: { id, summary: chat.summary },
    // The tokens of the shorter history are unknown until the next provider request.
    chat: { summary, context_tokens: 0 },
  };
}

/** The calls with an effect outside of the chat. @param undone the ids of calls that have been undone completely */
export function listOutsideEffects(
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
