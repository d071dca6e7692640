/** Lets the compiler compare the types of all named calls with the stored document, in both directions. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { typesOf } from '../scripts/types-of.ts';
import { KernelClient } from '../src/index.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
const named = Object.keys(new KernelClient({ url: 'http://kernel.test' }));
/** Path → the types of its parameters: named calls take them first. */
const paths = new Map(
  Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => [
      operationId,
      Array.from(path.matchAll(/\{\w+\}/g), () => 'string').join(', '),
    ]),
  ),
);

it('[SVC-3] types the arguments and the answer of each named call as in the document', async () => {
  const { path: directory, remove } = temporaryDirectory();
  onTestFinished(remove);
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  const rows = named.map(
    name =>
      `export const ${name}: SameCall<'${name}', operations['${name}'], [${paths.get(name)}]> = same('${name}');\n`,
  );
  write('package.json', '{ "type": "module" }');
  write('document.ts', await typesOf(document));
  write(
    'calls.ts',
    `import type { SameCall } from ${JSON.stringify(fileURLToPath(import.meta.resolve('./same-call.ts')))};
import type { operations } from './document.ts';
const same = <Name extends string>(operation: Name) => ({ operation, arguments: true, answer: true }) as const;
${rows.join('')}`,
  );
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const compilerOptions = { incremental: false, tsBuildInfoFile: null, typeRoots };
  write(
    'tsconfig.json',
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['calls.ts'] }),
  );
  const compiler = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', directory]);
  const mistakes = await compiler.then(
    () => '',
    error => error.stdout as string,
  );
  expect(mistakes).toBe('');
  expect(named.length).toBeGreaterThan(90);
});
