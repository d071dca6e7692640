/** Tests that the list of tools is exactly what models get. */
import type { ToolList } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import type { KernelOptions } from '../harness/kernel.ts';
import { kernelOf } from '../harness/shared-kernel.ts';

async function listed(options: KernelOptions = {}) {
  const kernel = await kernelOf(options);
  const list: ToolList = await kernel.client.listTools();
  return { ...kernel, list, tool: (name: string) => list.tools.find(tool => tool.name === name) };
}

interface OnWire {
  function: { name: string; description: string; parameters: object };
}

test('[API-4] [SVC-2] returns names, descriptions and schemas as the model gets them, in the same order', async () => {
  const { client, upstream, list } = await listed();
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.', { client_ops: true, questions: true });
  const got: OnWire[] = upstream.requests[0]?.body.tools;
  const given = got.map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  const told = list.tools
    .filter(({ name }) => given.some(tool => tool.name === name))
    .map(({ name, description, input_schema }) => ({ name, description, input_schema }));
  expect(given.length).toBeGreaterThan(5);
  expect(told).toEqual(given);
  // By default only the tools of books are loaded on demand; every other missing tool would need a reason.
  const missing = list.tools.filter(({ name }) => !given.some(tool => tool.name === name));
  expect(missing.map(({ name }) => name)).toEqual(['books_read', 'books_search', 'books_upload']);
});

test('[API-4] returns the origin and the permitted speakers of each tool, and a description of each group', async () => {
  const { list, tool } = await listed();
  expect(tool('shell')).toEqual({
    name: 'shell',
    description: expect.any(String),
    input_schema: expect.objectContaining({ type: 'object' }),
    group: 'shell',
    icon: expect.stringMatching(/./),
    trusted_only: true,
    master_only: true,
    client_only: false,
    on_demand: false,
    effects: ['execute'],
    source: 'builtin',
    available: true,
  });
  expect(tool('think_harder')).toMatchObject({ trusted_only: false, master_only: false });
  expect(tool('read_file')).toMatchObject({ trusted_only: true, master_only: false });
  const names = list.groups.map(({ name }) => name);
  expect(names).toEqual([...new Set(list.tools.map(({ group }) => group))].sort());
  expect(list.groups.find(({ name }) => name === 'shell')).toEqual({
    name: 'shell',
    about: expect.stringMatching(/./),
    on_demand: false,
  });
});

test('[API-4] applies the settings: hides tools that are off, changes gates, and marks groups as on-demand', async () => {
  const { tool, list } = await listed({
    settings: {
      tools: {
        policy: { shell: 'off', read_file: 'allow', think_harder: 'trusted' },
        on_demand: ['files'],
      },
    },
  });
  expect(tool('shell')).toBeUndefined();
  expect(list.groups.map(({ name }) => name)).not.toContain('shell');
  expect(tool('read_file')).toMatchObject({ trusted_only: false, on_demand: true });
  expect(tool('think_harder')).toMatchObject({ trusted_only: true, on_demand: false });
  expect(list.groups.find(({ name }) => name === 'files')?.on_demand).toBe(true);
});
