/** Starts all that everyday tasks need: a kernel with modules and MCP servers, web sites, and mail servers. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { httpGuest } from '../../packages/mcp-client/test/fixtures/http-server.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { becomes, toolEntry } from '../harness/modules.ts';
import { KERNEL, type MailServers, missingServers, OWNER, PASSWORD, startServers } from '../mail/servers.ts';
import { CALENDAR, OfficeServer, TRIP } from './mcp-servers.ts';
import { FILES } from './repository.ts';
import { pageOf, resultsOf } from './sites.ts';

export interface World {
  kernel: TestKernel;
  /** Hosts by the names that tasks use. */
  hosts: Readonly<Record<string, string>>;
  /** Makes a working directory, which is a git repository. */
  workdir(): string;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const { path, remove } = temporaryDirectory();
  const folder = realpathSync(path);
  const stops: (() => unknown)[] = [];
  const site = async (name: string) => {
    const server = createServer(({ url = '/' }, response) => {
      response.setHeader('content-type', 'text/html').end(pageOf(url, name));
    });
    return listen(server, stops);
  };
  const hosts = { docs: await site('docs'), news: await site('news') };
  const engine = await listen(
    createServer((_, response) => response.end(JSON.stringify(resultsOf(hosts)))),
    stops,
  );
  const trip = await httpGuest('2025-11-25', 0, new OfficeServer(TRIP));
  const calendar = await httpGuest('2025-11-25', 0, new OfficeServer(CALENDAR));
  stops.push(trip.stop, calendar.stop);
  const mail = missingServers() ? undefined : await startServers();
  stops.push(() => mail?.stop());

  const dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  const settingsOf = (name: string, module: object) =>
    writeFileSync(join(dataDir, `modules/${name}.yaml`), JSON.stringify({ module }), { mode: 0o600 });
  settingsOf('web', { allow: Object.values(hosts), searxng: { url: `http://${engine}` } });
  if (mail) settingsOf('mail', mailbox(mail));
  const kernel = await startKernel({
    dataDir,
    settings: {
      tools: { shell: { sandbox: 'auto' } },
      modules: { shipped: mail ? ['web', 'mail'] : ['web'] },
      mcp: { servers: { trip: { url: trip.url }, calendar: { url: calendar.url } } },
    },
  });
  const template = makeRepository(join(folder, 'template'));
  let count = 0;
  await becomes(kernel.api, 'web', 'up');
  if (mail) await becomes(kernel.api, 'mail', 'up');
  for (const name of ['mcp_trip_book_hotel', 'mcp_calendar_add_event'])
    await vi.waitFor(async () => expect(await toolEntry(kernel.api, name)).toBeDefined(), 60_000);
  return {
    kernel,
    hosts,
    workdir() {
      const home = join(folder, `work-${count++}`);
      cpSync(template, home, { recursive: true });
      return join(home, 'shop');
    },
    async stop() {
      await kernel.stop();
      for (const stop of stops) await stop();
      remove();
    },
  };
}

async function listen(server: ReturnType<typeof createServer>, stops: (() => unknown)[]): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function mailbox(servers: MailServers): object {
  const server = { host: 'localhost', user: KERNEL, password: PASSWORD };
  return {
    address: KERNEL,
    owner: [OWNER],
    imap: { ...server, port: servers.imapPort },
    smtp: { ...server, port: servers.smtpPort },
    tls: { ca: servers.ca },
  };
}

/** Makes the project `shop`, which is a repository with one commit, and files next to it. */
function makeRepository(folder: string): string {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: join(folder, 'shop'), stdio: 'ignore' });
  git('init', '-q');
  for (const [name, value] of [
    ['user.name', 'Ann'],
    ['user.email', 'ann@example.org'],
  ] as const)
    git('config', name, value);
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  return folder;
}
