import type { Recipe } from '../recipe.ts';

const LIST = 'apps/terminal/src/commands/index.ts';
const REFERENCE = 'apps/terminal/README.md';
const command = ['vitest', 'run', 'apps/terminal/test/commands.test.ts'] as const;

export const terminalCommand: Recipe = {
  row: 'a command of the terminal',
  files: {
    'apps/terminal/src/commands/clock.ts': `/** The command that shows the time. */
import type { ChatCommand } from './command.ts';

export const clock: ChatCommand = {
  name: 'clock',
  description: 'show the time',
  run: ({ notices }) => notices.notify(new Date().toTimeString()),
};
`,
  },
  edits: [
    {
      file: LIST,
      before: "import type { ChatCommand } from './command.ts';\n",
      text: "import { clock } from './clock.ts';\n",
    },
    { file: LIST, before: '  quit,\n];', text: '  clock,\n' },
    {
      file: REFERENCE,
      before: '| `/help` `/quit` |',
      text: '| `/clock` | show the time |\n',
    },
  ],
  required: [
    { file: LIST, without: '  clock,\n', says: ['"clock"'], command },
    { file: REFERENCE, says: ['"clock"'], command },
  ],
};
