/** Checks the compose file of several kernels: each setting, port, service and file that it names exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { loadSettings } from '@chat-kernel/settings';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './installed.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const file = read('deploy/compose-fleet.yaml');
const password = 'a'.repeat(64);
/** Parsed as the program does it: with variables replaced and anchors merged. */
const { services, volumes } = parse(file.replaceAll(/\$\{POSTGRES_PASSWORD:\?[^}]*\}/g, password), {
  merge: true,
});
const KERNELS = ['kernel-1', 'kernel-2', 'kernel-3'];
const site = read('deploy/nginx-fleet.conf');

it("several kernels refer to each other's services, and require only the password", () => {
  expect(Object.keys(services)).toEqual(['postgres', ...KERNELS, 'nginx']);
  const variables = [...file.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  expect(new Set(variables)).toEqual(new Set(['POSTGRES_PASSWORD']));
  for (const service of Object.values<Record<string, unknown>>(services)) {
    const needed = service.depends_on ?? {};
    const names = Array.isArray(needed) ? needed : Object.keys(needed);
    for (const name of names) expect(Object.keys(services)).toContain(name);
    for (const mount of service.volumes as string[]) {
      const [from = ''] = mount.split(':');
      if (!from.startsWith('./')) expect(Object.keys(volumes)).toContain(from);
    }
  }
  const used = Object.values<{ volumes: string[] }>(services).flatMap(({ volumes: all }) =>
    all.map(mount => mount.split(':')[0]),
  );
  for (const name of Object.keys(volumes)) expect(used).toContain(name);
  // Only the proxy is exposed.
  for (const [name, { ports }] of Object.entries<{ ports?: string[] }>(services))
    expect(ports).toEqual(name === 'nginx' ? ['443:443'] : undefined);
});

it.each(KERNELS)('the variables of %s are settings with the shared database of the file', async name => {
  const { environment, volumes: mounts, stop_grace_period, command, build } = services[name];
  const place = { cwd: '/nowhere', home: '/nowhere' };
  const { settings, warnings } = await loadSettings({ flags: {}, environment, ...place });
  expect(warnings).toEqual([]);
  const { POSTGRES_USER: user, POSTGRES_DB: database, POSTGRES_PASSWORD } = services.postgres.environment;
  expect(POSTGRES_PASSWORD).toBe(password);
  expect(settings.database.url).toBe(`postgres://${user}:${password}@postgres:5432/${database}`);
  expect(settings.server).toMatchObject({ host: '0.0.0.0', behind_proxy: true, name });
  expect(settings.server.advertise_url).toBe(`http://${name}:${settings.server.port}`);
  expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(settings.server.shutdown_grace_secs);
  expect([build.context, build.dockerfile]).toEqual(['..', 'deploy/Containerfile']);
  expect(command[0]).toBe('serve');

  // Each has its own data directory; they share the folders of files in it.
  const data = /CHAT_KERNEL_DATA=(\S+)/.exec(read('deploy/Containerfile'))?.[1];
  expect(mounts).toEqual([
    `data-${name.split('-')[1]}:/var/lib/chat-kernel`,
    `files:${data}/files`,
    `images:${data}/images`,
    `./config.yaml:${command[2]}:ro`,
  ]);
  for (const folder of ['files', 'images'])
    expect(read('deploy/Containerfile')).toMatch(new RegExp(`-o 10001 .*\\s.*${data}/${folder}`));
});

it('allows enough database connections for all kernels and one more', () => {
  const [, most] = /max_connections=(\d+)/.exec(services.postgres.command.join(' ')) ?? [];
  const pool = /POOL_SIZE = (\d+)/.exec(read('packages/storage/src/database/postgres.ts'))?.[1];
  expect(Number(most)).toBeGreaterThan((KERNELS.length + 1) * (Number(pool) + 1));
  expect(services.postgres.healthcheck.test).toEqual(['CMD', 'pg_isready', '-U', 'kernel', '-d', 'chat']);
});

it('nginx for several kernels forwards to the services of the compose file', () => {
  const { port } = Settings.parse({}).server;
  const upstreams = [...site.matchAll(/^ {4}server (\S+) /gm)].map(([, address]) => address);
  expect(upstreams).toEqual(KERNELS.map(name => `${name}:${port}`));
  expect(services.nginx.depends_on).toEqual(KERNELS);
  const [fleet, own] = services.nginx.volumes;
  expect(fleet).toMatch(/^\.\/nginx-fleet\.conf:\/etc\/nginx\/conf\.d\//);
  expect(own).toMatch(/^\.\/nginx-site\.conf:\/etc\/nginx\/conf\.d\//);
  // Both files describe how to create the second one, in the same words.
  const command = "sed '/^upstream chat_kernel {/,/^}/d' nginx.conf > ";
  for (const text of [file, site]) expect(text).toContain(command);
});
