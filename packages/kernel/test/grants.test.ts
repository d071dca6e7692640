/** Tests how long grants apply: unknown decisions once, others according to the table of decisions. */
import { type Approval, DECISION_FACTS } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { addAllowToday, DAY_MS } from '../../../test/harness/decision.ts';
import { Grants } from '../src/client-machine/grants.ts';
import type { Permission } from '../src/client-machine/permission.ts';
import type { ApprovalRecord, ApprovalStore } from '../src/index.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const PLACE = {
  chat_id: 'c',
  action: 'shell',
  command: 'make',
  workdir: '/srv',
  workdir_on: 'client',
} as const;
const PERMISSION: Permission = {
  ...PLACE,
  path: undefined,
  client_id: undefined,
  hands: undefined,
  target: undefined,
};

/** Opens grants on a store in memory; `restart` opens them again on the same rows. */
async function openGrants(rows: ApprovalRecord[] = []) {
  const clock = new ManualClock();
  const approvals: ApprovalStore = {
    list: async () => [...rows],
    save: async row => void rows.push(row),
    delete: async ids => {
      for (const id of ids) {
        const at = rows.findIndex(row => row.id === id);
        if (at >= 0) rows.splice(at, 1);
      }
    },
  };
  const restart = async () => {
    const grants = new Grants({ approvals }, clock, SILENT);
    await grants.load();
    return grants;
  };
  return { clock, rows, restart, grants: await restart() };
}

const storedRow = (decision: string): ApprovalRecord => ({
  ...PLACE,
  id: 'a',
  client_id: null,
  hands: null,
  prefix: null,
  target: null,
  outside: null,
  created_at: '2026-01-01T00:00:00.000Z',
  decision: decision as ApprovalRecord['decision'],
});

test('[CONSENT-4] a grant covers no source that its dialog did not name', async () => {
  const { grants } = await openGrants();
  await grants.give('allow_session', PERMISSION, { outside: ['web:a.example', 'more sources'] });
  expect(grants.covers(PERMISSION, ['web:a.example'])).toBe('knowingly');
  expect(grants.covers(PERMISSION, ['web:b.example'])).toBe('yes');
  expect(grants.covers(PERMISSION, ['web:a.example', 'more sources'])).toBe('yes');
});

test('[OP-14] an unknown stored decision covers no operation, and a revocation deletes it', async () => {
  const { grants, rows } = await openGrants([storedRow('allow_for_now')]);
  expect(grants.covers(PERMISSION, [])).toBe('no');
  expect(grants.list()).toEqual([] satisfies Approval[]);
  expect(rows).toHaveLength(1);
  expect(await grants.revoke()).toBe(0);
  expect(rows).toEqual([]);
});

test('[OP-14] a known stored decision covers the same operations as before', async () => {
  const { grants } = await openGrants([storedRow('allow_always')]);
  expect(grants.covers(PERMISSION, [])).toBe('knowingly');
  expect(grants.covers({ ...PERMISSION, command: 'make all' }, [])).toBe('no');
});

test('[OP-14] a decision for one day is stored, applies after a restart, and ends after the day', async () => {
  const allowToday = addAllowToday(DECISION_FACTS);
  const { clock, rows, grants, restart } = await openGrants();
  await grants.give(allowToday, PERMISSION);
  expect(rows).toMatchObject([{ decision: 'allow_today', created_at: '2026-01-01T00:00:00.000Z' }]);
  clock.advance(DAY_MS - 1);
  expect(grants.covers(PERMISSION, [])).toBe('knowingly');
  const next = await restart();
  expect(next.covers(PERMISSION, [])).toBe('knowingly');
  clock.advance(1);
  for (const each of [grants, next]) {
    expect(each.covers(PERMISSION, [])).toBe('no');
    expect(each.list()).toEqual([]);
  }
  await restart();
  expect(rows).toEqual([]);
});

test('[OP-14] a decision for one day renews an older one, yields to always, and does not replace always', async () => {
  const allowToday = addAllowToday(DECISION_FACTS);
  const { clock, rows, grants } = await openGrants();
  const decisions = () => grants.list().map(({ decision }) => decision);
  await grants.give('allow_session', PERMISSION);
  await grants.give(allowToday, PERMISSION);
  expect(decisions()).toEqual(['allow_today']);
  await grants.give('allow_session', PERMISSION);
  expect(decisions()).toEqual(['allow_today']);
  clock.advance(DAY_MS);
  await grants.give(allowToday, PERMISSION);
  expect(rows).toMatchObject([{ created_at: '2026-01-02T00:00:00.000Z' }]);
  clock.advance(DAY_MS - 1);
  expect(grants.covers(PERMISSION, [])).toBe('knowingly');
  await grants.give('allow_always', PERMISSION);
  await grants.give(allowToday, PERMISSION);
  expect(decisions()).toEqual(['allow_always']);
  expect(rows).toMatchObject([{ decision: 'allow_always' }]);
});

test('[OP-14] a decision for the session applies after the day, and the next start deletes the old row', async () => {
  const allowToday = addAllowToday(DECISION_FACTS);
  const { clock, rows, grants, restart } = await openGrants();
  await grants.give(allowToday, PERMISSION);
  clock.advance(DAY_MS);
  await grants.give('allow_session', PERMISSION);
  expect(grants.covers(PERMISSION, [])).toBe('knowingly');
  expect((await restart()).covers(PERMISSION, [])).toBe('no');
  expect(rows).toEqual([]);
});

test('[CONSENT-3] a grant with a target covers this target, and a directory what is below it', async () => {
  const { grants, rows, restart } = await openGrants();
  const call = (action: string, target: string | undefined): Permission => ({
    ...PERMISSION,
    action,
    command: undefined,
    target,
  });
  await grants.give('allow_always', call('web_fetch', 'example.org'));
  await grants.give('allow_always', call('read', '/srv/notes/'));
  expect(rows).toMatchObject([{ target: 'example.org' }, { target: '/srv/notes/' }]);
  for (const each of [grants, await restart()]) {
    const covers = (action: string, target?: string) => each.covers(call(action, target), []);
    expect(covers('web_fetch', 'example.org')).toBe('knowingly');
    expect(covers('web_fetch', 'example.org/a')).toBe('no');
    expect(covers('web_fetch', 'evil.example')).toBe('no');
    expect(covers('web_fetch')).toBe('no');
    expect(covers('read', '/srv/notes/2026/')).toBe('knowingly');
    expect(covers('read', '/srv/notes-of-others/')).toBe('no');
    expect(covers('read', '/srv/')).toBe('no');
    expect(covers('read', '/srv/notes/id_rsa')).toBe('no');
    expect(covers('read')).toBe('no');
  }
});

test('[CONSENT-4] a grant covers a turn knowingly only if its dialog named all that the turn has read', async () => {
  const { grants, rows, restart } = await openGrants();
  await grants.give('allow_always', PERMISSION);
  expect(grants.covers(PERMISSION, ['web:a.example'])).toBe('yes');
  await grants.give('allow_always', PERMISSION, { outside: ['web:a.example', 'mcp:mail'] });
  expect(rows).toMatchObject([{ outside: null }, { outside: ['web:a.example', 'mcp:mail'] }]);
  for (const each of [grants, await restart()]) {
    expect(each.covers(PERMISSION, ['mcp:mail'])).toBe('knowingly');
    expect(each.covers(PERMISSION, ['mcp:mail', 'web:a.example'])).toBe('knowingly');
    expect(each.covers(PERMISSION, ['mcp:mail', 'web:b.example'])).toBe('yes');
  }
});
