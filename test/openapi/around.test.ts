/** Checks that the whole test run is compared with the document, unless a file states why it is not. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AROUND } from './around.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Plain fetch, the exchange of the harness, Node's own client, and Fastify called in its own process. */
const ASKS =
  /(?<!\.|async |function )\bfetch\(|from '[^']*\/http\.ts'|import \{[^}]*\brequest\b[^}]*\} from 'node:http'|\bapp\.inject\(/;

test('every direct request of a kernel without the checking clients has a reason', () => {
  const files = globSync(['test/**/*.ts', 'packages/*/test/**/*.ts', '{apps,modules}/*/test/**/*.{ts,tsx}'], {
    cwd: ROOT,
  });
  const asking = files.filter(file => {
    const code = readFileSync(`${ROOT}/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return ASKS.test(code);
  });
  expect(asking.sort()).toEqual(Object.keys(AROUND).sort());
});
