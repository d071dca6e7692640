/** Tests where the unsent message of a page is kept. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Draft } from '../../apps/web/src/composer/draft.ts';

vi.hoisted(() => vi.stubGlobal('document', { baseURI: 'http://localhost/' }));
beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const kept = (chatId: string | null) => new Draft(chatId).text.get();

it('keeps a draft for each chat, and puts a message that was taken back before it', () => {
  const draft = new Draft('a');
  draft.write('second');
  draft.restore('first');
  expect([kept('a'), kept('b'), kept(null)]).toEqual(['first\nsecond', '', '']);
});

it('takes what was written while a chat was being created into the chat', () => {
  const draft = new Draft(null);
  draft.write('And one more thing.');
  draft.moveTo('created');
  expect([kept('created'), kept(null), draft.text.get()]).toEqual(['And one more thing.', '', '']);
  new Draft(null).moveTo('empty');
  expect(kept('empty')).toBe('');
});
