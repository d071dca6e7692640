/** Tests writes of work that began before the kernel lost its chat and took it again (FLEET-2). */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { newChat, newMessage, newTurn, nextId } from '../../storage/test/records.ts';
import { HistoryApi } from '../src/api/history-api.ts';
import { KnownSecrets } from '../src/base/known-secrets.ts';
import { Ownership } from '../src/fleet/ownership.ts';
import type { FleetStore, HeldChat } from '../src/index.ts';
import { Journal } from '../src/journal/journal.ts';
import { RunningTurn } from '../src/turn/running-turn.ts';

const chat_id = nextId();

/** Owns the chat; `retake` loses it and takes it again. */
async function owning() {
  const ownership = new Ownership({} as FleetStore, { now: () => 0 });
  ownership.keptBy({ adopt: async () => {}, lose() {}, isIdle: () => true, hasTurns: () => true });
  await ownership.adopt({ chat_id, epoch: 2 });
  const retake = () => ownership.adopt({ chat_id, epoch: 5 });
  return { ownership, retake };
}

it('[FLEET-2] ends a turn whose write is refused, and keeps the chat', async () => {
  const { ownership, retake } = await owning();
  const epochs: unknown[] = [];
  const write = async ({ epoch }: HeldChat) => {
    epochs.push(epoch);
    throw Object.assign(new Error('refused'), { code: 'fenced' });
  };
  const turn = new RunningTurn(newTurn(newMessage(chat_id)), {
    ownership,
    clock: new ManualClock(),
    secrets: new KnownSecrets([]),
    steps: { journal: new Journal(undefined, {} as never) },
    store: { turns: { write } },
  } as never);
  await retake();
  await expect(turn.writes.write({ turn: {} })).rejects.toMatchObject({ code: 'fenced' });
  expect([epochs, turn.life.isFenced, ownership.hold(chat_id).epoch]).toEqual([[2], true, 5]);
});

it.each([
  'rewind',
  'rewindToVersion',
] as const)('[FLEET-2] %s holds the chat before it reads the message', async method => {
  const { ownership, retake } = await owning();
  const message = { ...newMessage(chat_id), position: 1 };
  const held: HeldChat[] = [];
  const messages = {
    async get() {
      await retake();
      return message;
    },
    list: async () => [],
    async rewind(chat: HeldChat) {
      held.push(chat);
      return { deleted: 1, with_calls: [] };
    },
  };
  const chats = { get: async () => newChat({ id: chat_id }) };
  const history = new HistoryApi(
    {
      chats,
      turns: { dropFrom: async () => [], rewound() {} },
      changes: { run: (_: string, work: () => unknown) => work(), settleHistory: async () => {} },
      services: {
        ownership,
        clock: new ManualClock(),
        store: { messages, chats },
        histories: { forget() {} },
        events: { historyChanged() {}, chatUpdated() {} },
      },
    } as never,
    new AbortController().signal,
  );
  await history[method](chat_id, message.id, {});
  expect(held).toEqual([{ chat_id, epoch: 2 }]);
});
