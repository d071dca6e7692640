/** Commands about chats: another one, a branch, older messages. */
import { chatEntries, messageEntries } from '../dialogs/picker-entries.ts';
import { previewReader } from '../session/previews.ts';
import type { ChatSession } from '../session/session.ts';
import { moment } from '../text/amounts.ts';
import { type ChatCommand, chatOf } from './command.ts';

export const startChat: ChatCommand = {
  name: 'new',
  description: 'a new chat; its first message makes it',
  run: session => session.chats.clear(),
};

export const chooseChat: ChatCommand = {
  name: 'chats',
  description: 'choose another chat',
  async run(session) {
    const readPreviews = previewReader(session.client);
    const find = async (q: string) => {
      const { chats } = await session.client.listChats(q === '' ? {} : { q });
      const previews = await readPreviews(chats);
      return chatEntries(chats, session.store.get().chat?.id ?? null, Date.now(), previews);
    };
    session.panels.pick(
      { title: 'Chats', entries: await find(''), searched: true, empty: 'no chat has that in its title' },
      async ({ id }) => session.open(await session.client.getChat(id)),
      find,
    );
  },
};

export const search: ChatCommand = {
  name: 'search',
  description: 'find messages of all chats',
  takes: '<words>',
  async run(session, words) {
    const find = async (q: string) => {
      if (q.trim() === '') return [];
      const { results } = await session.client.search({ q });
      const chats = [...new Set(results.map(({ chat_id }) => chat_id))].slice(0, MOST_TITLES);
      const known = await Promise.all(chats.map(id => session.client.getChat(id).catch(() => null)));
      return results.map(({ chat_id, message_id, snippet }) => ({
        id: `${chat_id} ${message_id}`,
        label: snippet.replace(/\s+/g, ' ').trim(),
        detail: [
          known.find(chat => chat?.id === chat_id)?.title ?? 'untitled',
          moment(new Date(timeOf(message_id)).toISOString(), Date.now()),
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

export const fork: ChatCommand = {
  name: 'fork',
  description: 'a branch that begins before one of your messages',
  run(session) {
    const { id } = chatOf(session);
    const entries = messageEntries(session.store.get().snapshot.items, Date.now());
    session.panels.pick(
      { title: 'Branch off before …', entries, empty: 'there is no message' },
      async ({ id: before_message }) => {
        const text = textOf(session, before_message);
        session.open(await session.client.forkChat(id, { before_message }));
        session.input.replace(text);
        session.notices.notify('This is the branch; the chat that it comes from is as it was.');
      },
    );
  },
};

export const older: ChatCommand = {
  name: 'older',
  description: 'show older messages of this chat',
  async run(session) {
    chatOf(session);
    const view = session.chats.shown?.view;
    if (!view?.getSnapshot().has_older) return session.notices.notify('That is all there is.');
    await view.loadOlder();
    // The page is read, and the next snapshot has it.
    const before = view.getSnapshot();
    await view.until(snapshot => snapshot !== before && !snapshot.loading_older);
    session.shownChat.newPage();
  },
};

export const title: ChatCommand = {
  name: 'title',
  description: 'name this chat',
  takes: '<text>',
  async run(session, text) {
    const { chat, newChat } = session.store.get();
    if (text === '')
      return session.notices.notify(chat?.title ?? newChat.title ?? 'This chat has no title yet.');
    if (chat === null) session.newChat.set({ title: text });
    else await session.shownChat.change(id => session.client.patchChat(id, { title: text }));
  },
};

/** Chats whose titles a search reads. */
const MOST_TITLES = 20;
/** An id of the kernel begins with its milliseconds since 1970. */
const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** Returns the text of a message, for the input. */
export function textOf({ store }: ChatSession, messageId: string): string {
  const items = store.get().snapshot.items;
  const item = items.find(each => each.kind === 'user_message' && each.message_id === messageId);
  return item?.kind === 'user_message' ? item.text : '';
}
