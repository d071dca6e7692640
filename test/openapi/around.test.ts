/** The whole test run is held against the document, save where a file says why it is not. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AROUND } from './around.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** fetch as it is, the exchange of the harness, Node's own client, and Fastify asked in its own process. */
const ASKS =
  /(?<!\.|async |function )\bfetch\(|from '[^']*\/http\.ts'|import \{[^}]*\brequest\b[^}]*\} from 'node:http'|\bapp\.inject\(/;

test('who asks a kernel past the clients that check says why', () => {
  const files = globSync(['test/**/*.ts', 'packages/*/test/**/*.ts', '{apps,modules}/*/test/**/*.{ts,tsx}'], {
    cwd: ROOT,
  });
  const asking = files.filter(file => {
    const code = readFileSync(`${ROOT}/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return ASKS.test(code);
  });
  expect(asking.sort()).toEqual(Object.keys(AROUND).sort());
});
