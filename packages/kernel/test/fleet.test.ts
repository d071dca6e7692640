/** Tests what a kernel does among those on its database, with a played database. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Membership } from '../src/api/membership.ts';

const settled = () => new Promise(resolve => setImmediate(resolve));

/** A member whose database says what the test sets; `done` lists what it did. */
async function joined() {
  const clock = new ManualClock();
  const done: unknown[] = [];
  const says = {
    alive: true,
    dead: [] as string[],
    orphans: [] as string[],
    broken: false,
    unrestorable: '',
  };
  let hint = () => {};
  const did =
    <Result>(what: string, result?: () => Result) =>
    async () => {
      done.push(what);
      if (says.broken) throw new Error('no connection');
      return result?.();
    };
  const store = {
    ...{ id: 'me', name: 'desk', secret: 's', knows: (id: string) => id === 'known' },
    list: async () => [{ id: 'me' }, { id: 'other' }],
    onHint: (_: string, callback: () => void) => {
      hint = callback;
    },
    beat: did('beat', () => says.alive),
    bury: did('bury', () => says.dead.splice(0)),
    leave: did('leave'),
    takeOrphans: async (most: number, except: readonly string[]) => {
      if (says.broken) throw new Error('no connection');
      const taken = says.orphans.filter(id => !except.includes(id)).slice(0, most);
      says.orphans = says.orphans.filter(id => !taken.includes(id) || id === says.unrestorable);
      done.push([...taken]);
      return taken.map(chat_id => ({ chat_id, epoch: 1 }));
    },
  };
  const ownership = {
    size: 3,
    adopt: async ({ chat_id }: { chat_id: string }) => {
      if (chat_id === says.unrestorable) throw new Error('damaged');
      done.push(`adopted ${chat_id}`);
    },
    check: did('check'),
    findAstray: did('findAstray'),
    giveBack: did('giveBack'),
    refuse: () => void done.push('refuse'),
  };
  const told = (name: string) => ({
    lost: (gone: string[]) => void done.push(`${name} lost ${gone}`),
    republish: () => void done.push(`${name} republished`),
  });
  const say = (_: object, text: string) => void done.push(`log: ${text}`);
  const member = new Membership(
    { store: { fleet: store }, clock, log: { debug() {}, info() {}, warn: say, error: say } } as never,
    { services: { ownership, machines: { standby: told('machines') } }, elsewhere: told('tools') } as never,
  );
  const fleet = member.fleet as NonNullable<typeof member.fleet>;
  await fleet.start();
  const begun = done.splice(0);
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(100);
      await settled();
    }
    return done.splice(0);
  };
  return { begun, fleet, clock, says, done, pass, hint: () => hint() };
}

const count = (done: unknown[], what: string) => done.filter(each => each === what).length;

it('[FLEET-3] sends a heartbeat each second, looks for dead kernels ten times as often, and for misplaced turns', async () => {
  const { begun, pass, fleet } = await joined();
  expect(begun).toEqual(['bury', []]);
  const all = await pass(60_000);
  expect(['beat', 'bury', 'findAstray', 'giveBack', 'check'].map(what => count(all, what))).toEqual([
    60, 600, 30, 1, 0,
  ]);
  expect(all.filter(Array.isArray)).toHaveLength(120);
  expect([fleet.id, fleet.name, fleet.owned, fleet.takeovers]).toEqual(['me', 'desk', 3, 0]);
  expect([await fleet.isRegistered('known'), await fleet.isRegistered('other')]).toEqual([true, true]);
  expect([await fleet.isRegistered('me'), await fleet.isRegistered('none')]).toEqual([false, false]);
});

it('[FLEET-3] reports dead kernels and takes their chats over, except those that cannot be restored', async () => {
  const { says, pass, fleet } = await joined();
  says.dead = ['x', 'y'];
  says.orphans = Array.from({ length: 10 }, (_, n) => `chat ${n}`);
  says.unrestorable = 'chat 3';
  const all = await pass(100);
  expect(all.slice(-1)).toEqual([[]]);
  for (const name of ['machines', 'tools']) expect(all).toContain(`${name} lost x,y`);
  expect(count(all, 'log: kernels have stopped; the remaining kernels take over their chats')).toBe(1);
  expect(count(all, 'log: resuming a chat that was taken over failed')).toBe(1);
  expect(all.filter(each => `${each}`.startsWith('adopted'))).toHaveLength(9);
  expect(all.filter(Array.isArray).map(({ length }) => length)).toEqual([8, 2, 0]);
  expect(fleet.takeovers).toBe(10);
});

it('[FLEET-3] comes back after the others took it for dead: shows its tools again, and checks what it owns', async () => {
  const { says, pass } = await joined();
  says.alive = false;
  const first = await pass(1000);
  says.alive = true;
  expect(first).toContain('log: other kernels had declared this kernel dead');
  for (const name of ['machines', 'tools']) expect(count(first, `${name} republished`)).toBe(1);
  const later = await pass(3000);
  expect([count(first, 'check'), count(later, 'check')]).toEqual([1, 3]);
  expect(later).not.toContain('machines republished');
});

it('looks at once after a hint, and again if another one arrives during that', async () => {
  const { done, hint, says } = await joined();
  says.orphans = ['a'];
  hint();
  hint();
  hint();
  await settled();
  await settled();
  expect(count(done, 'bury')).toBe(2);
  expect(count(done, 'adopted a')).toBe(1);
  expect(done.filter(Array.isArray)).toEqual([['a'], [], []]);
});

it('tries again after a second if the database fails, with a line for each failure', async () => {
  const { says, pass } = await joined();
  says.broken = true;
  const all = await pass(2000);
  expect(count(all, 'bury')).toBe(2);
  expect(count(all, 'log: discovering other kernels failed')).toBe(2);
  expect(count(all, 'log: taking over chats of stopped kernels failed')).toBe(2);
  expect(count(all, 'log: sending the heartbeat of this kernel failed')).toBe(2);
  says.broken = false;
  expect(await pass(1000)).not.toContainEqual(expect.stringContaining('log'));
});

it('takes no chats over while it stops, and does nothing after it has left', async () => {
  const { fleet, says, pass, hint, clock } = await joined();
  fleet.drain();
  says.orphans = ['a'];
  const draining = await pass(1000);
  expect(draining[0]).toBe('refuse');
  expect(draining.filter(Array.isArray)).toEqual([]);
  await fleet.stop();
  expect(await pass(100)).toEqual(['leave']);
  hint();
  expect([await pass(60_000), clock.timers.size]).toEqual([[], 0]);
});
