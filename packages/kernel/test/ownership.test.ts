import { expect, it } from 'vitest';
import { Ownership } from '../src/fleet/ownership.ts';
import type { FleetStore } from '../src/index.ts';

const CHAT = '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1ab';
const OTHER = { id: 'other', url: 'http://127.0.0.1:2' };

/** Ownership over a database in which this kernel can take each chat, with a record of what happened. */
function opened(store: Partial<FleetStore> = {}) {
  const happened: string[] = [];
  const facts = { now: 0, isIdle: true, hasTurns: false, adopts: true };
  let epoch = 0;
  const ownership = new Ownership(
    {
      take: async () => {
        happened.push('take');
        return { epoch: ++epoch };
      },
      release: async () => void happened.push('release'),
      ...store,
    } as unknown as FleetStore,
    { now: () => facts.now },
  );
  ownership.keptBy({
    adopt: async () => {
      happened.push('adopt');
      if (!facts.adopts) throw new Error('the database is away');
    },
    lose: () => void happened.push('lose'),
    isIdle: () => facts.isIdle,
    hasTurns: () => facts.hasTurns,
  });
  return { ownership, happened, facts };
}

it('takes a chat that is requested once, and not again', async () => {
  const { ownership, happened } = opened();
  expect(ownership.has(CHAT)).toBe(false);
  expect(await ownership.place(CHAT)).toBeNull();
  expect(ownership.place(CHAT)).toBeNull();
  expect([ownership.has(CHAT), ownership.size, happened]).toEqual([true, 1, ['take', 'adopt']]);
});

it('releases a chat whose open turns it cannot restore', async () => {
  const { ownership, happened, facts } = opened();
  facts.adopts = false;
  await expect(ownership.place(CHAT)).rejects.toThrow('the database is away');
  expect([ownership.has(CHAT), happened]).toEqual([false, ['take', 'adopt', 'lose', 'release']]);
});

it('owns a chat that was created here until it turns out not to be stored', () => {
  const { ownership, happened } = opened();
  ownership.made(CHAT);
  expect([ownership.has(CHAT), ownership.hold(CHAT).epoch]).toEqual([true, 1]);
  ownership.unmade(CHAT);
  ownership.unmade(CHAT);
  expect([ownership.has(CHAT), happened]).toEqual([false, ['lose']]);
});

it('takes no chat during a shutdown: it names the owner, or says that there is none', async () => {
  let owner: typeof OTHER | undefined = OTHER;
  const { ownership, happened } = opened({ otherOwner: async () => owner as never });
  ownership.refuse();
  expect(await ownership.place(CHAT)).toBe(OTHER);
  owner = undefined;
  await expect(ownership.place(CHAT)).rejects.toMatchObject({ code: 'kernel_away' });
  expect(happened).toEqual([]);
});

it('restores open turns that are only in the database when it finds them twice', async () => {
  const { ownership, happened, facts } = opened({ openChats: async () => [CHAT] });
  await ownership.findAstray();
  expect(happened).toEqual([]);
  await ownership.findAstray();
  expect(happened).toEqual(['take', 'adopt']);
  facts.hasTurns = true;
  await ownership.findAstray();
  await ownership.findAstray();
  expect(happened).toEqual(['take', 'adopt']);
  facts.hasTurns = false;
  await ownership.findAstray();
  await ownership.findAstray();
  expect(happened).toEqual(['take', 'adopt', 'lose', 'take', 'adopt']);
});

it('releases a chat that is idle and was not requested for five minutes', async () => {
  const { ownership, happened, facts } = opened();
  await ownership.place(CHAT);
  facts.now = 5 * 60_000;
  await ownership.giveBack();
  facts.now += 1;
  facts.isIdle = false;
  await ownership.giveBack();
  expect(happened).toEqual(['take', 'adopt']);
  facts.isIdle = true;
  await ownership.giveBack();
  expect([ownership.has(CHAT), happened]).toEqual([false, ['take', 'adopt', 'lose', 'release']]);
});

it('drops the chats that another kernel has taken', async () => {
  const { ownership, happened } = opened({ stillOwned: async () => [] });
  await ownership.check();
  await ownership.place(CHAT);
  ownership.refused({ chat_id: CHAT, epoch: 7 });
  expect(ownership.has(CHAT)).toBe(true);
  await ownership.check();
  expect([ownership.has(CHAT), happened]).toEqual([false, ['take', 'adopt', 'lose']]);
});

it('[FLEET-2] adopts a chat once, and again only with a newer epoch', async () => {
  const chat_id = '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1ab';
  const happened: string[] = [];
  // This test never queries the database.
  const ownership = new Ownership({} as FleetStore, { now: () => 0 });
  ownership.keptBy({
    adopt: async () => void happened.push('adopted'),
    lose: () => void happened.push('lost'),
    isIdle: () => true,
    hasTurns: () => true,
  });
  for (const epoch of [2, 2, 1]) await ownership.adopt({ chat_id, epoch });
  expect([happened, ownership.hold(chat_id).epoch]).toEqual([['adopted'], 2]);
  await ownership.adopt({ chat_id, epoch: 3 });
  expect([happened, ownership.hold(chat_id).epoch]).toEqual([['adopted', 'lost', 'adopted'], 3]);
});
