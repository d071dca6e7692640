/** Tests which refused users are remembered, and for how long. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { addRefusedUser, readRefusedUsers } from '../src/refused-users.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const uids = (directory: string) => readRefusedUsers(directory).map(({ uid }) => uid);

test('remembers each refused user once, the newest last', () => {
  const directory = directoryOfTest();
  for (const uid of [1, 2, 1]) addRefusedUser(directory, uid);
  expect(uids(directory)).toEqual([2, 1]);
});

test('forgets users whose refusal was stored more than 30 days ago', () => {
  const directory = directoryOfTest();
  const file = join(directory, 'refused-users.json');
  writeFileSync(
    file,
    JSON.stringify([
      { uid: 1, at: daysAgo(31) },
      { uid: 2, at: daysAgo(29) },
    ]),
  );
  expect(uids(directory)).toEqual([2]);
  addRefusedUser(directory, 3);
  expect(uids(directory)).toEqual([2, 3]);
});
