/** Checks the files for containers: everything that they name exists, and they agree with the kernel. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './installed.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The instructions of a container file, each with its arguments; continued lines are joined. */
const instructions = read('deploy/Containerfile')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map(line => /^([A-Z]+) (.*)$/.exec(line)?.slice(1) ?? [line, '']);
const all = (name: string) =>
  instructions.filter(([word]) => word === name).map(([, rest]) => rest as string);

it('runs the command as an unprivileged user, keeps its data, and has a health check', () => {
  const known =
    'ARG FROM COPY RUN USER WORKDIR ENV VOLUME EXPOSE HEALTHCHECK STOPSIGNAL ENTRYPOINT CMD'.split(' ');
  expect(instructions.filter(([word]) => !known.includes(word!))).toEqual([]);
  expect(all('ENTRYPOINT')).toEqual(['["chat-kernel"]']);
  expect(all('HEALTHCHECK')).toEqual([expect.stringMatching(/CMD \["chat-kernel", "status"\]$/)]);
  const [user] = all('USER');
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const [volume] = all('VOLUME');
  const data = /CHAT_KERNEL_DATA=(\S+)/.exec(all('ENV').join(' '))?.[1];
  expect(data).toMatch(new RegExp(`^${volume}/`));
  expect(all('RUN').at(-1)).toContain(`install -d -m 0700 -o ${user!.replace(':', ' -g ')} ${volume}`);
  expect(all('EXPOSE')).toEqual([String(Settings.parse({}).server.port)]);
  // The build context contains only the package, not the whole checkout.
  expect(read('.dockerignore').split('\n').slice(1)).toEqual(['*', '!chat-kernel-*.tgz', '']);
});

it('the compose file puts nginx in front with the tested configuration, and exposes the kernel only to it', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml'));
  expect(Object.keys(services)).toEqual(['kernel', 'nginx']);
  const { kernel, nginx } = services;
  expect(nginx.network_mode).toBe('service:kernel');
  // Its user is not the kernel's (CONSENT-11), and the network is only theirs.
  expect(kernel.environment).toEqual({ CHAT_KERNEL_SERVER_BEHIND_PROXY: 'true' });
  // Port 443 is that of nginx, which its configuration names as well; the kernel's own port is not exposed.
  expect(kernel.ports).toEqual(['443:443']);
  const configuration = read('deploy/nginx.conf');
  expect(configuration).toContain('listen 443 ssl');
  expect(configuration).toContain(`server 127.0.0.1:${Settings.parse({}).server.port};`);
  expect(nginx.volumes[0]).toMatch(/^\.\/nginx\.conf:/);
  expect(nginx.depends_on.kernel.condition).toBe('service_healthy');
  expect(kernel.build.dockerfile).toBe('deploy/Containerfile');
  expect(kernel.volumes[0]).toBe(`data:${all('VOLUME')[0]}`);
  expect(Object.keys(volumes)).toEqual(['data']);
  const grace = Settings.parse({}).server.shutdown_grace_secs;
  expect(Number.parseInt(kernel.stop_grace_period, 10)).toBeGreaterThan(grace);
});

it.each(['compose.yaml', 'compose-fleet.yaml'])('no service of %s keeps the privileges of root', file => {
  const { services } = parse(read(`deploy/${file}`), { merge: true });
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    expect(service, name).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges'] });
    // The image of the kernel has a user of its own, who needs no capability.
    const isKernel = name.startsWith('kernel');
    if (isKernel) expect(service, name).not.toHaveProperty('cap_add');
    if (isKernel || name === 'nginx') expect(service.read_only, name).toBe(true);
    for (const forbidden of ['privileged', 'user', 'pid', 'devices']) {
      expect(service, name).not.toHaveProperty(forbidden);
    }
  }
});
