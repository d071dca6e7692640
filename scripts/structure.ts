/**
 * Prints how the code is built, in numbers: `node scripts/structure.ts [DIR]`. DIR is another checkout to be measured
 * with the same measures; its dependencies have to be installed for the last of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filesIn, importsOf } from './layers/imports.ts';
import { packagesIn } from './layers.ts';
import { commentsIn } from './structure/comments.ts';
import { longestChain } from './structure/depth.ts';
import { folderCircles } from './structure/folders.ts';
import { widestTypes } from './structure/members.ts';
import { turnPath } from './structure/turn-path.ts';

/** Generated files, in the client's folders of today and of earlier checkouts. */
const GENERATED = /^packages\/client\/src\/(api\/)?(openapi|operations)\.ts$/;
const SOURCES = ['packages/*/src/**/*.{ts,tsx}', '{apps,modules}/*/src/**/*.{ts,tsx}'];
const TESTS = ['packages/*/test/**/*.{ts,tsx}', '{apps,modules}/*/test/**/*.{ts,tsx}', 'test/**/*.{ts,tsx}'];
const TOOLS = ['scripts/**/*.ts', 'packages/*/scripts/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'];
const WIDEST = 5;

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));

const sources = textsOf(SOURCES);
printFolders();
printDepth();
printWidest();
printFiles();
printComments();
if (existsSync(join(root, 'node_modules'))) {
  await printTurn();
} else {
  print('the path of a turn', `not measured: run npm ci in ${root}`);
}

function print(what: string, ...values: readonly (number | string)[]): void {
  console.log(`${what}: ${values.join(', ')}`);
}

function textsOf(patterns: readonly string[]): Map<string, string> {
  const files = filesIn(root, patterns).filter(file => !GENERATED.test(file));
  return new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]));
}

function printFolders(): void {
  for (const folder of packagesIn(root)) {
    const imports = filesIn(root, [`${folder}/src/**/*.{ts,tsx}`]).flatMap(file => importsOf(root, file));
    if (imports.length === 0) continue;
    const { circles, climbing } = folderCircles(folder, imports);
    print(`${folder}: folders in circles`, circles.flat().length);
    for (const circle of circles) console.log(`  ${circle.join(' ')}`);
    print(`${folder}: climbing arrows (the fewest without which no circle is left)`, climbing.length);
    for (const arrow of climbing) console.log(`  ${arrow}`);
  }
}

function printDepth(): void {
  const imports = filesIn(root, ['packages/kernel/src/**/*.ts']).flatMap(file => importsOf(root, file));
  print(
    'import depth of the kernel (arrows of its longest chain, types included)',
    longestChain(imports).length - 1,
  );
}

function printWidest(): void {
  console.log('widest types (public members, inherited ones included):');
  for (const { name, file, members } of widestTypes(sources, WIDEST))
    console.log(`  ${members} ${name} (${file})`);
}

function printFiles(): void {
  for (const [name, texts] of [
    ['source files', sources],
    ['test files', textsOf(TESTS)],
  ] as const) {
    const sizes = [...texts].map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }));
    sizes.sort((a, b) => a.lines - b.lines);
    const longest = sizes.at(-1)!;
    print(
      name,
      sizes.length,
      `median ${sizes[sizes.length >> 1]!.lines} lines`,
      `longest ${longest.lines} (${longest.file})`,
    );
  }
}

function printComments(): void {
  const { comments, commentLines, lines, pronouns } = commentsIn(textsOf([...SOURCES, ...TESTS, ...TOOLS]));
  print('comments', comments, `${percent(commentLines, lines)} of ${lines} lines`);
  print('comments that open with a pronoun', pronouns, percent(pronouns, comments));
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

async function printTurn(): Promise<void> {
  const path = await turnPath(root);
  for (const [way, files] of [
    ['from the route to the provider', path.out],
    ['and back to the end of the stream', path.back],
  ] as const) {
    const packages = Object.entries(Object.groupBy(files, file => file.split('/')[1]!));
    print(
      `files a turn runs through ${way}`,
      files.length,
      ...packages.map(([name, own]) => `${name} ${own!.length}`),
    );
  }
}
