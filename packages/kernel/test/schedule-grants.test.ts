/** Tests which operations the grants of a schedule cover. */
import { expect, test } from 'vitest';
import { allowedBySchedule } from '../src/client-machine/question.ts';

type Operation = Parameters<typeof allowedBySchedule>[1];

const operation = (
  tool: string,
  permission: Partial<Operation['permission']>,
  more: object = {},
): Operation => ({
  tool,
  effects: [],
  permission: { command: undefined, path: undefined, target: undefined, ...permission },
  ...more,
});
const SEND = { effects: ['send'] } as const;

test.each<[covered: boolean, tool: string, target: string | null, wanted: Operation]>([
  [true, 'memory', null, operation('memory', {})],
  [false, 'memory', null, operation('notebook', {})],
  // A tool may send something only since its module was updated.
  [false, 'echo', null, operation('echo', {}, { ...SEND, recipient: 'parrot' })],
  [true, 'echo', 'parrot', operation('echo', {}, { ...SEND, recipient: 'parrot' })],
  [false, 'echo', 'desk', operation('echo', {}, { ...SEND, recipient: 'parrot' })],
  [true, 'fetch', 'example.org', operation('fetch', { target: 'example.org' }, SEND)],
  [false, 'fetch', 'example.org', operation('fetch', { target: 'evil.example.org' }, SEND)],
  // A call with an address goes to its host, not to its module.
  [false, 'fetch', 'web', operation('fetch', { target: 'example.org' }, { ...SEND, recipient: 'web' })],
  [true, 'shell', 'npm test', operation('shell', { command: 'npm test' })],
  [false, 'shell', 'npm test', operation('shell', { command: 'npm publish' })],
  [false, 'shell', 'npm test', operation('shell', { command: 'npm test; rm -r .' })],
  [true, 'shell', null, operation('shell', { command: 'npm publish' })],
  [true, 'read_file', '/srv/notes', operation('read_file', { target: '/srv/notes/' })],
  [true, 'read_file', '/srv/notes/', operation('read_file', { target: '/srv/notes/deep/' })],
  [false, 'read_file', '/srv/notes', operation('read_file', { target: '/srv/notes-old/' })],
  [false, 'read_file', '/srv/notes', operation('read_file', { target: '/srv/' })],
  [true, 'write_file', '/srv/notes', operation('write_file', { path: '/srv/notes/a.md' })],
  [true, 'write_file', '/srv/notes/a.md', operation('write_file', { path: '/srv/notes/a.md' })],
  [false, 'write_file', '/srv/notes', operation('write_file', { path: '/srv/notes/../b.md' })],
])('[CONSENT-4] is %s for a grant of %s with the target %s and %j', (covered, tool, target, wanted) => {
  expect(allowedBySchedule([{ tool, target }], wanted)).toBe(covered);
});

test('[CONSENT-4] covers nothing without grants', () => {
  expect(allowedBySchedule(undefined, operation('memory', {}))).toBe(false);
});
