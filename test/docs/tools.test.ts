/** Checks that the page about built-in tools names exactly these, and states correctly who may use them. */
import { readFileSync } from 'node:fs';
import { OpenFeatures } from '@chat-kernel/features';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import type { Tool } from '@chat-kernel/kernel';
import { builtinTools, GROUPS } from '@chat-kernel/tools';
import { expect, test } from 'vitest';

test('documents each built-in tool with its input and permitted speakers in docs/tools.md', () => {
  const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \| (master|trusted|all) \|$/gm)].map(
    ([, name, input, what, whom]) => ({
      name,
      input,
      whom,
      on_demand: / \(on demand\)$/.test(what ?? ''),
    }),
  );
  const nowhere = new MachinePaths([]);
  const features = new OpenFeatures();
  const ofMachine = builtinTools({
    paths: nowhere,
    sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, nowhere),
    environment: {},
    question_timeout_secs: 1,
  });
  const tools = [...ofMachine, ...features.tools({ paths: nowhere, skillFolders: [] })].sort(byName);
  const whomOf = ({ trusted_only, master_only }: Tool) =>
    master_only ? 'master' : trusted_only ? 'trusted' : 'all';
  expect(rows.map(({ name, whom, on_demand }) => ({ name, whom, on_demand })).sort(byName)).toEqual(
    tools.map(tool => ({ name: tool.name, whom: whomOf(tool), on_demand: tool.on_demand })).sort(byName),
  );
  for (const { name, input_schema } of tools) {
    const fields = Object.keys(input_schema.properties ?? {});
    const { input = '' } = rows.find(row => row.name === name) ?? {};
    expect([name, fields.filter(field => !input.includes(field))]).toEqual([name, []]);
  }
  const [, forbidden = ''] = /Sub-agents do not have (.*?) and\s+extra tools/s.exec(page) ?? [];
  const leadOnly = tools.filter(({ lead_only }) => lead_only).map(({ name }) => name);
  expect([...forbidden.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(leadOnly);
  // A group that can be loaded on demand describes itself.
  const groups = new Set(tools.flatMap(tool => (tool.loads_groups ? [] : [tool.group])));
  const described = [...GROUPS, ...features.groups()].map(({ name }) => name);
  expect(described.sort()).toEqual([...groups].sort());
});

const byName = (a: { name?: string }, b: { name?: string }) => (a.name ?? '').localeCompare(b.name ?? '');
