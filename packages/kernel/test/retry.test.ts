/** Tests what a retry takes from the original request (EDIT-1). */
import type { TurnRequest } from '@chat-kernel/protocol';
import { openStore } from '@chat-kernel/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { NOW, newChat, newMessage, newTurn, nextId } from '../../storage/test/records.ts';
import type {
  BlockInternal,
  ChatRecord,
  NewMessage,
  Store,
  StoredBlock,
  TurnParameters,
} from '../src/index.ts';
import { checkRetry, prepareRetry } from '../src/turns/retry.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const directory = temporaryDirectory();
let store: Store;
let chat: ChatRecord;

beforeAll(async () => {
  store = await openStore({ data_dir: directory.path, url: null, log, clock: new ManualClock() });
});
beforeEach(async () => {
  chat = newChat();
  await store.chats.create(chat);
});
afterAll(async () => {
  await store.close();
  directory.remove();
});

async function person(): Promise<string> {
  const id = nextId();
  const external_ids = [{ surface: 'mail', external_id: id }];
  await store.persons.resolve({
    id,
    name: 'Ada',
    master: false,
    trusted: false,
    external_ids,
    created_at: NOW,
  });
  return id;
}

/** Stores a turn with its message. */
async function turn(
  parameters: TurnParameters = {},
  changes: Partial<NewMessage> = {},
  place = true,
): Promise<NewMessage> {
  const message = newMessage(chat.id, { turn_id: nextId(), ...changes });
  await store.turns.create(newTurn(message, { parameters }), message, { place });
  return message;
}

const retry = (
  message_id: string,
  request: Partial<TurnRequest> = {},
  restore?: (message: object) => Promise<void>,
) =>
  prepareRetry(
    chat,
    { message_id, request: request as TurnRequest, ...(restore && { restore }) },
    'print',
    store,
  );

const block = (type: 'context' | 'quote' | 'text', internal?: BlockInternal) =>
  ({ type, text: type, ...(internal && { internal }) }) as StoredBlock;
const image = { type: 'image', media_type: 'image/png', data: '' } as StoredBlock;

describe('[EDIT-1] a retry', () => {
  test('takes the speaker and the origin from the original, and the rest from the request', async () => {
    const person_id = await person();
    const origin = {
      person_id,
      guest: true,
      machine: 'none',
      anchor: { chat_id: 1, message_id: 2 },
    } as const;
    const { id } = await turn({ ...origin, model: 'old' }, { sender: 'Ada' });
    expect((await retry(id, { text: 'New.', effort: 'high' })).request).toEqual({
      ...{ text: 'New.', effort: 'high', sender: 'Ada' },
      ...origin,
    });
  });

  test('takes no field that the original lacks', async () => {
    const [plain, named] = [await turn(), await turn({ person_id: await person(), guest: false })];
    expect(Object.keys((await retry(plain.id)).request)).toEqual([]);
    expect(Object.keys((await retry(named.id)).request)).toEqual(['person_id']);
  });

  test('is by a guest if the person was deleted', async () => {
    const { id } = await turn({ person_id: nextId() }, { sender: 'Ada' });
    expect((await retry(id)).request).toEqual({ sender: 'Ada', guest: true });
  });

  test('names the outside sources of both, each once', async () => {
    const { id } = await turn({}, { content: [block('text', { outside: ['a', 'b'] }), block('quote')] });
    expect((await retry(id, { outside: ['c', 'a'] })).request).toEqual({ outside: ['c', 'a', 'b'] });
  });

  test.each<[string, Partial<TurnRequest>, StoredBlock[], boolean]>([
    ['nothing', {}, [block('context'), block('quote'), block('text'), image], true],
    ['the context', { context: 'New' }, [block('quote'), block('text'), image], true],
    ['the quote', { reply_to_text: 'x' }, [block('context'), block('text'), image], true],
    ['the id of the quote', { reply_to_ext_id: 'x' }, [block('context'), block('text'), image], true],
    ['the text', { text: 'New' }, [block('context'), block('quote')], false],
    ['the images', { images: [] }, [block('context'), block('quote')], false],
    ['the files', { files: [] }, [block('context'), block('quote')], false],
  ])('keeps the blocks of the original if the request replaces %s', async (_, request, blocks, isWhole) => {
    const bytes = (async function* () {})();
    const fresh = { id: nextId(), name: 'a', media_type: 'text/plain', created_at: NOW };
    const file = { ...(await store.files.save(fresh, bytes)), url: '' };
    const content = [block('context'), block('quote'), block('text'), image, block('text', { file })];
    const { id } = await turn({}, { content });
    const { replacement, request: retried } = await retry(id, request);
    expect(replacement).toMatchObject({ isWhole, fingerprint: 'print' });
    expect(replacement.blocks).toEqual(blocks);
    expect(retried).toEqual({ ...request, ...(isWhole && { files: [{ id: file.id }] }) });
  });

  test('drops the marks of the speaker and the sources, which the new turn adds again', async () => {
    const marks: BlockInternal = { master: true, stranger: true, outside: ['a'] };
    const content = [block('context', marks), block('text', { ...marks, model: 'm' })];
    const { id } = await turn({}, { content });
    const { replacement, request } = await retry(id);
    expect(replacement.blocks).toEqual([block('context'), block('text', { model: 'm' })]);
    expect(request).toEqual({ outside: ['a'] });
  });

  test('cuts the chat at the message, and restores files only on request', async () => {
    await turn();
    const { id } = await turn();
    const restored: unknown[] = [];
    const { replacement } = await retry(id, {}, async message => void restored.push(message));
    expect(replacement.entry).toEqual({
      position: 2,
      version: { id, summary: null },
      chat: { summary: null, context_tokens: 0 },
    });
    expect(restored).toEqual([]);
    await replacement.prepare();
    expect(restored).toMatchObject([{ id, position: 2 }]);
    await (await retry(id)).replacement.prepare();
  });

  test.each<[string, Partial<NewMessage>, boolean]>([
    ['an answer', { role: 'assistant' }, true],
    ['a message of the kernel', { sender: 'kernel' }, true],
    ['a message that waits', {}, false],
  ])('does not repeat %s', async (_, changes, place) => {
    const { id } = await turn({}, changes, place);
    await expect(retry(id)).rejects.toMatchObject({
      code: 'not_found',
      message: `No turn began with the message ${id}.`,
    });
  });

  test('does not repeat a later message of a turn, one without a turn, or an unknown one', async () => {
    const { turn_id } = await turn();
    const append = [newMessage(chat.id, { turn_id }), newMessage(chat.id)];
    await store.chats.write({ chat_id: chat.id, append });
    for (const id of [...append.map(({ id }) => id), nextId(), 'x'])
      await expect(retry(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('does not accept fields that it takes from the original', () => {
    const detail = 'A retry takes this field from the original message.';
    expect(() => checkRetry({ sender: 'Ada', guest: false } as never)).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: '`sender`, `guest`: a retry takes these fields from the original message.',
        errors: [
          { pointer: '/sender', detail },
          { pointer: '/guest', detail },
        ],
      }),
    );
    for (const field of ['sender', 'person_id', 'anchor', 'guest', 'machine'])
      expect(() => checkRetry({ [field]: 'x' } as never)).toThrow(field);
    expect(checkRetry({ text: 'New.' } as never)).toBe(undefined);
  });
});
