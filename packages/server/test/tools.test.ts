/** Tests that settings which name tools, groups or a sandbox that do not exist stop the start of a kernel. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '@chat-kernel/hands/own-machine';
import { type Store, systemClock, type Tool } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StopStack } from '../src/start/context.ts';
import { checkToolSettings, openTools } from '../src/start/tools.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const tool = (name: string, group: string, loads = false) =>
  ({ name, group, ...(loads && { loads_groups: true }) }) as unknown as Tool;
const TOOLS = [tool('shell', 'commands'), tool('plan', 'plans'), tool('load_tools', 'loading', true)];
const sandboxWith = (problem: string | null) => ({ problem: async () => problem }) as Sandbox;
const shells = (shell: object) => ({ shell: { ...Settings.parse({}).tools.shell, ...shell } });

/** The errors of these settings of tools; undefined if there are none. */
const mistakes = (settings: object, problem: string | null = null) =>
  checkToolSettings(
    { ...Settings.parse({}).tools, ...settings },
    { tools: TOOLS, prefixes: ['radio'], sandbox: sandboxWith(problem) },
  ).then(
    () => undefined,
    ({ lines }: { lines: string[] }) => lines,
  );

describe('settings of tools', () => {
  it('[BT-1] name tools and groups that exist, or that a module may still bring', async () => {
    const policy = { shell: 'off', commands: 'off', loading: 'off', radio: 'off', radio_play: 'off' };
    expect(await mistakes({ policy, on_demand: ['plans', 'radio', 'radio_news'] })).toEqual([
      'tools.policy.loading: unknown tool or group; known: shell, plan, load_tools, commands, plans',
    ]);
    expect(await mistakes({ policy: { radios: 'off', load_tools: 'off' }, on_demand: ['shell'] })).toEqual([
      'tools.policy.radios: unknown tool or group; known: shell, plan, load_tools, commands, plans',
      'tools.on_demand: unknown group shell; known: commands, plans',
    ]);
  });

  it.each([
    [{ sandbox: 'auto' }, undefined],
    [{ sandbox: 'none', network: 'off' }, undefined],
    [{ sandbox: 'bwrap' }, 'tools.shell.sandbox: it is broken'],
    [
      { sandbox: 'auto', network: 'off' },
      'tools.shell.network: limiting hosts requires a sandbox, and it is broken',
    ],
  ])('[BT-1] %o with a broken sandbox: %s', async (shell, mistake) => {
    expect(await mistakes(shells(shell), 'it is broken')).toEqual(mistake && [mistake]);
    expect(await mistakes(shells(shell))).toBeUndefined();
  });
});

it('[BT-1] refuses to start with a policy for an unknown tool', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'tools-'));
  onTestFinished(() => rmSync(data_dir, { recursive: true }));
  const stops = new StopStack(log);
  const models = await openModels({
    llm: Settings.parse({}).llm,
    env: {},
    secrets: [],
    clock: systemClock,
    log,
  });
  const open = (policy: object) =>
    openTools(
      {
        settings: Settings.parse({ data_dir, tools: { policy } }),
        clock: systemClock,
        log,
        environment: {},
        secrets: [],
        stops,
      },
      {
        store: { modules: { list: async () => [{ name: 'known' }] } } as unknown as Store,
        onUnread() {},
        models,
        builtin: TOOLS,
        groups: [{ name: 'plans', about: 'plans' }],
        sandbox: sandboxWith(null),
      },
    );
  await expect(open({ shel: 'off' })).rejects.toThrow(
    /^tools\.policy\.shel: unknown tool or group; known: load_tools, plan, shell, /,
  );
  const { tools, groups } = await open({ known_play: 'off', mcp_a: 'off' });
  expect(tools.map(({ name }) => name).slice(0, 4)).toEqual(['load_tools', 'plan', 'shell', 'module_list']);
  expect(groups.map(({ name }) => name).slice(-2)).toEqual(['plans', 'modules']);
  await stops.stopAll();
});
