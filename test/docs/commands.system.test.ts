/** Starts every command of README, CONTRIBUTING and docs/terminal.md in this checkout. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { PATIENT } from '../harness/patient.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A documented command without its comment → a short-running form of it, or the file that really runs it. */
const COMMANDS: Readonly<Record<string, readonly string[] | `${string}.test.ts` | '.ci/run'>> = {
  'npm start': 'test/conformance/start.system.test.ts',
  'npm test': '.ci/run',
  'npm run test:system': '.ci/run',
  'npm run test:heavy': ['npx', 'vitest', 'list', '--filesOnly', '--project', 'heavy'],
  'npm run check': '.ci/run',
  'npm run test:mutants': ['npm', 'run', 'test:mutants', '--', '--help'],
  'npm run docs': '.ci/run',
  'npm run build': 'test/package/package.system.test.ts',
  'npm pack': 'test/package/package.system.test.ts',
  'npm install -g ./chat-kernel-0.1.0.tgz': 'test/package/package.system.test.ts',
  'npm run format': ['npm', 'run', 'format', '--', '--help'],
  'npm run hook': ['npm', 'run', 'hook'],
  'npm run build:web': ['npm', 'run', 'build:web'],
  'npm run bench': ['npm', 'run', 'bench', '--', '--help'],
  'npx vitest run packages/kernel': ['npx', 'vitest', 'list', '--filesOnly', 'packages/kernel'],
  'npx vitest run -t "\\[EV-13\\]"': ['npx', 'vitest', 'run', '-t', '\\[EV-13\\]', 'packages/json-rpc'],
  'npx vitest packages/kernel': ['npx', 'vitest', 'list', '--filesOnly', 'packages/kernel'],
  './chat-kernel chat': ['./chat-kernel', 'chat', '--help'],
  'chat-kernel up': 'apps/cli/test/in-background.system.test.ts',
  'chat-kernel chat': 'apps/terminal/test/pty/talk.system.test.ts',
  'chat-kernel status': 'apps/cli/test/in-background.system.test.ts',
  'chat-kernel logs -f': 'apps/cli/test/in-background.system.test.ts',
  'chat-kernel stop': 'apps/cli/test/in-background.system.test.ts',
  'git diff | chat-kernel ask "Is anything in this change dangerous?"': ['./chat-kernel', 'ask', '--help'],
  'chat-kernel ask --hands reads "What does this project do?"': [
    './chat-kernel',
    'ask',
    '--hands',
    'reads',
    '--help',
  ],
  'chat-kernel ask --hands ask "Tidy up this folder"': ['./chat-kernel', 'ask', '--hands', 'ask', '--help'],
};

/** The lines of the shell blocks of a document, without comments. */
function commandsIn(document: string): string[] {
  const blocks = [...readFileSync(`${ROOT}/${document}`, 'utf8').matchAll(/```sh\n(.*?)```/gs)];
  return blocks
    .flatMap(([, block = '']) => block.split('\n').map(line => line.replace(/\s+#.*/, '').trim()))
    .filter(Boolean);
}

it('lists exactly the commands of the documents', () => {
  const named = new Set(['README.md', 'CONTRIBUTING.md', 'docs/terminal.md'].flatMap(commandsIn));
  expect(Object.keys(COMMANDS).sort()).toEqual([...named].sort());
});

it.each(Object.entries(COMMANDS))('starts %s', PATIENT, async (_command, start) => {
  if (typeof start === 'string') {
    expect(existsSync(`${ROOT}/${start}`)).toBe(true);
    return;
  }
  const [program = '', ...words] = start;
  const repository = temporaryDirectory();
  // The hook changes a repository: here a new one, so that this checkout stays unchanged.
  await run('git', ['init', '-q', repository.path]);
  const env = { ...process.env, GIT_DIR: `${repository.path}/.git` };
  await run(program, words, { cwd: ROOT, env, maxBuffer: 2 ** 24 });
  await repository.remove();
});
