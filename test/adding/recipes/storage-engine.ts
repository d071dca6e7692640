import type { Recipe } from '../recipe.ts';

export const storageEngine: Recipe = {
  row: 'a storage engine',
  files: {
    'packages/storage/src/database/attic.ts': `/** A database that cannot be opened yet. */
import type { Engine } from './engine.ts';

const away = (): Promise<never> => Promise.reject(new Error('The attic is locked.'));

export const attic: Engine<string> = { open: away, inspect: away, read: away };
`,
  },
  edits: [
    {
      file: 'packages/storage/src/database/engines.ts',
      before: "  postgres: async () => (await import('./postgres.ts')).postgres,\n",
      text: "  attic: async () => (await import('./attic.ts')).attic,\n",
    },
    {
      file: 'packages/protocol/src/settings/database.ts',
      after: '  postgres: /^postgres(ql)?:\\/\\//,\n',
      text: '  attic: /^attic:\\/\\//,\n',
    },
    {
      file: 'packages/protocol/src/settings/database.ts',
      after: 'Null = SQLite in data_dir.',
      text: ' attic://... = the attic.',
    },
  ],
};
