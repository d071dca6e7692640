/** Tests all cases of the master, trusted people, and what modules learn about them. */
import { describe, expect, test } from 'vitest';
import { resolveTrust } from '../src/persons/persons.ts';
import { buildTurnContext } from '../src/turn/turn-context.ts';

const MARKED_MASTER = { master: true, trusted: false };
const MARKED_TRUSTED = { master: false, trusted: true };
const UNMARKED = { master: false, trusted: false };
const CHAT = '0198a000-0000-7000-8000-000000000001';
const ANCHOR = { chat_id: 7, message_id: 8 };

describe('[TURN-8] [WHO-1] trust', () => {
  test.each([
    ['the master without a sender', undefined, false, undefined, true, true],
    ['a person without a sender', undefined, false, UNMARKED, false, false],
    ['a person marked master without a sender', undefined, false, MARKED_MASTER, true, true],
    ['a deleted person', undefined, false, null, false, false],
    ['a guest who is a person, without a sender', undefined, true, MARKED_MASTER, false, false],
    ['a guest without a sender', undefined, true, undefined, true, false],
    ['a stranger', 'Eve', false, undefined, false, false],
    ['a known person without marks', 'Eve', false, UNMARKED, false, false],
    ['a person marked trusted', 'Ada', false, MARKED_TRUSTED, false, true],
    ['a person marked master', 'Me', false, MARKED_MASTER, true, true],
    ['a guest marked trusted', 'Ada', true, MARKED_TRUSTED, false, false],
    ['a guest marked master', 'Me', true, MARKED_MASTER, false, false],
    ['a guest', 'Eve', true, undefined, false, false],
  ])('%s', (_, sender, guest, person, master, trusted) => {
    expect(resolveTrust({ sender, guest, person })).toEqual({ master, trusted });
  });
});

describe('[MOD-5] turn context', () => {
  test.each([
    ['the master', undefined, { master: true, trusted: true }, undefined, true],
    ['the master through a surface', undefined, { master: true, trusted: true }, ANCHOR, false],
    ['a person marked master', 'Me', { master: true, trusted: true }, undefined, true],
    ['a person marked master through a surface', 'Me', { master: true, trusted: true }, ANCHOR, false],
    ['a trusted person', 'Ada', MARKED_TRUSTED, undefined, false],
    ['a guest without a sender', undefined, MARKED_MASTER, undefined, false],
  ])('%s', (_, sender, who, anchor, privileged) => {
    expect(buildTurnContext(CHAT, { anchor }, sender, who)).toEqual({
      chat_id: CHAT,
      sender: sender ?? '',
      ...who,
      privileged,
      client_ops: false,
      ...(anchor && { anchor }),
    });
  });

  test('includes hands, and omits a missing anchor', () => {
    const context = buildTurnContext(CHAT, { client_ops: true }, 'Ada', MARKED_TRUSTED);
    expect(context.client_ops).toBe(true);
    expect(context).not.toHaveProperty('anchor');
  });
});
