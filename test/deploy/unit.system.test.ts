/** Tests the shipped unit: how much it leaves to the kernel, and that the kernel, its sandbox and a proxy work in it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { freePort } from '../harness/free-port.ts';
import { TestClient } from '../harness/kernel-client.ts';
import { PATIENT } from '../harness/patient.ts';
import { PROGRAM } from '../harness/program.ts';
import { settingsFor } from '../harness/settings.ts';
import { calls, says } from '../harness/story.ts';
import { caddy, missing, nginx, OTHER_USER, TOKEN } from '../proxy/proxies.ts';
import { startUpstream } from '../upstream/server.ts';
import { Systemd } from './systemd.ts';

const ROOT = join(import.meta.dirname, '../..');
const UNIT = join(ROOT, 'deploy/chat-kernel.service');
const unit = readFileSync(UNIT, 'utf8');
/** A user that every Debian system has, who is neither root nor that of the proxy. */
const KERNEL_USER = 'daemon';
const KERNEL_USER_ID = 1;

/** The first version of systemd that rates a file (`--offline`). */
const RATES_FILES = 250;

/** The reason why systemd cannot be started here, or false. */
function cannotStart(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can start systemd';
  if (spawnSync('bwrap', ['--version']).status !== 0) return refused('bwrap is not installed');
  return missing('nginx') || missing('caddy') || cannotRate();
}

/** The reason why a unit cannot be rated here, or false. */
function cannotRate(): string | false {
  if (process.platform !== 'linux') return 'only Linux has systemd';
  const { stdout } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  const [, version] = /^systemd (\d+)/.exec(String(stdout)) ?? [];
  if (Number(version) >= RATES_FILES) return false;
  return refused(`systemd-analyze is not installed, or older than ${RATES_FILES}`);
}

/** Returns the reason to skip a test. @throws if no test may be skipped */
function refused(reason: string): string {
  if (process.env.REQUIRE_ALL) throw new Error(`${reason}, and REQUIRE_ALL is set`);
  return reason;
}

/** Resolves with the exit code of systemd's rating; not 0 if it is 4.0 or more. */
function rate(text: string): number | null {
  const { path, remove } = temporaryDirectory();
  const file = join(path, 'chat-kernel.service');
  writeFileSync(file, text);
  const words = ['security', '--offline=true', '--threshold=39', '--no-pager', file];
  const { status } = spawnSync('systemd-analyze', words);
  remove();
  return status;
}

test.skipIf(Boolean(cannotRate()))('systemd rates the unit better than 4.0', () => {
  expect(rate(unit)).toBe(0);
  expect(
    rate(unit.replaceAll(/^(SystemCallFilter|CapabilityBoundingSet|PrivateDevices)=.*$/gm, '')),
  ).not.toBe(0);
});

// Only on request: it creates cgroups in those of this process, which a machine may forbid.
if (process.env.TEST_SYSTEMD)
  test.skipIf(Boolean(cannotStart()))(
    'the kernel, its sandbox, a directory of the owner, and both proxies work with the unit under systemd',
    PATIENT,
    async () => {
      const upstream = await startUpstream();
      onTestFinished(() => upstream.close());
      const { path, remove } = temporaryDirectory();
      onTestFinished(remove);
      // As in the home of an owner that others cannot enter: a drop-in names one directory, the other stays hidden.
      const home = mkdtempSync(join(homedir(), 'chat-kernel-unit-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      const [code, other] = [join(home, 'code'), join(home, 'other')];
      for (const directory of [code, other]) {
        mkdirSync(directory);
        chownSync(directory, KERNEL_USER_ID, KERNEL_USER_ID);
      }
      chmodSync(path, 0o755);

      const port = await freePort();
      const file = join(path, 'config.yaml');
      const server = { port, allowed_users: [OTHER_USER] };
      const tools = { shell: { sandbox: 'bwrap' as const } };
      writeFileSync(file, JSON.stringify(settingsFor(upstream.url, 'openai-compatible', { server, tools })));
      const stderr = join(path, 'stderr');
      const units = join(path, 'units');
      mkdirSync(join(units, 'chat-kernel.service.d'), { recursive: true });
      writeFileSync(join(units, 'chat-kernel.service'), unit);
      const program = [
        process.execPath,
        PROGRAM,
        'serve',
        '--config',
        file,
        '--data',
        '/var/lib/chat-kernel',
      ];
      writeFileSync(
        join(units, 'chat-kernel.service.d/test.conf'),
        [
          '[Unit]\nDefaultDependencies=no\nAfter=\nWants=\n[Service]',
          `User=${KERNEL_USER}\nWorkingDirectory=/\nStandardError=file:${stderr}`,
          `Environment=PATH=${process.env.PATH} HOME=/var/lib/chat-kernel`,
          // The program and the settings of the test, which the unit would hide.
          `BindReadOnlyPaths=${ROOT} ${file}`,
          `BindPaths=${code}`,
          `ExecStart=\nExecStart=${program.join(' ')}`,
          '',
        ].join('\n'),
      );
      const systemd = Systemd.start(units, 'chat-kernel.service');
      onTestFinished(() => systemd.stop());
      const url = `http://127.0.0.1:${port}`;
      await vi
        .waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), {
          ...PATIENT,
          timeout: 30_000,
        })
        .catch(error => {
          throw new Error(`The unit does not start: ${readFileSync(stderr, 'utf8')}`, { cause: error });
        });

      const client = new TestClient({ url });
      const { id } = await client.createChat({ consent: 'auto' });
      await client.setWorkdir(id, { workdir: code, workdir_on: 'server' });
      const look = [
        'touch here && echo written',
        `ls ${home}`,
        'touch /var/lib/chat-kernel/there 2>&1',
        'touch /usr/there 2>&1',
        'grep CapBnd /proc/self/status',
      ];
      upstream.next(calls('c', 'shell', { commands: [look.join('; ')] }), says('Done.'));
      const turn = await client.begin(id, { text: 'Look.' });
      const events = await turn.all();
      const output = JSON.stringify(events);
      expect(output).toContain('written\\ncode\\n');
      expect(output).not.toContain('other');
      expect(output).toMatch(/CapBnd:\\t0+\b/);
      expect(output).not.toContain('"sandbox":"none"');

      for (const kind of [nginx, caddy]) {
        const proxy = await kind.start(url, undefined, true);
        onTestFinished(() => proxy.stop());
        const answer = await fetch(`${proxy.url}/v1/chats/${id}`, { headers: { 'x-service-token': TOKEN } });
        expect([answer.status, ((await answer.json()) as { id: string }).id]).toEqual([200, id]);
      }
    },
  );
