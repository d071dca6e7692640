/**
 * What CONTRIBUTING.md says of adding things is true and whole: a copy of the tree gets one of each, by what the rows name
 * and nothing else, and passes the checks of types and layers. Where this fails, adding has become harder, or the table is old.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../scripts/check/checks.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { copyTree, follow, linkPackages, runIn } from './copy.ts';
import { filesOf } from './recipe.ts';
import { RECIPES } from './recipes/index.ts';
import { addingTable, standsFor } from './table.ts';

const table = addingTable();

/** How the example is formatted says nothing of how a thing is added, and its pages were generated just before. */
const UNCHECKED = ['format and lint', 'generated files', 'patterns', 'exports'];
const CHECKS_OF_COPY = CHECKS.filter(({ name }) => !UNCHECKED.includes(name));

/** All types are checked anew, and on a busy machine each of the others takes its time, too. */
const PATIENCE_MS = 900_000;

it('each row of the table has a recipe', () => {
  expect(RECIPES.map(({ row }) => row)).toEqual([...table.keys()]);
});

it.each(RECIPES)('the row of $row names every file that has to be touched, and no other', recipe => {
  const named = table.get(recipe.row) ?? [];
  const files = filesOf(recipe);
  expect(files.filter(file => !named.some(pattern => standsFor(pattern, file)))).toEqual([]);
  expect(named.filter(pattern => !files.some(file => standsFor(pattern, file)))).toEqual([]);
});

describe('a tree with one more of each', () => {
  let copy: string;
  beforeAll(async () => {
    const directory = temporaryDirectory();
    copy = directory.path;
    copyTree(copy);
    for (const recipe of RECIPES) follow(recipe, copy);
    linkPackages(copy);
    await runIn(copy, ['node', 'scripts/docs.ts']);
    return directory.remove;
  }, PATIENCE_MS);

  it.each(CHECKS_OF_COPY)(
    'passes the check of $name',
    async ({ command }) => {
      await runIn(copy, command);
    },
    PATIENCE_MS,
  );

  it(
    'has pages that name what is new',
    async () => {
      await runIn(copy, [
        'vitest',
        'run',
        'test/docs/names.test.ts',
        'test/docs/errors.test.ts',
        'test/docs/tools.test.ts',
      ]);
    },
    PATIENCE_MS,
  );

  it(
    'knows it when it runs',
    async () => {
      expect(JSON.parse(await runIn(copy, ['node', 'test/adding/facts.ts']))).toMatchObject({
        item: 'reminder',
        items: true,
        event: true,
        kernel_event: true,
        tool: true,
        route: { text: 'Come in.' },
        face: { path: '/here', kernel: 'http://127.0.0.1:9' },
        errors: [true, true],
        setting: { words: 3 },
        stage: true,
        model: 'e',
        store: 'The attic is locked.',
        dialog: [{ panel: { kind: 'about' } }],
      });
    },
    PATIENCE_MS,
  );
});
