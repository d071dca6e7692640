/** Copies tables of the protocol for the client: a browser loads the client without the schemas. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copy → source, which imports only other sources of the same folder. */
const COPIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['covered', 'decisions', 'git-words', 'harmless-words', 'path-text', 'programs', 'protected-paths'],
      ...['sandbox-exceptions', 'secret-paths', 'word-rules'],
    ].map(name => [`packages/client/src/api/${name}.ts`, `packages/protocol/src/turns/${name}.ts`]),
  ),
  'packages/client/src/api/note-facts.ts': 'packages/protocol/src/history/note-facts.ts',
  'packages/client/src/api/operation-fields.ts': 'packages/protocol/src/turns/operation-fields.ts',
};

/** Path from the root → the required text. */
export const copiedTables = (root: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(COPIES).map(([copy, source]) => [
      copy,
      `// Copied from ${source}: \`npm run docs\` regenerates it, \`npm run check\` compares it. Not to be edited.\n${readFileSync(join(root, source), 'utf8')}`,
    ]),
  );
