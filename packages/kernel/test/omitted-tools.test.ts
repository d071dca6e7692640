/** Tests the sentences about tools that models do not get. */
import { expect, it } from 'vitest';
import { describeOmittedTools } from '../src/model/omitted-tools.ts';
import type { LanguageModel, OmittedTools } from '../src/ports/index.ts';

const modelsWith = (omitted: Record<string, OmittedTools[]>) => ({
  list: () => ({ models: Object.keys(omitted).map(id => ({ id })), default_model: null }) as never,
  find: (id: string) => ({ omittedTools: () => omitted[id] }) as unknown as LanguageModel,
});

it('names the model, the asked tools of a reason, and the number of those beyond ten', () => {
  const tools = Array.from({ length: 12 }, (_, index) => `desk_${index}`);
  const models = modelsWith({
    'a/all': [],
    'b/few': [
      { tools: ['desk_3'], why: 'refused.' },
      { tools: [...tools, 'other'], why: 'at most 5.' },
    ],
  });
  expect(describeOmittedTools(models, tools)).toEqual([
    'b/few does not get desk_3: refused.',
    `b/few does not get ${tools.slice(0, 10).join(', ')} and 2 more: at most 5.`,
  ]);
  expect(describeOmittedTools(models, ['other'])).toEqual(['b/few does not get other: at most 5.']);
  expect(describeOmittedTools(models, ['mail'])).toEqual([]);
});
