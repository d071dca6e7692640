/** The list of chats in the page: answers of requests can be slower than events about later changes. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { expect, it } from 'vitest';
import { Chats } from '../../apps/web/src/kernel/chat-list.ts';

const chat = (id: string, title: string) => ({ id, title, created_at: id }) as Chat;
/** A list whose requests are answered by the test. */
function listOf() {
  const read = Promise.withResolvers<Chat>();
  const page = Promise.withResolvers<{ chats: Chat[]; next_before: null }>();
  const client = { getChat: () => read.promise, listChats: () => page.promise };
  const chats = new Chats(client as unknown as KernelClient);
  return { chats, read, page, titles: () => chats.list.get().chats.map(({ title }) => title) };
}

it('keeps what an event reports if the answer of an earlier change comes later', async () => {
  const { chats, titles } = listOf();
  const answer = Promise.withResolvers<Chat>();
  const renamed = chats.takeAnswer(answer.promise);
  chats.take(chat('a', 'By another client'));
  answer.resolve(chat('a', 'By this page'));
  await renamed;
  expect(titles()).toEqual(['By another client']);
  await chats.takeAnswer(Promise.resolve(chat('a', 'Again by this page')));
  expect(titles()).toEqual(['Again by this page']);
});

it('keeps newer and deleted chats when it reads the list or a chat again', async () => {
  const { chats, read, page, titles } = listOf();
  chats.take(chat('1', 'Deleted'));
  chats.take(chat('2', 'Old'));
  const reads = [chats.readNewest(), chats.readAgain('1')];
  chats.forget('1');
  chats.take(chat('2', 'New'));
  read.resolve(chat('1', 'Deleted'));
  page.resolve({ chats: [chat('3', 'Other'), chat('2', 'Old'), chat('1', 'Deleted')], next_before: null });
  await Promise.all(reads);
  expect(titles()).toEqual(['Other', 'New']);
});
