import type { Recipe } from '../recipe.ts';

export const tool: Recipe = {
  row: 'a built-in tool',
  files: {
    'packages/tools/src/dice.ts': `/** Leaves a choice to chance. */
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const dice = defineTool({
  name: 'dice',
  description: 'Throws a die.',
  input: z.object({ sides: z.int().min(2) }),
  group: 'chance',
  icon: '🎲',
  async run({ sides }) {
    return { output: String(1 + Math.floor(Math.random() * sides)) };
  },
});
`,
  },
  edits: [
    {
      file: 'packages/tools/src/index.ts',
      before: "import { editFile } from './edit-file.ts';\n",
      text: "import { dice } from './dice.ts';\n",
    },
    { file: 'packages/tools/src/index.ts', before: '    editFile(writing),\n', text: '    dice,\n' },
    {
      file: 'packages/tools/src/tool/groups.ts',
      before: '  files: ',
      text: "  chance: 'throws dice',\n",
    },
    {
      file: 'docs/tools.md',
      before: '| `think_harder` |',
      text: '| `dice` | `sides` | throws a die | all |\n',
    },
  ],
};
