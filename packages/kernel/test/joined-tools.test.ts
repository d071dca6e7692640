/** Tests merging the tools of several kernels. */
import { expect, test } from 'vitest';
import { mergeTools } from '../src/modules/remote-tools.ts';
import type { AdvertisedTools, ExtensionTool } from '../src/ports/index.ts';

const HERE = { id: 'here', name: 'left' };

const toolOf = (name: string, group: string, more: Partial<ExtensionTool> = {}): ExtensionTool => ({
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
  effects: ['send'],
  run: async () => ({ output: 'here' }),
  ...more,
});

const groupOf = (name: string) => ({ name, about: '' });

const at = (id: string, group: string, ...tools: ExtensionTool[]): AdvertisedTools => ({
  kernel: { id, name: id, url: '' },
  group: groupOf(group),
  tools,
});

const join = (own: ExtensionTool[], here: string[], others: AdvertisedTools[], reserved: string[] = []) => {
  const groups = [...new Set(own.map(({ group }) => group))].map(groupOf);
  const joined = mergeTools({ tools: own, groups, here, reserved }, others, HERE, (tool, { kernel }) => ({
    ...toolOf(tool.name, tool.group),
    kernel,
  }));
  return {
    tools: joined.tools.map(({ name, kernel }) => `${name} ${kernel?.id ?? 'nowhere'}`),
    groups: joined.groups.map(({ name }) => name),
  };
};

test('prefers local modules in any state, and hides remote ones of the same name', () => {
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

test('hides remote tools of a local module without tools', () => {
  expect(join([], ['radio'], [at('b', 'radio', toolOf('radio_echo', 'radio'))])).toEqual({
    tools: [],
    groups: [],
  });
});

test('prefers the oldest of several kernels, unless the module is down there', () => {
  const tool = toolOf('radio_echo', 'radio');
  const down = toolOf('radio_echo', 'radio', { available: false });
  expect(join([], [], [at('b', 'radio', tool), at('c', 'radio', tool)]).tools).toEqual(['radio_echo b']);
  expect(join([], [], [at('b', 'radio', down), at('c', 'radio', tool)]).tools).toEqual(['radio_echo c']);
  expect(join([], [], [at('b', 'radio', down), at('c', 'radio', down)]).tools).toEqual(['radio_echo b']);
});

test('prefers the local one of two tools with the same name, then the first module by name', () => {
  const own = [toolOf('a_b_c', 'a')];
  const others = [
    at('b', 'a_b', toolOf('a_b_c', 'a_b')),
    at('b', 'x_y', toolOf('x_y_z', 'x_y')),
    at('c', 'x', toolOf('x_y_z', 'x')),
  ];
  expect(join(own, ['a'], others).tools).toEqual(['a_b_c here', 'x_y_z c']);
});
