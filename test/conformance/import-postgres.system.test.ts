/** Tests that an import into a kernel on Postgres creates the same chats as one on SQLite. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { zipOf } from '../../packages/features/test/books/files.ts';
import { type Postgres, startPostgres } from '../../packages/storage/test/postgres.ts';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { chatGpt } from '../harness/foreign-exports.ts';
import { PATIENT } from '../harness/patient.ts';
import { PNG } from '../harness/pictures.ts';
import { startKernelProcess } from '../harness/process.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

type Nodes = Parameters<typeof chatGpt>[1];
const PLAIN = 40;
const plain: Nodes = { ask: { role: 'user', at: 1, content: 'Why is the bittern brown?', parent: null } };
const branched: Nodes = {
  ask: {
    role: 'user',
    at: 1,
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Abc1' },
        'What is it?',
      ],
    },
    parent: null,
  },
  first: { role: 'assistant', at: 2, content: 'A stork.', parent: 'ask' },
  second: { role: 'assistant', at: 3, content: 'A crane.', parent: 'ask' },
};
const grown: Nodes = { ...plain, answer: { role: 'assistant', at: 2, content: 'By reeds.', parent: 'ask' } };

const archive = (last: Nodes): Buffer =>
  zipOf([
    [
      'conversations.json',
      JSON.stringify([
        ...Array.from({ length: PLAIN }, (_, n) => chatGpt(`plain ${n}`, plain)),
        chatGpt('branched', branched),
        chatGpt('last', last),
      ]),
    ],
    ['file-Abc1-photo.png', PNG],
  ]);

/** Imports an archive and a later one, twice each; returns the output, and the chats as a client sees them. */
async function imported(database: string | undefined) {
  const home = directoryOfTest();
  const data = join(home, 'data');
  const kernel = await startKernelProcess({ dataDir: data, ...(database !== undefined && { database }) });
  onTestFinished(async () => {
    await kernel.kill();
  });
  const file = join(home, 'export.zip');
  const told: string[] = [];
  for (const content of [archive(plain), archive(grown)]) {
    writeFileSync(file, content);
    for (const _ of ['once', 'twice']) {
      const { code, out, err } = await runCommand(['import', file, '--data', data, '-q'], home);
      expect([code, err]).toEqual([0, '']);
      told.push(out);
    }
  }
  const { chats } = (await kernel.api.get('/v1/chats?limit=500')).body;
  const seen = [];
  for (const { id, title, created_at, last_message_at, forked_from } of chats) {
    const { items } = (await kernel.api.get(`/v1/chats/${id}/items`)).body;
    const said = items.map(
      ({ kind, text, created_at, attachments }: Record<string, unknown>) =>
        `${created_at} ${kind}: ${text} ${JSON.stringify(attachments ?? [])}`,
    );
    // A fork mentions the id of its parent, and the time of the import.
    const own = forked_from === null ? said : said.slice(1);
    seen.push({ title, created_at, last_message_at, isFork: forked_from !== null, said: own });
  }
  const found = (await kernel.api.get('/v1/search?q=bittern&limit=100')).body.results.length;
  return { told, found, seen: seen.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

test(
  '[FACE-3] imports the same chats once on Postgres and SQLite, and appends to them in the same way',
  PATIENT,
  async () => {
    const onPostgres = await imported(await postgres.createDatabase());
    const all = PLAIN + 2;
    expect(onPostgres.told).toEqual([
      `${all} of ${all} conversations imported: ${all + 1} chats, 1 of them forks, with ${PLAIN + 4} messages.\n`,
      `0 of ${all} conversations imported: 0 chats, 0 of them forks, with 0 messages.\n${all} already imported.\n`,
      `0 of ${all} conversations imported: 0 chats, 0 of them forks, with 0 messages.\n${all - 1} already imported.\n` +
        '1 already imported, and got their new messages: 1.\n',
      `0 of ${all} conversations imported: 0 chats, 0 of them forks, with 0 messages.\n${all} already imported.\n`,
    ]);
    expect(onPostgres.found).toBe(PLAIN + 1);
    expect(JSON.stringify(onPostgres.seen)).toContain(PNG.toString('base64'));
    expect(onPostgres).toEqual(await imported(undefined));
  },
);
