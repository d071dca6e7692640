/** Tests search on each database: the same words find the same messages in each. */
import type { StoredBlock } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { PATIENT } from '../../../../test/harness/patient.ts';
import { UNINDEXED } from '../../src/search/new-texts.ts';
import { newChat, newMessage, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function searchSuite(stage: Stage): void {
  const say = async (chat_id: string, ...texts: string[]) => {
    const append = texts.map(text => newMessage(chat_id, { content: [{ type: 'text', text }] }));
    await stage.store.chats.write({ chat_id, append });
    return append.map(({ id }) => id);
  };
  const find = async (query: string, limit = 50) =>
    (await stage.store.search.messages(query, limit)).map(({ message_id }) => message_id);
  const line = async (query: string) => (await stage.store.search.messages(query, 1))[0]?.snippet;

  test.each([
    ['apple', ['An apple a day', 'APPLE pie']],
    ['Apple pie', ['APPLE pie']],
    ['pie apple', ['APPLE pie']],
    ['appl', ['An apple a day', 'APPLE pie']],
    ['appl pie', []],
    ['strasse', ['Große Straße']],
    ['STRAẞE', ['Große Straße']],
    ['creme', ['Crème brûlée']],
    ['CRÈME brule', ['Crème brûlée']],
    ['Cre\u0300me', ['Crème brûlée']],
    ['привет', ['Привет, мир']],
    ['йод', ['йод']],
    ['東京', ['私は東京に住む']],
    ['住む', ['私は東京に住む']],
    ['½', ['1/2 of it']],
    ["o'clock", ["it's o'clock"]],
    ['AND OR', ['this and that or nothing']],
    ['NOT*', ['this and that or nothing']],
    ['🙂', []],
    ['', []],
    ['"*', []],
  ])('finds by the query %j exactly %j', async (query, found) => {
    const chat = await stage.chat();
    const ids = await say(chat.id, ...TEXTS);
    expect((await find(query)).map(id => TEXTS[ids.indexOf(id)]).reverse()).toEqual(found);
  });

  test('finds messages of all chats, the newest first, up to the limit', async () => {
    const [a, b] = [await stage.chat(), await stage.chat()];
    const ids = [
      ...(await say(a.id, 'one', 'one')),
      ...(await say(b.id, 'one')),
      ...(await say(a.id, 'one')),
    ];
    expect(await find('one')).toEqual(ids.toReversed());
    expect(await find('one', 2)).toEqual(ids.toReversed().slice(0, 2));
    expect(await stage.store.search.messages('one', 1)).toEqual([
      { chat_id: a.id, message_id: ids[3], snippet: '**one**' },
    ]);
    await stage.reopen();
    expect(await find('one')).toEqual(ids.toReversed());
  });

  test('continues a search after an index page without a match', async () => {
    const chat = await stage.chat();
    const words = Array.from({ length: 40 }, (_, index) => `word${'x'.repeat(index)}`);
    const all = words.join(' ');
    const [wanted] = await say(chat.id, `a ${all}`);
    await say(chat.id, ...Array.from({ length: 130 }, () => all));
    expect(await find(`a ${all}`, 5)).toEqual([wanted]);
  });

  test('indexes messages with the next search, or with the maintenance', async () => {
    const notIndexed = () =>
      stage.store.transactions.read(async db => {
        const rows = await db.selectFrom('messages').select('id').where('text_id', '=', UNINDEXED).execute();
        return rows.map(({ id }) => id);
      });
    const chat = await stage.chat();
    const first = await say(chat.id, ...Array.from({ length: 50 }, () => 'one'));
    expect((await notIndexed()).sort()).toEqual(first);
    expect(await find('one', 99)).toEqual(first.toReversed());
    expect(await notIndexed()).toEqual([]);
    const [second] = await say(chat.id, 'one');
    expect(await notIndexed()).toEqual([second]);
    stage.clock.pass(60_000);
    await vi.waitFor(async () => expect(await notIndexed()).toEqual([]), PATIENT);
    expect(await find('one', 99)).toEqual([...first, second].toReversed());
  });

  test('finds what is indexed while nothing can be written', async () => {
    const chat = await stage.chat();
    const ids = await say(chat.id, 'one');
    expect(await find('one')).toEqual(ids);
    await say(chat.id, 'one');
    const write = vi.spyOn(stage.store.transactions, 'write');
    write.mockRejectedValueOnce(new KernelError('storage_unavailable', 'The disk is full.'));
    expect(await find('one')).toEqual(ids);
    write.mockRejectedValueOnce(new Error('a defect'));
    await expect(find('one')).rejects.toThrow('a defect');
  });

  test('finds text and quotes of people and models, but no notes, compactions, images, thinking and calls', async () => {
    const chat = await stage.chat();
    const drawn = { image_id: nextId(), media_type: 'image/png', url: '' };
    const content: StoredBlock[] = [
      { type: 'text', text: 'spoken' },
      { type: 'quote', text: 'quoted' },
      { type: 'text', text: 'noted', internal: { note: 'turn_cancelled' } },
      { type: 'text', text: 'folded', internal: { compaction: { text: 'folded', upto_message: chat.id } } },
      { type: 'text', text: 'drawn', internal: { drawn } },
      { type: 'thinking', text: 'thought' },
      { type: 'context', text: 'told' },
      { type: 'tool_use', id: 'c', name: 'called', input: { called: 'called' } },
      { type: 'tool_result', tool_use_id: 'c', output: 'resulted', is_error: false },
    ];
    const { message } = await stage.turn(chat.id, { content });
    expect(await find('spoken quoted')).toEqual([message.id]);
    for (const word of ['noted', 'folded', 'drawn', 'thought', 'told', 'called', 'resulted'])
      expect(await find(word), word).toEqual([]);
  });

  test('finds a queued message, marks it as queued, and finds it as usual afterwards [WAIT-3]', async () => {
    const chat = await stage.chat();
    const content: StoredBlock[] = [{ type: 'text', text: 'later' }];
    const { turn, message } = await stage.turn(chat.id, { content }, { place: false });
    const [earlier] = await say(chat.id, 'later too');
    const hits = async () => {
      const found = await stage.store.search.messages('later', 9);
      return new Map(found.map(({ message_id, waiting }) => [message_id, waiting]));
    };
    expect(await hits()).toEqual(
      new Map([
        [message.id, true],
        [earlier, undefined],
      ]),
    );
    await stage.store.turns.write({ turn_id: turn.id, chat_id: chat.id, turn: {}, place: message.id });
    expect(await hits()).toEqual(
      new Map([
        [message.id, undefined],
        [earlier, undefined],
      ]),
    );
  });

  test('removes deleted messages from the search, after a rewind or with their chat', async () => {
    const [a, b] = [await stage.chat(), await stage.chat()];
    const [kept] = await say(a.id, 'one', 'one');
    await say(b.id, 'one');
    await stage.store.messages.rewind(a.id, 2);
    await stage.store.chats.delete(b.id);
    expect(await find('one')).toEqual([kept]);
    const [again] = await say(a.id, 'one');
    expect(await find('one')).toEqual([again, kept]);
  });

  test('searches a branch like any chat, also after its parent is deleted, until it is deleted', async () => {
    const parent = await stage.chat();
    const ids = await say(parent.id, 'shared one', 'shared two', 'behind the cut');
    const branch = newChat();
    const made: string[] = [];
    const newId = () => {
      made.push(nextId());
      return made.at(-1)!;
    };
    const marker = newMessage(branch.id, {
      content: [{ type: 'text', text: '[forked] shared', internal: { note: 'fork_marker' } }],
    });
    const parts = { branch, parent_id: parent.id, from: 1, before: 3, marker, closing: [], newId };
    await stage.store.chats.fork(parts);
    expect(await find('shared')).toEqual([made[1], ids[1], made[0], ids[0]]);
    expect(await find('behind')).toEqual([ids[2]]);
    await stage.store.messages.rewind(branch.id, 3);
    expect(await find('shared')).toEqual([ids[1], made[0], ids[0]]);
    await stage.store.chats.delete(parent.id);
    expect(await find('shared')).toEqual([made[0]]);
    await stage.store.chats.delete(branch.id);
    expect(await find('shared')).toEqual([]);
  });

  test('returns a one-line snippet around the first match, with marked terms', async () => {
    const chat = await stage.chat();
    const filler = 'lorem ipsum dolor sit amet '.repeat(40);
    await say(chat.id, `${filler}\n\n**Bold**\tneedle, and\0 a needlework\n${filler}`);
    const found = await line('bold needle');
    expect(found).toMatch(/^…\S.*amet \*\*Bold\*\* \*\*needle\*\*, and a \*\*needlework\*\* lorem .*\S…$/);
    expect(found).not.toMatch(/[\n\0]/);
    expect(found!.replaceAll('**', '').length).toBeLessThanOrEqual(162);
    expect(await line('ipsum')).toMatch(/^lorem \*\*ipsum\*\* dolor/);
  });

  test('splits no character in snippets of text without spaces, and marks adjacent matches as one', async () => {
    const chat = await stage.chat();
    await say(chat.id, `${'🙂'.repeat(100)}東京${'🙂'.repeat(101)}`);
    const found = await line('東京');
    expect(found).toMatch(/^…(🙂)+\*\*東京\*\*(🙂)+…$/u);
    expect(found!.isWellFormed()).toBe(true);
    await say(chat.id, 'x'.repeat(100_000));
    expect((await line('xx'))!.length).toBeLessThan(200);
  });

  test('accepts any text as a query, and finds a message by its own text', async () => {
    const chat = await stage.chat();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), fc.string(), async (text, query) => {
        const [id] = await say(chat.id, `${text} mark`);
        expect((await find(`${text} mark`, 1))[0]).toBe(id);
        await stage.store.search.messages(query, 5);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['quotes', `"'\`\\`.repeat(100)],
    ['operators', 'a NEAR(b, 3) AND OR NOT ^c {d}: -e:* & | ! <-> (f)'],
    ['NUL', 'a\0b\0'],
    ['a lone surrogate', 'a\ud800b \udc00'],
    ['emoji', '👩‍👩‍👧 🙂'.repeat(50)],
    ['combining marks only', '\u0301\u0300 \u20dd'],
    ['100 kB of one word', 'x'.repeat(100_000)],
    ['as many words as are indexed', Array.from({ length: 8000 }, (_, n) => `w${n}`).join(' ')],
    ['100 kB of brackets', '(['.repeat(50_000)],
  ])('accepts a query of %s, and finds a message with its terms', async (_, text) => {
    const chat = await stage.chat();
    expect(await find(text)).toEqual([]);
    const ids = await say(chat.id, text);
    const found = await find(text);
    if (/[\p{L}\p{N}]/u.test(text)) expect(found).toEqual(ids);
    else expect(found).toEqual([]);
  });

  test('stores a message of 3 MB of different words', async () => {
    const chat = await stage.chat();
    const [id] = await say(chat.id, Array.from({ length: 300_000 }, (_, n) => `漢ключ${n}`).join(' '));
    expect(await find('ключ17')).toEqual([id]);
  });
}

const TEXTS = [
  'An apple a day',
  'APPLE pie',
  'Große Straße',
  'Crème brûlée',
  'Привет, мир',
  'йод',
  '私は東京に住む',
  '1/2 of it',
  "it's o'clock",
  'this and that or nothing',
];
