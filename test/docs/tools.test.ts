/** The page about built-in tools names those that there are, and says rightly who may use them. */
import { readFileSync } from 'node:fs';
import { builtinTools, GROUPS, MachinePaths } from '@chat-kernel/tools';
import { expect, test } from 'vitest';

test('docs/tools.md names each built-in tool, its input, and whom it is for', () => {
  const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(\w+)` \| (.*) \| .* \| (trusted|all) \|$/gm);
  const told = [...rows].map(([, name, input, whom]) => ({ name, input, trusted: whom === 'trusted' }));
  const tools = builtinTools({
    paths: new MachinePaths([]),
    shell: { sandbox: 'none', timeout_secs: 1 },
    environment: {},
    question_timeout_secs: 1,
  });
  expect(told.map(({ name, trusted }) => ({ name, trusted })).sort(byName)).toEqual(
    tools.map(({ name, trusted_only }) => ({ name, trusted: trusted_only })).sort(byName),
  );
  for (const { name, input_schema } of tools) {
    const fields = Object.keys(input_schema.properties ?? {});
    const { input = '' } = told.find(row => row.name === name) ?? {};
    expect([name, fields.filter(field => !input.includes(field))]).toEqual([name, []]);
  }
  // A group that can be folded says what it is about.
  const groups = new Set(tools.flatMap(tool => (tool.loads_groups ? [] : [tool.group])));
  expect(GROUPS.map(({ name }) => name)).toEqual([...groups].sort());
});

const byName = (a: { name?: string }, b: { name?: string }) => (a.name ?? '').localeCompare(b.name ?? '');
