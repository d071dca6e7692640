/** Tools of several kernels as one list. */
import { expect, test } from 'vitest';
import { joinedTools } from '../src/modules/joined-tools.ts';
import type { BroughtTool, ToolsAt } from '../src/ports/index.ts';

const HERE = { id: 'here', name: 'left' };

const toolOf = (name: string, group: string, more: Partial<BroughtTool> = {}): BroughtTool => ({
  name,
  description: '',
  input_schema: {},
  group,
  icon: '',
  trusted_only: false,
  client_only: false,
  on_demand: false,
  source: 'module',
  outside_effect: true,
  run: async () => ({ output: 'here' }),
  ...more,
});

const groupOf = (name: string) => ({ name, about: '' });

const at = (id: string, group: string, ...tools: BroughtTool[]): ToolsAt => ({
  kernel: { id, name: id, url: '' },
  group: groupOf(group),
  tools,
});

const join = (own: BroughtTool[], here: string[], others: ToolsAt[], reserved: string[] = []) => {
  const groups = [...new Set(own.map(({ group }) => group))].map(groupOf);
  const joined = joinedTools({ tools: own, groups, here, reserved }, others, HERE, (tool, { kernel }) => ({
    ...toolOf(tool.name, tool.group),
    kernel,
  }));
  return {
    tools: joined.tools.map(({ name, kernel }) => `${name} ${kernel?.id ?? 'nowhere'}`),
    groups: joined.groups.map(({ name }) => name),
  };
};

test('what is here counts, whatever its state; what only the database knows gives way', () => {
  const down = { available: false };
  const own = [
    toolOf('radio_echo', 'radio', down),
    toolOf('clock_time', 'clock', down),
    toolOf('gone_x', 'gone', down),
  ];
  const others = [
    at('b', 'radio', toolOf('radio_echo', 'radio')),
    at('b', 'clock', toolOf('clock_time', 'clock')),
  ];
  expect(join(own, ['radio'], others)).toEqual({
    tools: ['radio_echo here', 'gone_x nowhere', 'clock_time b'],
    groups: ['radio', 'gone', 'clock'],
  });
});

test('a module that is here without any tool keeps those of its name away', () => {
  expect(join([], ['radio'], [at('b', 'radio', toolOf('radio_echo', 'radio'))])).toEqual({
    tools: [],
    groups: [],
  });
});

test('of several kernels the oldest counts, unless the module is down there', () => {
  const tool = toolOf('radio_echo', 'radio');
  const down = toolOf('radio_echo', 'radio', { available: false });
  expect(join([], [], [at('b', 'radio', tool), at('c', 'radio', tool)]).tools).toEqual(['radio_echo b']);
  expect(join([], [], [at('b', 'radio', down), at('c', 'radio', tool)]).tools).toEqual(['radio_echo c']);
  expect(join([], [], [at('b', 'radio', down), at('c', 'radio', down)]).tools).toEqual(['radio_echo b']);
});

test('of two tools with one name that of this kernel is taken, and else that of the first module by name', () => {
  const own = [toolOf('a_b_c', 'a')];
  const others = [
    at('b', 'a_b', toolOf('a_b_c', 'a_b')),
    at('b', 'x_y', toolOf('x_y_z', 'x_y')),
    at('c', 'x', toolOf('x_y_z', 'x')),
  ];
  expect(join(own, ['a'], others).tools).toEqual(['a_b_c here', 'x_y_z c']);
});
