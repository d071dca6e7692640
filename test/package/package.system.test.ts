/** Tests the shipped package: built, packed, installed, and started in a read-only folder. */
import { existsSync, globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENT } from '../harness/patient.ts';
import { Installed, ROOT } from './installed.ts';

const installed = new Installed();
let built: string;
beforeAll(async () => {
  built = await installed.install();
}, 600_000);
afterAll(() => installed.remove());

const ask = async (url: string, text: string): Promise<string> =>
  (await installed.chatKernel('ask', '--quiet', '--hands', 'kernel', '--url', url, text)).stdout;

it('has the same bytes in each build', PATIENT, async () => {
  const again = await installed.build('again');
  const filesOf = (folder: string) =>
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter(each => each.isFile())
      .map(each => join(each.parentPath, each.name).slice(folder.length))
      .sort();
  expect(filesOf(again)).toEqual(filesOf(built));
  const differing = filesOf(built).filter(
    file => !readFileSync(built + file).equals(readFileSync(again + file)),
  );
  expect(differing).toEqual([]);
});

it('prints its version, and contains everything except code for one platform', async () => {
  const { version, dependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  expect((await installed.chatKernel('--version')).stdout).toBe(`${version}\n`);
  expect(Object.keys(dependencies)).toEqual(['sharp']);
  // The client is built with it, and is a separate package.
  expect([built, installed.package].map(folder => existsSync(join(folder, 'client')))).toEqual([true, false]);
  const licences = readFileSync(join(built, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['fastify', 'kysely', 'linkedom', 'react', 'zod'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
  // A path of the machine that built the package is useless elsewhere.
  const texts = globSync('**/*.{js,json,txt}', { cwd: built }).map(file =>
    readFileSync(join(built, file), 'utf8'),
  );
  expect(texts.filter(text => text.includes(ROOT))).toEqual([]);
});

it("installs without warnings about the system's Node, and runs in the background on its bundled Node", async () => {
  expect(installed.said).not.toMatch(/EBADENGINE|deprecated|ERR/);
  const { optionalDependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  const pinned = Object.values(optionalDependencies)[0];
  const words = ['--data', join(installed.home, 'background'), '--port', '0'];
  const { stdout } = await installed.chatKernel('up', ...words);
  try {
    const [, url = '', pid = ''] = /^The kernel is running: (\S+) \(process (\d+)\)\n/.exec(stdout) ?? [];
    expect(await ask(url, 'hello')).toContain('I am the demo model');
    const doctor = await installed.chatKernel('doctor', ...words);
    expect(doctor.stdout).toContain(`Node ${pinned}, `);
    expect((await installed.chatKernel('status', ...words)).stdout).toContain(`(process ${pid}, `);
    expect((await installed.chatKernel('logs', ...words)).stdout).toContain('"msg":"request"');
  } finally {
    expect((await installed.chatKernel('stop', ...words)).stdout).toMatch(/Stopped\.\n$/);
  }
});

it('runs turns with its bundled programs, the included module web and a created module, and stores its compile cache with the data', async () => {
  const site = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Ships come in at night.</p>'),
  );
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const data = installed.folder('data');
  installed.folder('data/modules');
  installed.file('data/modules/web.yaml', JSON.stringify({ module: { allow: [host] } }));

  const folder = join(installed.home, 'wordy');
  await installed.chatKernel('module', 'new', 'wordy', '--dir', folder);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // As `npm install` does.
  const scope = join(folder, 'node_modules/@chat-kernel');
  await mkdir(scope, { recursive: true });
  symlinkSync(dependencies['@chat-kernel/module-sdk'].replace(/^file:/, ''), join(scope, 'module-sdk'));
  // The Node of the machine may be too old for a module in TypeScript; the module's dependencies include its own.
  const node = join(installed.package, 'node_modules/.bin/node');
  const servers = { wordy: { command: node, args: [join(folder, 'module.ts'), '--stdio'] } };
  const config = join(installed.home, 'config.yaml');
  writeFileSync(config, JSON.stringify({ modules: { shipped: ['web'], servers } }));

  const { url, kill } = await installed.serve('--config', config, '--data', data);
  try {
    expect(await ask(url, 'hello')).toContain('I am the demo model');
    expect(await ask(url, 'run echo from-a-shell')).toContain('from-a-shell');
    const book = join(installed.home, 'harbour.md');
    writeFileSync(book, '# The harbour\n\nShips come in at night.\n');
    expect(await ask(url, `shelve ${book}`)).toMatch(/harbour/i);
    const document = await (await fetch(`${url}/v1/openapi.json`)).json();
    expect(document).toEqual(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));
    expect((await fetch(`${url}/apidocs/js/scalar.js`)).status).toBe(200);
    expect(await ask(url, `read http://${host}/`)).toContain('Ships come in at night.');
    expect(await ask(url, 'call wordy_count {"text":"to be or not"}')).toContain('4 words');
    // It is written while the server runs, because this server ends with a SIGKILL.
    const compiled = () => globSync('compiled/**/*', { cwd: data }).length;
    await expect.poll(compiled, { timeout: 60_000 }).toBeGreaterThan(10);
  } finally {
    await kill();
    site.close();
    site.closeAllConnections();
  }
  expect(readdirSync(join(installed.package, '..')).filter(name => name === '.cache')).toEqual([]);
});
