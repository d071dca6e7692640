/** Tests the list of modules of all kernels, and the user's decisions about them. */
import type { Module } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { Modules } from '../src/modules/modules.ts';

const HERE = { id: 'me', name: 'left' };
const THERE = { id: 'other', name: 'right' };
const module = (name: string, status: Module['status'], kernel?: Module['kernel']) =>
  ({ name, status, ...(kernel && { kernel }) }) as Module;

/** Modules of one kernel. @param here the names of those that it runs */
function opened(all: Module[], here: string[] = []) {
  const calls: unknown[][] = [];
  const decide = (what: string) => async (name: string) => {
    calls.push([what, name]);
    return module(name, what === 'approve' ? 'up' : 'revoked');
  };
  const events = { decided: () => {}, changed: () => {} };
  const extensions = {
    modules: () => all,
    tools: () => ({ here }),
    onDecision: (callback: () => void) => Object.assign(events, { decided: callback }),
    reloadDecisions: () => calls.push(['reload']),
    approve: decide('approve'),
    revoke: decide('revoke'),
  };
  const shared = {
    publish: (word: object) => calls.push(['publish', word]),
    onChange: (copy: string, callback: () => void) => Object.assign(events, { [copy]: callback }),
  };
  return { calls, events: events as Record<string, () => void>, extensions, shared };
}

it('counts active modules as up or down, and no module that waits for approval or is disabled', () => {
  const all = (['up', 'down', 'failed', 'pending', 'revoked'] as const).map(each =>
    module(`is ${each}`, each),
  );
  const { extensions } = opened(all);
  expect(new Modules(extensions as never).states()).toEqual({
    'is up': 'up',
    'is down': 'down',
    'is failed': 'down',
  });
  expect(new Modules(undefined).states()).toEqual({});
});

it('[FLEET-4] names this kernel as that of the modules that it runs, if there are others', () => {
  const { extensions, shared } = opened([module('clock', 'up'), module('known', 'revoked')], ['clock']);
  const list = (...rest: unknown[]) =>
    new Modules(...([extensions, ...rest] as unknown as ConstructorParameters<typeof Modules>)).list()
      .modules;
  expect(list(shared, { ...HERE, url: '' })).toEqual([
    module('clock', 'up', HERE),
    module('known', 'revoked'),
  ]);
  expect(list()).toEqual([module('clock', 'up'), module('known', 'revoked')]);
  expect(new Modules(undefined).list()).toEqual({ modules: [] });
});

it.each<[string, Module | undefined, Module[], Module]>([
  ['the local state', module('m', 'down', HERE), [module('m', 'up', THERE)], module('m', 'down', HERE)],
  [
    'that of a kernel on which it is up',
    module('m', 'revoked'),
    [module('m', 'down', HERE), module('m', 'up', THERE)],
    module('m', 'up', THERE),
  ],
  [
    'that of the first kernel that has it',
    module('m', 'revoked'),
    [module('m', 'down', THERE), module('m', 'failed', HERE)],
    module('m', 'down', THERE),
  ],
  ['the state in the database', module('m', 'revoked'), [module('m', 'pending')], module('m', 'revoked')],
  [
    'that of another kernel, if this one has no modules',
    undefined,
    [module('m', 'down', HERE), module('m', 'up', THERE)],
    module('m', 'up', THERE),
  ],
])('[FLEET-4] lists a module once with %s', (_, own, others, expected) => {
  const extensions = own && opened([own], own.kernel ? ['m'] : []).extensions;
  const lists = others.map(each => ({ modules: [each, module('z', 'up', THERE)] }));
  const modules = new Modules(extensions as never);
  expect(modules.listWith([{ modules: [module('n', 'up', THERE)] }, ...lists]).modules).toEqual([
    expected,
    module('n', 'up', THERE),
    module('z', 'up', THERE),
  ]);
});

it('[MOD-2] decides only about known modules', async () => {
  const { calls, extensions } = opened([module('known', 'pending')], ['known']);
  const modules = new Modules(extensions as never, undefined, HERE);
  expect(await modules.approve('known')).toEqual(module('known', 'up', HERE));
  expect(await modules.revoke('known')).toEqual(module('known', 'revoked', HERE));
  expect(calls).toEqual([
    ['approve', 'known'],
    ['revoke', 'known'],
  ]);
  for (const [each, name] of [
    [modules, 'none'],
    [new Modules(undefined), 'known'],
  ] as const)
    await expect(each.approve(name)).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no module ${name}.`,
    });
});

it('[FLEET-4] publishes decisions to other kernels, and applies theirs', () => {
  const { calls, events, extensions, shared } = opened([]);
  new Modules(extensions as never, shared as never);
  events.decided!();
  events.modules!();
  expect(calls).toEqual([['publish', { what: 'modules' }], ['reload']]);
});
