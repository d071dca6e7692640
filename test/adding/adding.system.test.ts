/**
 * Checks that the instructions for adding things in CONTRIBUTING.md are correct and complete: a copy of the tree gets
 * one of each, by changing only the files that the rows name, and passes the checks of types and layers; and a check
 * fails without a required line, and names it. If this fails, adding has become harder, or the table is outdated.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../scripts/check/checks.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { AT_SCALE } from '../harness/scale.ts';
import { copyWithAll, PATIENCE_MS, runIn } from './copy.ts';
import { filesOf, withoutRequired } from './recipe.ts';
import { RECIPES } from './recipes/index.ts';
import { addingTable, standsFor } from './table.ts';

const table = addingTable();

/** The format of the example does not matter for adding things, and its pages were generated just before. */
const UNCHECKED = ['format and lint', 'generated files', 'patterns', 'unused code'];
const CHECKS_OF_COPY = CHECKS.filter(({ name }) => !UNCHECKED.includes(name));

/** Required texts that the tests leave out: the first of each recipe, and all of them at scale. */
const OMISSIONS = RECIPES.flatMap(recipe =>
  (recipe.required ?? [])
    .slice(0, AT_SCALE ? undefined : 1)
    .map(required => ({ recipe, required, isCompiled: required.command === undefined })),
);
/** Those that are left out at once: one run of the compiler reports several. */
const LEFT_OUT = [
  ...(AT_SCALE ? [] : [OMISSIONS.filter(({ isCompiled }) => isCompiled)]),
  ...OMISSIONS.filter(({ isCompiled }) => AT_SCALE || !isCompiled).map(each => [each]),
].map(omissions => ({
  omissions,
  lacks: omissions.map(({ required: { file, without = 'all of it' } }) => `${file}: ${without}`).join(', '),
}));
const PART = 'tsconfig.part.json';

it('each row of the table has a recipe', () => {
  expect(RECIPES.map(({ row }) => row)).toEqual([...table.keys()]);
});

it.each(RECIPES)('lists exactly the files to change in the row of $row', recipe => {
  const named = table.get(recipe.row) ?? [];
  const files = filesOf(recipe);
  expect(files.filter(file => !named.some(pattern => standsFor(pattern, file)))).toEqual([]);
  expect(named.filter(pattern => !files.some(file => standsFor(pattern, file)))).toEqual([]);
});

describe('a tree with one more of each extension point', () => {
  let copy: string;
  let stale: string;
  beforeAll(async () => {
    const directory = temporaryDirectory();
    copy = directory.path;
    copyWithAll(copy);
    stale = await runIn(copy, ['node', 'scripts/docs.ts', '--check']).catch(String);
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

  it('suggests npm run docs first, and lists the stale generated files', () => {
    expect(CHECKS[0]?.command).toEqual(['node', 'scripts/docs.ts', '--check']);
    expect(stale).toContain('Run `npm run docs` first.');
    expect(stale).toContain('docs/openapi.json\n');
  });

  it(
    'has pages that list the new names, and keeps a chat property in every copy of a chat, on both engines',
    async () => {
      await runIn(copy, [
        'vitest',
        'run',
        'test/docs/names.test.ts',
        'test/docs/errors.test.ts',
        'test/docs/push.test.ts',
        'test/docs/tools.test.ts',
        'apps/terminal/test/commands.test.ts',
        'test/conformance/chat-settings.test.ts',
        'test/conformance/chats.test.ts',
        'packages/storage/test/expand-first.test.ts',
      ]);
      const store = ['packages/storage/test/store.test.ts', '-t', 'Chats|Migrations|Recorded databases'];
      await runIn(copy, ['vitest', 'run', ...store]);
    },
    PATIENCE_MS,
  );

  it(
    'lists the new names at run time',
    async () => {
      expect(JSON.parse(await runIn(copy, ['node', 'test/adding/facts.ts']))).toMatchObject({
        item: 'reminder',
        items: true,
        event: true,
        kernel_event: true,
        push: { is_subscribed: true, type: 'schedule_missed' },
        decision: [true, true],
        note: true,
        tool: true,
        route: { text: 'Come in.' },
        feature: [true, { text: 'hoho' }],
        face: { path: '/here', kernel: 'http://127.0.0.1:9' },
        errors: [true, true],
        setting: { words: 3 },
        stage: true,
        model: 'e',
        command: true,
        dialog: [{ panel: { kind: 'about' } }],
      });
    },
    PATIENCE_MS,
  );

  it.each(LEFT_OUT)(
    'reports what is missing without $lacks',
    async ({ omissions }) => {
      const include = omissions.flatMap(({ recipe }) => filesOf(recipe)).filter(file => file.endsWith('.ts'));
      writeFileSync(join(copy, PART), JSON.stringify({ extends: './tsconfig.json', include }));
      const whole = omissions.map(({ recipe, required }) => {
        const path = join(copy, required.file);
        const text = readFileSync(path, 'utf8');
        if (recipe.files?.[required.file] !== undefined) rmSync(path);
        else writeFileSync(path, withoutRequired(text, recipe, required));
        return { path, text };
      });
      try {
        const said = await runIn(copy, omissions[0]?.required.command ?? ['tsc', '-p', PART]).then(
          () => 'nothing failed',
          (error: Error) => error.message,
        );
        for (const { required } of omissions) for (const part of required.says) expect(said).toContain(part);
      } finally {
        for (const { path, text } of whole) writeFileSync(path, text);
        rmSync(join(copy, PART));
      }
    },
    PATIENCE_MS,
  );
});
