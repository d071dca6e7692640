import type { Recipe } from '../recipe.ts';

export const providerKind: Recipe = {
  row: 'a provider kind',
  files: {
    'packages/providers/src/kinds/echo.ts': `/** A service that repeats its input. */
import type { ProviderKind } from '../wire/kind.ts';

export const echo: ProviderKind = {
  open: async access => {
    throw new Error(\`The provider \${access.name} is silent.\`);
  },
};
`,
  },
  edits: [
    {
      file: 'packages/providers/src/kinds/index.ts',
      before: "import { google } from './google.ts';\n",
      text: "import { echo } from './echo.ts';\n",
    },
    { file: 'packages/providers/src/kinds/index.ts', after: "  'ai-sdk': aiSdk,\n", text: '  echo,\n' },
    { file: 'packages/protocol/src/settings/llm.ts', after: "'google', 'ai-sdk', ", text: "'echo', " },
    { file: 'README.md', after: '`anthropic`, `google`, ', text: '`echo`, ' },
  ],
};
