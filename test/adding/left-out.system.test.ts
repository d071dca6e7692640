/**
 * Checks that a row missing from a table is a compiler error that names it: the types of the protocol are checked in a
 * copy.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { runIn } from './copy.ts';
import { edited } from './recipe.ts';
import { decision } from './recipes/decision.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TURNS = 'packages/protocol/src/turns';
const [row] = decision.edits as [(typeof decision.edits)[number]];
const NEW_FIELD = {
  file: `${TURNS}/event.ts`,
  before: '    decisions: z.array(z.string()).optional(),\n',
  text: '    env: z.string().optional(),\n',
};

/** `  short: 'today',` → `short`: the lines of the new row, without its name and its end. */
const FACTS = row.text.split('\n').flatMap(line => /^ {4}(\w+):/.exec(line)?.[1] ?? []);
const without = (fact: string): string => row.text.replace(new RegExp(`^ {4}${fact}:.*\n`, 'm'), '');

/** File → what the compiler says about it. Files that compile are absent. */
let mistakes: Record<string, string>;
beforeAll(async () => {
  const { path: copy, remove } = temporaryDirectory();
  cpSync(join(ROOT, 'packages/protocol'), join(copy, 'packages/protocol'), {
    recursive: true,
    filter: path => !path.includes('node_modules'),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const write = (name: string, text: string) => writeFileSync(join(copy, TURNS, `${name}.ts`), text);
  write('whole', edited(read(row.file), row));
  for (const fact of FACTS) write(`no-${fact}`, edited(read(row.file), { ...row, text: without(fact) }));
  write('new-field', edited(read(NEW_FIELD.file), NEW_FIELD));
  cpSync(join(ROOT, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  const said = await runIn(copy, ['tsc', '--incremental', 'false']).catch(error => error.message as string);
  mistakes = {};
  // The explanation of an error is indented below it.
  for (const [, name = '', text = ''] of said.matchAll(/^\S*\/turns\/([\w-]+)\.ts\b(.*(?:\n +.*)*)/gm)) {
    mistakes[name] = `${mistakes[name] ?? ''}${text}`;
  }
  return remove;
});

test('compiles a decision with all of its facts', () => {
  expect(FACTS).toEqual(['lasts', 'reach', 'key', 'label', 'short', 'past']);
  expect(mistakes).not.toHaveProperty('whole');
});

test.each(FACTS)('rejects a decision without %s at compile time', fact => {
  expect(mistakes[`no-${fact}`]).toMatch(
    new RegExp(`Property '${fact}' is missing|is missing the following properties from type .*: .*${fact}`),
  );
});

test('[OP-1] rejects a new field of client_op at compile time until it is classified as executed or not', () => {
  expect(mistakes['new-field']).toContain("'env'");
});
