/**
 * Checks that an addition without a required line fails with a message that names the missing part. In a tree with one
 * more of each, the tests leave out lines that a recipe requires: the first of each recipe, and all of them at scale.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { atScale } from '../harness/scale.ts';
import { copyWithAll, PATIENCE_MS, runIn } from './copy.ts';
import { filesOf, withoutRequired } from './recipe.ts';
import { RECIPES } from './recipes/index.ts';

const OMISSIONS = RECIPES.flatMap(recipe =>
  (recipe.required ?? [])
    .slice(0, atScale(1, Number.POSITIVE_INFINITY))
    .map(required => ({ recipe, required, file: required.file, lacks: required.without ?? 'all of it' })),
);
const PART = 'tsconfig.part.json';

let copy: string;
beforeAll(async () => {
  const directory = temporaryDirectory();
  copy = directory.path;
  copyWithAll(copy);
  await runIn(copy, ['node', 'scripts/docs.ts']);
  return directory.remove;
}, PATIENCE_MS);

it.each(OMISSIONS)(
  'reports that $file lacks $lacks',
  async ({ recipe, required }) => {
    const path = join(copy, required.file);
    const whole = readFileSync(path, 'utf8');
    const include = filesOf(recipe).filter(file => file.endsWith('.ts'));
    writeFileSync(join(copy, PART), JSON.stringify({ extends: './tsconfig.json', include }));
    if (recipe.files?.[required.file] === undefined)
      writeFileSync(path, withoutRequired(whole, recipe, required));
    else rmSync(path);
    try {
      const said = await runIn(copy, required.command ?? ['tsc', '-p', PART]).then(
        () => 'nothing failed',
        (error: Error) => error.message,
      );
      for (const part of required.says) expect(said).toContain(part);
    } finally {
      writeFileSync(path, whole);
    }
  },
  PATIENCE_MS,
);
