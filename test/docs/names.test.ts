/** The pages name every event, item kind, stage and provider kind that there is. */
import { readFileSync } from 'node:fs';
import { EVENT_TYPES, Item, KernelEvent, ProviderSettings, STAGES } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';

it.each([
  ['docs/api.md', 'events of a turn', EVENT_TYPES],
  ['docs/api.md', 'events of the kernel', KernelEvent.options.map(({ shape }) => shape.type.value)],
  ['docs/api.md', 'kinds of items', Item.options.map(({ shape }) => shape.kind.value)],
  ['docs/modules.md', 'stages', Object.keys(STAGES)],
  ['README.md', 'kinds of providers', ProviderSettings.shape.kind.options],
])('%s names all %s', (file, _, names) => {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(names.filter(name => !page.includes(`\`${name}\``))).toEqual([]);
});
