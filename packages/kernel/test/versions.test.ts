/** Tests listing the versions of a chat, and switching between them (EDIT-2). */
import { KernelError } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { NOW, newChat, newMessage, newTurn, nextId } from '../../storage/test/records.ts';
import { activateVersion, listVersions } from '../src/chats/versions.ts';
import type { NewMessage, StoredBlock } from '../src/index.ts';
import { openCore } from './core.ts';

const [id, first] = [nextId(), nextId()];

/** Activates a version. @param activate what the store does */
async function activated(
  version: string,
  activate: (...args: unknown[]) => Promise<string | null | undefined>,
  stored?: object,
) {
  const chat = newChat();
  const effects: unknown[][] = [];
  const clock = new ManualClock();
  const done = activateVersion(chat, version, {
    store: {
      versions: {
        activate: (...args: unknown[]) => {
          effects.push(['activate', ...args]);
          return activate();
        },
      },
      chats: { get: async () => stored },
    },
    histories: { forget: (chatId: string) => effects.push(['forget', chatId]) },
    events: {
      historyChanged: (...args: unknown[]) => effects.push(['changed', ...args]),
      chatUpdated: (changed: unknown) => effects.push(['updated', changed]),
    },
    clock,
    ownership: { hold: (chat_id: string) => ({ chat_id, epoch: 7 }) },
  } as never);
  const error = await done.catch(thrown => thrown);
  const asked = ['activate', { chat_id: chat.id, epoch: 7 }, version, '2026-01-01T00:00:00.000Z'];
  return { chat, effects, error, asked };
}

test.each([
  { id: 'stored' },
  undefined,
])('[EDIT-5] reports the changed history, and the chat %j', async stored => {
  const { chat, effects, error, asked } = await activated(id, async () => first, stored);
  expect([error, effects]).toEqual([
    undefined,
    [asked, ['forget', chat.id], ['updated', stored ?? chat], ['changed', chat.id, first]],
  ]);
});

test('[EDIT-2] reports nothing if the version is active already', async () => {
  const { chat, effects, error, asked } = await activated(id, async () => null);
  expect([error, effects]).toEqual([undefined, [asked, ['forget', chat.id]]]);
});

test('[EDIT-2] throws the error of the store, and reports a change because it may have happened', async () => {
  const broken = new Error('the connection broke');
  const { chat, effects, error, asked } = await activated(id, () => Promise.reject(broken));
  expect(error).toBe(broken);
  expect(effects).toEqual([asked, ['changed', chat.id, id], ['forget', chat.id]]);
});

test.each([
  ['of another chat', id, 2],
  ['without the format of an id', 'x', 0],
])('[EDIT-2] finds no version %s', async (_, version, count) => {
  const { effects, error } = await activated(version, async () => undefined);
  expect(error).toEqual(new KernelError('not_found', `There is no version ${version} in this chat.`));
  expect(effects).toHaveLength(count);
});

test('[EDIT-2] lists the versions of each place, oldest first, with their sizes and models', async () => {
  const core = await openCore();
  onTestFinished(() => core.close());
  const { store } = core;
  const chat = newChat();
  await store.chats.create(chat);
  const append = async (...added: NewMessage[]) => {
    await store.chats.write({ chat_id: chat.id, append: added });
    return added.map(({ id }) => id);
  };
  const messages = (count: number) => Array.from({ length: count }, () => newMessage(chat.id));
  const cut = (position: number, id: string) =>
    store.messages.rewind(chat.id, position, {}, { id, summary: null });
  const listed = (id: string, messages: number, active = false, more: object = {}) => ({
    ...{ id, first_message_id: id, created_at: NOW, preview: 'Hello.', model: null, ...more },
    ...{ messages, active },
  });

  const [, a2, a3] = (await append(...messages(4))) as [string, string, string];
  await cut(3, a3);
  const begun = newMessage(chat.id, { turn_id: nextId() });
  await store.turns.create(newTurn(begun, { model: 'm' }), begun, { place: true });
  await append(...messages(2));
  const inner = [listed(a3, 2), listed(begun.id, 3, true, { model: 'm' })];
  expect(await listVersions(chat.id, store)).toEqual({ forks: [{ inside: null, versions: inner }] });

  await cut(2, a2);
  const fresh = { id: nextId(), name: 'a', media_type: 'text/plain', created_at: NOW };
  const file = { ...(await store.files.save(fresh, (async function* () {})())), url: '' };
  const text = (words: string): StoredBlock => ({ type: 'text', text: words });
  const unseen = [{ ...text('file'), internal: { file } }, { type: 'quote', text: 'quote' } as StoredBlock];
  const shown = newMessage(chat.id, { content: [text('One'), text('Two'), ...unseen] });
  await append(shown);
  const stored = listed(shown.id, 1, false, { preview: 'One\nTwo' });
  expect(await listVersions(chat.id, store)).toEqual({
    forks: [
      { inside: null, versions: [listed(a2, 4), { ...stored, active: true }] },
      { inside: a2, versions: inner.map(version => ({ ...version, active: false })) },
    ],
  });

  await store.versions.activate(chat.id, a2, NOW);
  expect(await listVersions(chat.id, store)).toEqual({
    forks: [
      { inside: null, versions: [listed(a2, 4, true), stored] },
      { inside: null, versions: inner },
    ],
  });

  await store.messages.rewind(chat.id, 2);
  expect(await listVersions(chat.id, store)).toEqual({ forks: [{ inside: null, versions: [stored] }] });
});
