import type { Recipe } from '../recipe.ts';

export const storageEngine: Recipe = {
  row: 'a storage engine',
  files: {
    'packages/storage/src/database/attic.ts': `/** A database that nobody has brought down yet. */
import type { Engine } from './engine.ts';

const away = (): Promise<never> => Promise.reject(new Error('The attic is locked.'));

export const attic: Engine<string> = { open: away, inspect: away, read: away };
`,
  },
  edits: [
    {
      file: 'packages/storage/src/database/engines.ts',
      before: "import type { Database } from './database.ts';\n",
      text: "import { attic } from './attic.ts';\n",
    },
    {
      file: 'packages/storage/src/database/engines.ts',
      after: 'Record<DatabaseServer, Engine<string>>> = { ',
      text: 'attic, ',
    },
    {
      file: 'packages/protocol/src/settings/database.ts',
      after: '  postgres: /^postgres(ql)?:\\/\\//,\n',
      text: '  attic: /^attic:\\/\\//,\n',
    },
    {
      file: 'packages/protocol/src/settings/database.ts',
      after: 'Null = SQLite in data_dir; ',
      text: 'attic://... = the attic; ',
    },
  ],
};
