/** Runs the snippets of docs/client.md as one program against a real kernel. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { says } from '../harness/story.ts';

const run = promisify(execFile);
const at = (path: string) => new URL(`../../${path}`, import.meta.url);

/** The names that the guide expects its reader to define. */
const READER = `
  let drawn = 0;
  const draw = (snapshot: { items: readonly unknown[] }) => void (drawn = snapshot.items.length);
  const askOwner = async (operation: { action: string }) => 'allow' as const;
`;
const ENDING = `
  await armed.until(({ turn }) => turn?.done != null);
  armed.close();
  runner.close();
  console.log(JSON.stringify({ asleep, status, text, drawn, exported: (await file.text()).includes('Green.') }));
`;

it('runs the examples of the client guide', async () => {
  const kernel = await kernelOf();
  kernel.upstream.next(says('Green.'), says('Black.'), says('Coming.'), says('Built.'));
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const blocks = readFileSync(at('docs/client.md'), 'utf8').matchAll(/\n```ts\n(.*?)```/gs);
  const guide = [...blocks]
    .map(([, block]) => block)
    .join('\n')
    .replaceAll("'@chat-kernel/client'", JSON.stringify(at('packages/client/src/index.ts').href))
    .replaceAll("'@chat-kernel/client/node'", JSON.stringify(at('packages/hands/src/node/index.ts').href))
    .replaceAll('http://127.0.0.1:8787', kernel.url);
  const program = join(directory.path, 'guide.mts');
  writeFileSync(program, guide.replace(/\n\n/, `\n${READER}\n`) + ENDING);
  const { stdout } = await run(process.execPath, [program], { cwd: directory.path });
  const [first, ...rest] = stdout.trim().split('\n');
  expect(first).toBe('Green.');
  expect(JSON.parse(rest.at(-1) as string)).toEqual({
    asleep: false,
    status: 'completed',
    text: 'Black.',
    drawn: expect.any(Number),
    exported: true,
  });
});
