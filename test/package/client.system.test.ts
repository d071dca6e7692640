/**
 * Tests the client as it is published: packed, installed into an empty folder, type-checked there, and run against a
 * kernel.
 */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClient } from '../../scripts/build/client.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';
import { ROOT } from './installed.ts';

const run = promisify(execFile);
const directory = temporaryDirectory();
const built = join(directory.path, 'built');
const project = join(directory.path, 'project');
const installed = join(project, 'node_modules/@chat-kernel/client');

beforeAll(async () => {
  await buildClient(ROOT, built);
  await run('npm', ['pack', built, '--pack-destination', directory.path], { cwd: directory.path });
  mkdirSync(project);
  write('package.json', '{ "type": "module" }');
  const tarball = join(directory.path, 'chat-kernel-client-0.1.0.tgz');
  await run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], { cwd: project });
});
afterAll(() => directory.remove());

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

/** Compiles these programs as a project would, with each module resolution. @throws Error with the compiler errors */
async function compile(files: readonly string[], options: object): Promise<void> {
  for (const [moduleResolution, module] of [
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ]) {
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      jsx: 'react-jsx',
      outDir: 'out',
      moduleResolution,
      module,
      ...options,
    };
    write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const compiler = run(join(ROOT, 'node_modules/.bin/tsc'), [], { cwd: project });
    await compiler.catch(error => {
      throw new Error(`${moduleResolution}: ${error.stdout}`);
    });
  }
}

/** The code in a page's blocks of this language. */
const codeIn = (path: string, language: string): string =>
  [...readFileSync(path, 'utf8').matchAll(new RegExp(`\\n\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
    .map(([, code]) => code)
    .join('\n');

/** Lets the project use packages that are installed in the checkout. */
function borrow(...names: string[]): void {
  for (const name of names) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), place);
  }
}

it('contains plain JavaScript with types, without dependencies, and exports all entries', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ license: 'MIT', sideEffects: false, type: 'module' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  const sources = JSON.parse(readFileSync(join(ROOT, 'packages/client/package.json'), 'utf8'));
  expect(Object.keys(manifest.exports)).toEqual([...Object.keys(sources.exports), './ai-sdk', './node']);
  const files = globSync('**/*', { cwd: installed }).filter(file => statSync(join(installed, file)).isFile());
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'docs/client.md']));
  const strange = files.filter(file => !/\.(?:js|d\.ts|md|json)$|^LICENSE$/.test(file));
  expect(strange).toEqual([]);
  const paths = files.filter(file => readFileSync(join(installed, file), 'utf8').includes(ROOT));
  expect(paths).toEqual([]);
});

it('compiles and runs the example of its page, the transport and hands', async () => {
  const kernel = await kernelOf();
  const example = codeIn(join(installed, 'README.md'), 'ts').replaceAll('http://127.0.0.1:8787', kernel.url);
  expect(example).toContain(kernel.url);
  write(
    'program.ts',
    `${example}
import { allowReads, type ChatSnapshot, ChatView, denyAll, HandsRunner, type Item } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
const workdir = ${JSON.stringify(project)};
const runner = new HandsRunner(kernel, { hands: nodeHands({ workdir }), approve: allowReads(workdir, denyAll) });
const view = new ChatView(kernel, chat.id, { hands: runner });
await view.send({ text: 'What is in it?', ...runner.turnFields });
const { items }: ChatSnapshot = await view.until(({ turn }) => turn?.done != null);
const outputs = items.flatMap((item: Item) => (item.kind === 'tool_call' ? [item.output] : []));
view.close();
runner.close();
console.log(JSON.stringify(outputs));
`,
  );
  // Without Node's types, and with a full check of the client's own.
  await compile(['program.ts'], { skipLibCheck: false });
  write('wrong.ts', example.replace('title:', 'name:'));
  await expect(compile(['wrong.ts'], { skipLibCheck: true })).rejects.toThrow(
    /bundler: .*'name' does not exist/,
  );
  write('notes.txt', 'Earl Grey.');
  kernel.upstream.next(
    says('Green.'),
    calls('r', 'read_file', { files: [{ path: 'notes.txt' }] }),
    says('Read.'),
  );
  const { stdout } = await run(process.execPath, ['out/program.js'], { cwd: project });
  const [first, outputs] = stdout.trim().split('\n');
  expect([first, outputs]).toEqual(['Green.', expect.stringContaining('Earl Grey.')]);
});

it('compiles the example of a page with useChat, and runs its transport', async () => {
  const kernel = await kernelOf();
  borrow('ai', '@ai-sdk/react', '@types/react', 'react');
  write('page.tsx', codeIn(join(installed, 'docs/client.md'), 'tsx'));
  write(
    'chat.ts',
    `import { Chat } from '@ai-sdk/react';
import { KernelClient } from '@chat-kernel/client';
import { loadHistory, KernelChatTransport, type KernelUIMessage } from '@chat-kernel/client/ai-sdk';
const client = new KernelClient({ url: ${JSON.stringify(kernel.url)} });
const { id } = await client.createChat();
const chat = new Chat<KernelUIMessage>({ id, transport: new KernelChatTransport(client) });
await chat.sendMessage({ text: 'Which tea?' });
const { parts } = chat.messages.at(-1)!;
const history = await loadHistory(client, id);
console.log(JSON.stringify([parts.map(part => (part.type === 'text' ? part.text : part.type)), history.length]));
`,
  );
  // The declarations of the AI SDK have errors, so ours are not checked with them. Their imports must exist.
  const imported = globSync('ai-sdk/*.d.ts', { cwd: installed }).flatMap(file => {
    const text = readFileSync(join(installed, file), 'utf8');
    return text.match(/^import .* from '@chat-kernel\/client';$/gm) ?? [];
  });
  expect(imported.length).toBeGreaterThan(5);
  const names = imported.map((line, index) => {
    write(`names-${index}.ts`, line.replace('import ', 'export '));
    return `names-${index}.ts`;
  });
  await compile(['page.tsx', 'chat.ts', ...names], { skipLibCheck: true });
  kernel.upstream.next(says('Oolong.'));
  const { stdout } = await run(process.execPath, ['out/chat.js'], { cwd: project });
  expect(JSON.parse(stdout)).toEqual([expect.arrayContaining(['Oolong.', 'data-usage']), 2]);
});
