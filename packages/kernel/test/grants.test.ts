/** Tests how long grants apply: unknown decisions once, others according to the table of decisions. */
import type { Approval } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Grants } from '../src/client-machine/grants.ts';
import type { Permission } from '../src/client-machine/permission.ts';
import type { FleetMessage, SharedLog } from '../src/fleet/shared-log.ts';
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

/**
 * Opens grants on a store in memory; `restart` opens them again on the same rows. `hear` receives a message of another
 * kernel, and `miss` reports that some were missed.
 */
async function openGrants(rows: ApprovalRecord[] = []) {
  const published: FleetMessage[] = [];
  const others = { hear: (_: FleetMessage) => {}, miss: async () => {} };
  const shared = {
    publish: (word: FleetMessage) => void published.push(word),
    onWord: (callback: typeof others.hear) => Object.assign(others, { hear: callback }),
    onGap: (callback: typeof others.miss) => Object.assign(others, { miss: callback }),
  } as unknown as SharedLog;
  const approvals: ApprovalStore = {
    list: async () => [...rows],
    save: async row => void rows.push(row),
    delete: async ids => {
      expect(ids).not.toEqual([]);
      for (const id of ids) {
        const at = rows.findIndex(row => row.id === id);
        if (at >= 0) rows.splice(at, 1);
      }
    },
  };
  const restart = async () => {
    const grants = new Grants({ approvals }, new ManualClock(), SILENT, shared);
    await grants.load();
    return grants;
  };
  return { rows, approvals, published, others, restart, grants: await restart() };
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

test('[OP-14] always replaces the session, is stored, and is not replaced by the session', async () => {
  const { rows, grants, restart } = await openGrants();
  const decisions = () => grants.list().map(({ decision }) => decision);
  await grants.give('allow_session', PERMISSION);
  expect([decisions(), rows]).toEqual([['allow_session'], []]);
  await grants.give('allow_always', PERMISSION);
  await grants.give('allow_session', PERMISSION);
  expect(decisions()).toEqual(['allow_always']);
  expect(rows).toMatchObject([{ decision: 'allow_always' }]);
  expect((await restart()).covers(PERMISSION, [])).toBe('knowingly');
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

test('[CONSENT-4] a grant is stored with the one source that its dialog named', async () => {
  const { grants, rows } = await openGrants();
  await grants.give('allow_always', PERMISSION, { outside: ['mcp:mail'] });
  expect(rows).toMatchObject([{ outside: ['mcp:mail'] }]);
  expect(grants.covers(PERMISSION, ['mcp:mail'])).toBe('knowingly');
});

test('[CONSENT-7] distinguishes commands that only a prefix covers from commands with their own grant', async () => {
  const { grants, restart } = await openGrants();
  const test = { ...PERMISSION, command: 'npm test' };
  expect(grants.coversOnlyByPrefix(test)).toBe(false);
  await grants.give('allow_prefix', test, { prefix: ' npm  test' });
  for (const each of [grants, await restart()]) {
    expect(each.coversOnlyByPrefix(test)).toBe(true);
    expect(each.coversOnlyByPrefix({ ...PERMISSION, command: 'npm publish' })).toBe(false);
  }
  await grants.give('allow_always', test);
  expect(grants.coversOnlyByPrefix(test)).toBe(false);
});

test('[OP-14] a repeated decision keeps the grant', async () => {
  const { grants, rows } = await openGrants();
  for (const decision of ['allow_session', 'allow_always'] as const) {
    await grants.give(decision, PERMISSION);
    const first = grants.list();
    await grants.give(decision, PERMISSION);
    expect(grants.list()).toEqual(first);
  }
  expect(rows).toHaveLength(1);
});

const give = async (grants: Grants, ...chats: string[]) => {
  for (const chat_id of chats) await grants.give('allow_always', { ...PERMISSION, chat_id });
};

test('[OP-14] revokes one grant, those of a deleted chat, or all, in the store and on other kernels', async () => {
  const { grants, rows, published } = await openGrants();
  await give(grants, 'a', 'b', 'c');
  const [a, b, c] = grants.list() as [Approval, Approval, Approval];
  const chats = () => [grants.list(), rows].map(all => all.map(({ chat_id }) => chat_id));
  expect(await grants.revoke('none')).toBe(0);
  expect(await grants.revoke(a.id)).toBe(1);
  expect(chats()).toEqual([
    ['b', 'c'],
    ['b', 'c'],
  ]);
  grants.forget('b');
  grants.forget('none');
  expect(chats()).toEqual([['c'], ['b', 'c']]);
  expect(await grants.revoke()).toBe(1);
  expect(await grants.revoke()).toBe(0);
  expect(chats()).toEqual([[], ['b']]);
  expect(published).toEqual([
    ...[a, b, c].map(approval => ({ what: 'approval', approval })),
    ...[a, b, c].map(({ id }) => ({ what: 'revoked', ids: [id] })),
  ]);
});

test('[OP-14] applies the grants and revocations of other kernels', async () => {
  const [here, there] = [await openGrants(), await openGrants()];
  await give(there.grants, 'a', 'b');
  await there.grants.revoke(there.grants.list()[0]?.id);
  for (const word of there.published) here.others.hear(word);
  expect(here.grants.list()).toEqual(there.grants.list());
  expect(here.published).toEqual([]);
});

test('[HANDS-6] reads the stored grants again after missed messages, and no session grant', async () => {
  const { grants, rows, others } = await openGrants();
  await grants.give('allow_session', PERMISSION);
  rows.push(storedRow('allow_always'));
  await others.miss();
  expect(grants.list()).toMatchObject([{ id: 'a' }]);
});

test('[HANDS-6] reads no grant that is revoked at that time', async () => {
  const { grants, rows, others, approvals } = await openGrants([storedRow('allow_always')]);
  const { list } = approvals;
  approvals.list = async () => {
    const stored = await list();
    others.hear({ what: 'revoked', ids: ['a'] });
    return stored;
  };
  await expect(others.miss()).rejects.toThrow('a grant was revoked concurrently');
  expect(grants.list()).toEqual([]);
  approvals.list = list;
  rows.pop();
  await others.miss();
  expect(grants.list()).toEqual([]);
});

test('[OP-14] a failed write keeps its grant, and delays no later write', async () => {
  const { grants, approvals, rows } = await openGrants();
  const { save } = approvals;
  approvals.save = () => Promise.reject(new Error('no disk'));
  await give(grants, 'a');
  approvals.save = save;
  await give(grants, 'b');
  expect(grants.list().map(({ chat_id }) => chat_id)).toEqual(['a', 'b']);
  expect(rows).toMatchObject([{ chat_id: 'b' }]);
});
