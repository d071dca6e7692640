/** The log of several kernels, as one of them hears it: what is missed is read anew. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Grants, type Permission } from '../src/client-machine/grants.ts';
import { type FleetWord, SharedLog } from '../src/fleet/shared-log.ts';
import type { FleetStore, SharedLine, Store } from '../src/index.ts';
import { Sleeper } from '../src/sleep/sleeper.ts';
import { Machines } from '../src/standby/machines.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
/** Lets everything run that waits for nothing. */
const settle = () => new Promise(resolve => setImmediate(resolve));

/** A log in memory, to which another kernel writes too. */
async function sharedLog() {
  const lines: SharedLine[] = [];
  let last = 0;
  const add = (kernel: string, { told, json }: Pick<SharedLine, 'told' | 'json'>) =>
    void lines.push({ n: ++last, kernel, told, json });
  let hint = () => {};
  const store = {
    id: 'here',
    lastLine: async () => last,
    linesAfter: async (n: number, most: number) => lines.filter(line => line.n > n).slice(0, most),
    append: async (all: SharedLine[]) => {
      for (const line of all) add('here', line);
    },
    onHint: (_: string, callback: () => void) => {
      hint = callback;
    },
  } as unknown as FleetStore;
  const clock = new ManualClock();
  const log = new SharedLog({ store, clock, log: quiet });
  const tell = (word: FleetWord) => add('there', { told: false, json: JSON.stringify(word) });
  const toldHere = () => lines.filter(({ kernel }) => kernel === 'here').map(({ json }) => JSON.parse(json));
  const hear = async () => {
    hint();
    await settle();
  };
  return { log, clock, tell, hear, toldHere, drop: () => void lines.splice(0) };
}

test('[FLEET-4] a kernel that was cut off for so long that words were dropped reads its copies anew', async () => {
  const { log, tell, hear, drop } = await sharedLog();
  const read: string[] = [];
  log.onChange('memory', async () => void read.push('memory'));
  log.onChange('schedules', async () => void read.push('schedules'));
  await log.start();
  tell({ what: 'memory' });
  await hear();
  expect(read).toEqual(['memory']);
  tell({ what: 'schedules' });
  drop();
  tell({ what: 'tools' });
  await hear();
  expect(read).toEqual(['memory', 'memory', 'schedules']);
});

const PERMISSION: Permission = {
  chat_id: 'c',
  action: 'write',
  command: undefined,
  path: '/a',
  workdir: '/',
  workdir_on: 'client',
  client_id: undefined,
  hands: undefined,
};

test('[HANDS-6] a grant that was taken back elsewhere, unheard, covers nothing', async () => {
  const { log, clock, tell, hear, drop } = await sharedLog();
  let stored: unknown[] = [];
  const approvals = { list: async () => stored, save: async (row: unknown) => void stored.push(row) };
  const grants = new Grants({ approvals } as unknown as Store, clock, quiet, log);
  await log.start();
  await grants.give('allow_always', PERMISSION);
  expect(grants.covers(PERMISSION)).toBe(true);
  await hear();
  stored = [];
  tell({ what: 'revoked', ids: grants.list().map(({ id }) => id) });
  drop();
  tell({ what: 'tools' });
  await hear();
  expect(grants.covers(PERMISSION)).toBe(false);
});

test('[OP-14] grants for the session that other kernels tell are bounded, too', async () => {
  const { log, clock, tell, hear } = await sharedLog();
  const grants = new Grants({} as Store, clock, quiet, log);
  await log.start();
  for (let n = 0; n < 1010; n++) {
    const { command: _, path: __, client_id: ___, hands: ____, ...place } = PERMISSION;
    const approval = { ...place, id: `${n}`, created_at: '', decision: 'allow_session' as const };
    tell({ what: 'approval', approval });
  }
  await hear();
  expect(grants.list()).toHaveLength(1000);
  expect(grants.list()[0]?.id).toBe('10');
});

test('[FLEET-4] a kernel that could not read that all are awake tries again', async () => {
  const { log, clock, tell, hear } = await sharedLog();
  let isAway = false;
  let state: unknown = { since: '', until: null, reason: null };
  const get = async () => {
    if (isAway) throw new Error('the database is away');
    return state;
  };
  const sleeper = new Sleeper({ sleep: { get } } as unknown as Store, clock, quiet, null, log);
  await log.start();
  await sleeper.load();
  expect(sleeper.state).not.toBeNull();
  [isAway, state] = [true, null];
  tell({ what: 'woken' });
  await hear();
  expect(sleeper.state).not.toBeNull();
  isAway = false;
  clock.advance(250);
  await settle();
  expect(sleeper.state).toBeNull();
});

test('[HANDS-1] a kernel that was taken for dead says again which machines it has, and what they were given', async () => {
  const { log, clock, tell, hear, toldHere } = await sharedLog();
  const hands = { list: async () => [], save: async () => {} };
  const store = { hands } as unknown as Store;
  const machines = new Machines({ store, clock, log: quiet, waitSecs: 60, shared: log });
  await log.start();
  await machines.load();
  await machines.connect({ client_id: 'm', name: 'attic', platform: 'linux', running: ['a'] });
  const ids = { op_id: 'b', chat_id: 'c', turn_id: 't' };
  tell({
    what: 'for_machine',
    to: 'here',
    client_id: 'm',
    event: { type: 'client_op', id: 'b', action: 'read', ...ids } as never,
  });
  await hear();
  machines.tellAnew();
  await hear();
  const words = toldHere().filter(({ what }) => what === 'machine' || what === 'which_machines');
  expect(words.map(({ what, running }) => [what, running])).toEqual([
    ['which_machines', undefined],
    ['machine', ['a']],
    ['machine', ['a', 'b']],
    ['which_machines', undefined],
  ]);
});
