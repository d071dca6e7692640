/** Checks that the pages name every setting of a chat, event, item kind, decision, stage and provider kind. */
import { readFileSync } from 'node:fs';
import {
  chatSettings,
  DECISIONS,
  EVENT_TYPES,
  Item,
  KernelEvent,
  ProviderSettings,
  STAGES,
} from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { FACES } from '../../packages/server/src/faces/index.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

it.each([
  ['docs/api.md', 'settings of a chat', Object.keys(chatSettings.shape)],
  ['docs/api.md', 'events of a turn', EVENT_TYPES],
  ['docs/api.md', 'events of the kernel', KernelEvent.options.map(({ shape }) => shape.type.value)],
  ['docs/api.md', 'decisions about operations', DECISIONS],
  ['docs/api.md', 'kinds of items', Item.options.map(({ shape }) => shape.kind.value)],
  ['docs/modules.md', 'stages', Object.keys(STAGES)],
  ['README.md', 'kinds of providers', ProviderSettings.shape.kind.options],
])('documents every name in %s: %s', (file, _, names) => {
  const page = textOf(file);
  expect(names.filter(name => !page.includes(`\`${name}\``))).toEqual([]);
});

it('lists every path that the kernel reserves in docs/api.md', () => {
  const paths = Object.keys(JSON.parse(textOf('docs/openapi.json')).paths).map(path => path.split('/'));
  const segments = [...paths.map(([, first]) => `/${first}`), ...FACES.map(({ prefix }) => prefix)];
  const names = paths.flatMap(([, first, name]) => (first === 'v1' && name ? [name] : []));
  const [, reserved = ''] = textOf('docs/api.md').split('**Reserved paths.**');
  const [list = ''] = reserved.split('\n## ');
  expect([...new Set([...segments, ...names])].filter(name => !list.includes(`\`${name}\``))).toEqual([]);
});
