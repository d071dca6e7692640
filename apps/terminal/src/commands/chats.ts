/** Commands that create, open, search, fork and rename chats. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { toSingleLine } from '@chat-kernel/text';
import type { PickerEntry } from '../dialogs/picker.ts';
import { chatEntries, messageEntries } from '../dialogs/picker-entries.ts';
import type { ChatSession } from '../session/session.ts';
import { moment } from '../text/amounts.ts';
import { type ChatCommand, requireChat } from './command.ts';

export const startChat: ChatCommand = {
  name: 'new',
  description: 'start a new chat',
  run: session => session.chats.clear(),
};

export const chooseChat: ChatCommand = {
  name: 'chats',
  description: 'switch to another chat',
  async run(session) {
    const readPreviews = previewReader(session.client);
    const find = async (q: string) => {
      const { chats } = await session.client.listChats(q === '' ? {} : { q });
      const previews = await readPreviews(chats);
      return chatEntries(chats, session.store.get().chat?.id ?? null, Date.now(), previews);
    };
    session.panels.pick(
      { title: 'Chats', entries: await find(''), searched: true, empty: 'no matching chats' },
      async ({ id }) => session.open(await session.client.getChat(id)),
      find,
    );
  },
};

export const search: ChatCommand = {
  name: 'search',
  description: 'search messages in all chats',
  takes: '<words>',
  async run(session, words) {
    const find = async (q: string) => {
      if (q.trim() === '') return [];
      const { results } = await session.client.search({ q });
      const chats = [...new Set(results.map(({ chat_id }) => chat_id))].slice(0, MAX_TITLES);
      const known = await Promise.all(chats.map(id => session.client.getChat(id).catch(() => null)));
      return results.map(({ chat_id, message_id, snippet }) => ({
        id: `${chat_id} ${message_id}`,
        label: toSingleLine(snippet),
        detail: [
          known.find(chat => chat?.id === chat_id)?.title ?? 'untitled',
          moment(new Date(parseIdTime(message_id)).toISOString(), Date.now()),
        ].join(' · '),
      }));
    };
    session.panels.pick(
      { title: words === '' ? 'Search' : `Search: ${words}`, entries: await find(words), searched: true },
      async ({ id }) => session.open(await session.client.getChat(id.split(' ')[0]!)),
      async typed => find(typed === '' ? words : typed),
    );
  },
};

/** The user's messages in the shown chat. The newest one is in the history only a moment after its turn has ended. */
export async function readMessages(session: ChatSession): Promise<PickerEntry[]> {
  const { view } = session.chats.shown ?? {};
  await view?.refresh();
  return messageEntries(view?.getSnapshot().items ?? [], Date.now());
}

export const fork: ChatCommand = {
  name: 'fork',
  description: 'fork from an earlier message',
  async run(session) {
    const { id } = requireChat(session);
    const entries = await readMessages(session);
    session.panels.pick(
      { title: 'Fork before …', entries, empty: 'no messages yet' },
      async ({ id: before_message }) => {
        const text = findMessageText(session, before_message);
        session.open(await session.client.forkChat(id, { before_message }));
        session.input.replace(text);
        session.notices.notify('Forked. The original chat is unchanged.');
      },
    );
  },
};

export const older: ChatCommand = {
  name: 'older',
  description: 'show older messages of this chat',
  async run(session) {
    requireChat(session);
    const view = session.chats.shown?.view;
    if (!view?.getSnapshot().has_older) return session.notices.notify('No older messages.');
    await view.loadOlder();
    // A new page, for items above those already printed.
    session.store.set({ page: session.store.get().page + 1 });
  },
};

export const title: ChatCommand = {
  name: 'title',
  description: 'show or change the title of this chat',
  takes: '<text>',
  async run(session, text) {
    const { chat, newChat } = session.store.get();
    if (text === '')
      return session.notices.notify(chat?.title ?? newChat.title ?? 'This chat has no title yet.');
    if (chat === null) session.setNewChat({ title: text });
    else await session.shownChat.change(id => session.client.patchChat(id, { title: text }));
  },
};

/** Limit of titles that a search loads. */
const MAX_TITLES = 20;
/** Ids of the kernel start with their time, in milliseconds since 1970. */
const parseIdTime = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** Returns the text of a user message. */
export function findMessageText({ store }: ChatSession, messageId: string): string {
  const items = store.get().snapshot.items;
  const item = items.find(each => each.kind === 'user_message' && each.message_id === messageId);
  return item?.kind === 'user_message' ? item.text : '';
}

/** Limit of chats with a preview: as many as a tall window shows. */
const MAX_PREVIEWS = 20;
/** Limit of messages that are searched for the last text. */
const MESSAGES = 4;
const MAX_CHARS = 200;

/** Chat id → beginning of its last message. */
type Previews = ReadonlyMap<string, string>;

/** Returns a function that loads the previews of a list and caches unchanged chats. It never rejects. */
function previewReader(client: KernelClient): (chats: readonly Chat[]) => Promise<Previews> {
  const known = new Map<string, Promise<string>>();
  const read = (chat: Chat): Promise<string> => {
    const key = `${chat.id} ${chat.updated_at} ${chat.last_message_at}`;
    const reading = known.get(key) ?? lastWords(client, chat.id);
    known.set(key, reading);
    return reading;
  };
  return async chats => {
    const shown = chats.slice(0, MAX_PREVIEWS);
    const texts = await Promise.all(shown.map(read));
    return new Map(shown.map(({ id }, index) => [id, texts[index]!]));
  };
}

async function lastWords(client: KernelClient, id: string): Promise<string> {
  try {
    const { items } = await client.listItems(id, { limit: MESSAGES });
    const lastMessage = items.findLast(({ kind }) => kind === 'agent_message' || kind === 'user_message');
    return lastMessage !== undefined && 'text' in lastMessage ? lastMessage.text.slice(0, MAX_CHARS) : '';
  } catch {
    // The list works without previews.
    return '';
  }
}
