import { readFileSync } from 'node:fs';
import { HTTP_ERRORS, TURN_ERRORS } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const [answers = '', turns = ''] = page.split('## Turns that fail');

it('lists each response code with its status in the page of errors, and no other', () => {
  const rows = [...answers.matchAll(/^\| *(\d+) *\| `(\w+)` *\|/gm)].map(([, status, code]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(HTTP_ERRORS).map(([code, { status }]) => [code, status])),
  );
});

it('lists each code of a failed turn in the page of errors, and no other', () => {
  const rows = [...turns.matchAll(/^\| `(\w+)` *\|/gm)].map(([, code]) => code);
  expect(rows).toEqual(Object.keys(TURN_ERRORS));
});
