/** Tests the log of several kernels as one of them receives it: missed entries are read again. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Grants } from '../src/client-machine/grants.ts';
import type { Permission } from '../src/client-machine/permission.ts';
import { type FleetMessage, SharedLog } from '../src/fleet/shared-log.ts';
import type { FleetStore, SharedLine, Store } from '../src/index.ts';
import { Sleeper } from '../src/sleep/sleeper.ts';
import { Machines } from '../src/standby/machines.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
/** Runs everything that waits for no timer. */
const settle = () => new Promise(resolve => setImmediate(resolve));

/** A log in memory that another kernel writes to, too. */
async function sharedLog() {
  const lines: SharedLine[] = [];
  let last = 0;
  const add = (kernel: string, { told, json }: Pick<SharedLine, 'told' | 'json'>) =>
    void lines.push({ n: ++last, kernel, told, json });
  let hint = () => {};
  let isAway = false;
  const sizes: number[] = [];
  const store = {
    id: 'here',
    lastLine: async () => last,
    linesAfter: async (n: number, most: number) => lines.filter(line => line.n > n).slice(0, most),
    append: async (all: SharedLine[]) => {
      if (isAway) throw new Error('the database is away');
      sizes.push(all.length);
      for (const line of all) add('here', line);
    },
    onHint: (_: string, callback: () => void) => {
      hint = callback;
    },
  } as unknown as FleetStore;
  const clock = new ManualClock();
  const log = new SharedLog({ store, clock, log: quiet });
  const tell = (word: FleetMessage) => add('there', { told: false, json: JSON.stringify(word) });
  const toldHere = () => lines.filter(({ kernel }) => kernel === 'here').map(({ json }) => JSON.parse(json));
  /** Reads and writes once everything has rested. */
  const hear = async () => {
    clock.advance(20);
    await settle();
    hint();
    await settle();
  };
  const setAway = (value: boolean) => {
    isAway = value;
  };
  const drop = () => void lines.splice(0);
  /** The number of lines of each append. */
  const appended = () => sizes;
  return { log, clock, tell, hear, toldHere, appended, setAway, drop };
}

test('stores the latest thousand lines in their order once an unavailable database is back', async () => {
  const { log, clock, toldHere, setAway } = await sharedLog();
  await log.start();
  setAway(true);
  for (let n = 1; n <= 1001; n++) log.publish({ what: 'machine_forgotten', client_id: `${n}` });
  await settle();
  log.publish({ what: 'machine_forgotten', client_id: '1002' });
  await settle();
  expect(toldHere()).toEqual([]);
  setAway(false);
  clock.advance(250);
  await settle();
  expect(toldHere().map(({ client_id }) => client_id)).toEqual(
    Array.from({ length: 1000 }, (_, n) => `${n + 3}`),
  );
});

test('writes a line at once, and those of the next 20 ms together', async () => {
  const { log, clock, appended } = await sharedLog();
  await log.start();
  const publish = async (client_id: string) => {
    log.publish({ what: 'machine_forgotten', client_id });
    await settle();
  };
  await publish('1');
  expect(appended()).toEqual([1]);
  await publish('2');
  await publish('3');
  clock.advance(19);
  await settle();
  expect(appended()).toEqual([1]);
  clock.advance(1);
  await settle();
  expect(appended()).toEqual([1, 2]);
  const heard: string[] = [];
  log.onLine(({ json }) => void heard.push(JSON.parse(json).client_id));
  await publish('4');
  await log.stop();
  expect(appended()).toEqual([1, 2, 1]);
  expect(heard.at(-1)).toBe('4');
});

test('[FLEET-4] reloads its copies if entries were dropped while the kernel was disconnected', async () => {
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
  target: undefined,
};

test('[HANDS-6] covers no operation by a grant whose remote revocation was missed', async () => {
  const { log, clock, tell, hear, drop } = await sharedLog();
  let stored: unknown[] = [];
  const approvals = { list: async () => stored, save: async (row: unknown) => void stored.push(row) };
  const grants = new Grants({ approvals } as unknown as Store, clock, quiet, log);
  await log.start();
  await grants.give('allow_always', PERMISSION);
  expect(grants.covers(PERMISSION, [])).toBe('knowingly');
  await hear();
  stored = [];
  tell({ what: 'revoked', ids: grants.list().map(({ id }) => id) });
  drop();
  tell({ what: 'tools' });
  await hear();
  expect(grants.covers(PERMISSION, [])).toBe('no');
});

test('[OP-14] limits the session grants of other kernels, too', async () => {
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

test('publishes to other kernels that all sleep and that all are awake', async () => {
  const { log, clock, toldHere } = await sharedLog();
  const sleep = { save: async () => {} };
  const sleeper = new Sleeper({ sleep } as unknown as Store, clock, quiet, null, log);
  await log.start();
  await sleeper.sleep(null, 'night');
  await settle();
  expect(toldHere()).toEqual([{ what: 'slept' }]);
  await sleeper.wake();
  clock.advance(20);
  await settle();
  expect(toldHere()).toEqual([{ what: 'slept' }, { what: 'woken' }]);
});

test('[FLEET-4] retries reading the sleep state after a failure', async () => {
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

test('[HANDS-1] publishes its machines and their operations again after it was considered dead', async () => {
  const { log, clock, tell, hear, toldHere } = await sharedLog();
  const hands = { list: async () => [], save: async () => {} };
  const store = { hands } as unknown as Store;
  const machines = new Machines({ store, clock, log: quiet, waitSecs: 60, shared: log });
  await log.start();
  await machines.load();
  await machines.connect({ client_id: 'm', name: 'attic', platform: 'linux', running: ['a'] });
  expect([machines.isHere('attic'), machines.isHere('cellar')]).toEqual([true, false]);
  const ids = { op_id: 'b', chat_id: 'c', turn_id: 't' };
  tell({
    what: 'for_machine',
    to: 'here',
    client_id: 'm',
    event: { type: 'client_op', id: 'b', action: 'read', ...ids } as never,
  });
  await hear();
  machines.republish();
  await hear();
  const words = toldHere().filter(({ what }) => what === 'machine' || what === 'which_machines');
  expect(words.map(({ what, running }) => [what, running])).toEqual([
    ['which_machines', undefined],
    ['machine', ['a']],
    ['machine', ['a', 'b']],
    ['which_machines', undefined],
  ]);
});
