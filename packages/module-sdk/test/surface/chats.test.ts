import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/directory.ts';
import { Chats, SurfaceStore } from '../../src/surface/index.ts';

test('finds the chat of a conversation and the conversation of a chat until the chat is deleted', () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const store = new SurfaceStore(join(path, 'a.sqlite'), [
    'CREATE TABLE room (name TEXT, topic INTEGER, chat TEXT, PRIMARY KEY (name, topic))',
  ]);
  onTestFinished(() => store.close());
  const chats = new Chats(store, { table: 'room', key: ['name', 'topic'], chat: 'chat' });
  expect(chats.find('hall', 1)).toBeUndefined();
  chats.bind('c1', 'hall', 1);
  chats.bind('c2', 'hall', 2);
  expect([chats.find('hall', 1), chats.find('hall', 2)]).toEqual(['c1', 'c2']);
  expect(chats.keyOf('c2')).toEqual({ name: 'hall', topic: 2 });
  chats.bind('c3', 'hall', 1);
  expect([chats.find('hall', 1), chats.keyOf('c1')]).toEqual(['c3', undefined]);
  chats.forget('c3');
  expect(chats.find('hall', 1)).toBeUndefined();
});
