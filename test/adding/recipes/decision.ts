import type { Recipe } from '../recipe.ts';

export const decision: Recipe = {
  row: 'a decision about an operation',
  edits: [
    {
      file: 'packages/protocol/src/tables/decisions.ts',
      before: '  allow_always: {\n',
      text: `  allow_today: {
    lasts: 'process',
    reach: 'same',
    key: 't',
    label: 'Allow for today',
    short: 'today',
    past: 'allowed for today',
  },
`,
    },
    {
      file: 'test/harness/decision.ts',
      before: '  allow_always: {',
      text: "  allow_today: { lasts: 'process', reach: 'same' },\n",
    },
    { file: 'docs/api.md', before: '| `allow_edits` |', text: '| `allow_today` | ends with the process |\n' },
  ],
  required: [
    { file: 'test/harness/decision.ts', says: ['test/harness/decision.ts', "'allow_today'"] },
    {
      file: 'docs/api.md',
      says: ['documents every name in docs/api.md: decisions about operations', 'allow_today'],
      command: ['vitest', 'run', 'test/docs/names.test.ts'],
    },
  ],
};
