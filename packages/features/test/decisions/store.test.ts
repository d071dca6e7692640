/** Tests the stored history of decisions over the database of the run. */
import type { PastDecision } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { NOW, newChat, nextId } from '../../../storage/test/records.ts';
import { Stage } from '../../../storage/test/stage.ts';
import { DecisionStore } from '../../src/decisions/store.ts';
import { STORE_HOOKS } from '../../src/index.ts';

describe('Decisions', decisionSuite);

const newDecision = (changes: Partial<PastDecision> = {}): PastDecision => ({
  id: nextId(),
  decided_at: NOW,
  decision: 'allow',
  client: null,
  chat_id: null,
  turn_id: null,
  action: 'shell',
  subject: 'a\0b\ud800',
  ...changes,
});

function decisionSuite(): void {
  const stage = new Stage({ hooks: STORE_HOOKS });
  const store = () => new DecisionStore(stage.store.transactions);

  test('reads decisions back unchanged, newest first, and keeps only the newest ones', async () => {
    const [first, second, third] = [newDecision(), newDecision({ client: 'web' }), newDecision()];
    for (const decision of [first, second, third]) await store().add(decision, 2);
    await stage.reopen();
    expect(await store().list({ limit: 10 })).toEqual([third, second]);
    expect(await store().list({ limit: 10, before: third.id })).toEqual([second]);
    expect(await store().list({ limit: 1 })).toEqual([third]);
  });

  test('stores nothing of a deleted chat', async () => {
    const chat = newChat();
    await stage.store.chats.create(chat);
    await store().add(newDecision({ chat_id: chat.id }), 10);
    await store().add(newDecision({ chat_id: nextId() }), 10);
    expect(await store().list({ limit: 10 })).toMatchObject([{ chat_id: chat.id }]);
    await stage.store.chats.delete(chat.id);
    expect(await store().list({ limit: 10 })).toEqual([]);
  });
}
