import { SCHEMA_VERSION } from '../../../packages/storage/src/migrations/migrate.ts';
import type { Recipe } from '../recipe.ts';

const version = SCHEMA_VERSION + 1;
/** Reports which property of a chat has no column. */
const command = [
  ...(['vitest', 'run', 'packages/storage/test/store.test.ts'] as const),
  ...['-t', 'has a column for every property of a chat'],
] as const;
const LIST = 'packages/storage/src/migrations/migrate.ts';
const file = `${String(version).padStart(4, '0')}_pinned.ts`;

/** The columns of the properties that `chatProperty` adds. */
export const migration: Recipe = {
  row: 'a migration',
  files: {
    [`packages/storage/src/migrations/${file}`]: `/** Version ${version}: chats that are listed first, and their color. */
import type { Migration } from '../database/database.ts';

export const pinned: Migration = async ({ schema }) => {
  await schema
    .alterTable('chats')
    .addColumn('pinned', 'integer', column => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('chats').addColumn('color', 'text').execute();
};
`,
  },
  edits: [
    {
      file: LIST,
      before: '\n/** All migrations in their order',
      text: `import { pinned } from './${file}';\n`,
    },
    {
      file: LIST,
      before: '];\n\n/** The version of the tables after',
      text: '  pinned,\n',
    },
  ],
  required: [
    { file: LIST, without: '  pinned,\n', says: ['pinned'], command },
    { file: LIST, without: `import { pinned } from './${file}';\n`, says: ['pinned'], command },
    { file: `packages/storage/src/migrations/${file}`, says: ['pinned'], command },
  ],
};
