/**
 * Tests the egress proxy of the real sandbox with real servers that represent hosts of the internet. Only the last step
 * is replaced: a connection to an allowed public address goes to this machine.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { type LocalOperation, Refused } from '@chat-kernel/kernel';
import { INTERNET, type Internet } from '@chat-kernel/net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { makeCertificate } from '../../../test/proxy/certificate.ts';
import { type HostList, isListed, resolveAddresses } from '../../hands/src/shell/hosts.ts';
import { shell } from '../src/shell.ts';
import { workplace } from './workplace.ts';

const PUBLIC = { address: '93.184.215.14', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const NAMES: Record<string, (typeof LOOPBACK)[]> = {
  'allowed.test': [PUBLIC],
  'deep.allowed.test': [PUBLIC],
  'other.test': [PUBLIC],
  'inward.test': [LOOPBACK],
  'turning.test': [PUBLIC],
  'both.test': [PUBLIC, { address: '10.0.0.7', family: 4 }],
};
/** @param asked receives the resolved names */
const standIn = (asked: string[] = []): Internet => ({
  async resolve(host) {
    asked.push(host);
    const found = NAMES[host];
    if (found === undefined) throw new Error('not found');
    // The owner of the name resolves it differently the next time.
    if (host === 'turning.test' && asked.indexOf(host) < asked.length - 1) return [LOOPBACK];
    return found;
  },
  dial: address => (address.address === PUBLIC.address ? LOOPBACK : address),
});
const OUT_OF_REACH =
  'this machine or in a private network: commands in the sandbox never reach these, whatever the setting tools.shell.network says.';
const UNLISTED = 'is not among the hosts that the setting tools.shell.network lists.';

describe('hosts', () => {
  it.each([
    ['example.org', ['example.org'], true],
    ['EXAMPLE.org.', ['Example.org'], true],
    ['www.example.org', ['example.org'], false],
    ['notexample.org', ['*.example.org'], false],
    ['example.org', ['*.example.org'], false],
    ['a.b.example.org', ['*.example.org'], true],
    ['example.org.evil.test', ['example.org', '*.example.org'], false],
  ])('[WHO-7] %s in a list of %j: %j', (host, list, listed) => {
    expect(isListed(host, list)).toBe(listed);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.1.1',
    '[fe80::1]',
    '[fd00::1]',
    'localhost',
  ])('[WHO-7] %s is unreachable, even if it is listed', async host => {
    const reached = (network: 'on' | HostList) => resolveAddresses(host, network, INTERNET);
    await expect(reached('on')).rejects.toThrow(OUT_OF_REACH);
    await expect(reached([host.replace(/[[\]]/g, '')])).rejects.toThrow(OUT_OF_REACH);
  });

  it('[WHO-7] public addresses of this machine are unreachable', async () => {
    const own = Object.values(networkInterfaces()).flatMap(cards => cards ?? []);
    for (const { address, family } of own) {
      const host = family === 'IPv6' ? `[${address}]` : address;
      await expect(resolveAddresses(host, 'on', INTERNET)).rejects.toThrow(OUT_OF_REACH);
    }
  });

  it('[WHO-7] rejects a name if any of its addresses is private', async () => {
    await expect(resolveAddresses('both.test', 'on', standIn())).rejects.toThrow(
      `both.test (10.0.0.7) is ${OUT_OF_REACH}`,
    );
  });
});

const works =
  (await new Sandbox({ sandbox: 'auto', network: 'on' }, new MachinePaths([])).kind()) === 'bwrap';
if (!works) process.stdout.write('bubblewrap is missing or refused here: its way out is not tested\n');

describe.runIf(works)('the egress proxy', () => {
  const answer: RequestListener = ({ url, headers }, response) => response.end(`${headers.host}${url}`);

  async function listening(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  /** Runs the commands in order; returns the section of each in the output, and the text after the last one. */
  async function run(network: 'on' | 'off' | HostList, commands: string[], asked: string[] = []) {
    const paths = new MachinePaths([]);
    const place = workplace();
    const { output } = await shell({
      paths,
      sandbox: new Sandbox({ sandbox: 'auto', network }, paths, standIn(asked)),
      timeout_secs: 60,
      environment: { PATH: process.env.PATH },
    }).run({ commands }, place.context);
    const [, ...sections] = output.split(/^== .*\n/m);
    return sections.map(section => section.trim());
  }
  const curl = 'curl -sS --max-time 30';

  it('[WHO-7] reaches only listed hosts over http', async () => {
    const port = await listening(createServer(answer));
    const asked: string[] = [];
    const said = await run(
      ['allowed.test', '*.allowed.test'],
      [
        `${curl} http://allowed.test:${port}/one`,
        `${curl} http://deep.allowed.test:${port}/two`,
        `${curl} -w ' %{http_code}' http://other.test:${port}/`,
        // A program without proxy support can reach nothing.
        `cat < /dev/tcp/127.0.0.1/${port}`,
      ],
      asked,
    );
    expect(said).toEqual([
      `allowed.test:${port}/one`,
      `deep.allowed.test:${port}/two`,
      `other.test ${UNLISTED}\n 403`,
      expect.stringMatching(
        new RegExp(`Connection refused\\n\\[exit code 1\\]\\n\\[network: other\\.test ${UNLISTED}\\]$`),
      ),
    ]);
    // An unlisted name is never resolved, and a listed one once for each request.
    expect(asked).toEqual(['allowed.test', 'deep.allowed.test']);
  });

  it('[WHO-7] reaches listed hosts over https', async () => {
    const { path } = workplace();
    const { key, ca } = makeCertificate(path, 'allowed.test');
    const port = await listening(createSecureServer({ key: readFileSync(key), cert: ca }, answer));
    const said = await run(
      ['allowed.test'],
      [
        `cat > cert.pem <<'E'\n${ca}E\n${curl} --cacert cert.pem https://allowed.test:${port}/one`,
        `${curl} --insecure https://other.test:${port}/`,
      ],
    );
    expect(said[0]).toMatch(new RegExp(`allowed\\.test:${port}/one$`));
    expect(said[1]).toMatch(/403\n\[exit code \d+\]\n\[network: other\.test is not among/);
  });

  it('[WHO-7] never reaches this machine, by an address, a name, or any spelling of them', async () => {
    let reached = 0;
    const port = await listening(
      createServer((_, response) => {
        reached += 1;
        response.end();
      }),
    );
    for (const network of ['on', ['inward.test', '127.0.0.1', 'localhost']] as const) {
      const said = await run(
        network,
        ['inward.test', '127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'].map(
          host => `${curl} --noproxy '' -w '%{http_code}' http://${host}:${port}/`,
        ),
      );
      for (const each of said) expect(each).toMatch(/^.*\n(403|502)/);
      expect(said[0]).toMatch(`inward.test (127.0.0.1) is ${OUT_OF_REACH}\n403`);
      const [tunnel] = await run(network, [
        `${curl} --noproxy '' --proxytunnel http://inward.test:${port}/; ${curl} --noproxy '' -k https://127.0.0.1:${port}/`,
      ]);
      expect(tunnel).toContain(`[network: inward.test (127.0.0.1) is ${OUT_OF_REACH}]`);
      expect(tunnel).toContain(network === 'on' ? `[network: 127.0.0.1 is ${OUT_OF_REACH}]` : '403');
    }
    expect(reached).toBe(0);
  });

  it('[WHO-7] resolves a name once for each connection, and connects only to the result', async () => {
    const port = await listening(createServer(answer));
    const asked: string[] = [];
    const get = `${curl} http://turning.test:${port}/`;
    expect(await run('on', [get, get], asked)).toEqual([
      `turning.test:${port}/`,
      `turning.test (127.0.0.1) is ${OUT_OF_REACH}\n[network: turning.test (127.0.0.1) is ${OUT_OF_REACH}]`,
    ]);
    expect(asked).toEqual(['turning.test', 'turning.test']);
  });

  it('[WHO-7] reaches no host with the network off, and all public hosts with it on', async () => {
    const port = await listening(createServer(answer));
    const get = `${curl} --max-time 5 http://other.test:${port}/`;
    expect(await run('on', [get])).toEqual([`other.test:${port}/`]);
    expect((await run('off', [`env | grep -ci proxy; ${get}`]))[0]).toMatch(/^0\n.*[Cc]ould ?n.t resolve/s);
  });

  it('[CONSENT-4] asks once per call about hosts that the settings do not list, and reports those that it reached', async () => {
    const port = await listening(createServer(answer));
    const paths = new MachinePaths([]);
    const place = workplace();
    const resolved: string[] = [];
    const hosts: string[] = [];
    const consent = async (operation: LocalOperation) => {
      if (operation.action !== 'connect') return { by_prefix: false };
      hosts.push(operation.host);
      // Longer than the time of the commands.
      await new Promise(resolve => setTimeout(resolve, 4000));
      if (operation.host === 'other.test') throw new Refused('No.');
      return { by_prefix: false };
    };
    const result = await shell({
      paths,
      sandbox: new Sandbox({ sandbox: 'auto', network: 'on' }, paths, standIn(resolved)),
      timeout_secs: 4,
      environment: { PATH: process.env.PATH },
    }).run(
      {
        commands: ['allowed.test', 'other.test', 'ALLOWED.test.'].map(
          host => `${curl} http://${host}:${port}/`,
        ),
      },
      { ...place.context, consent },
    );
    expect(hosts).toEqual(['allowed.test', 'other.test']);
    expect(result.outside).toEqual(['web:allowed.test']);
    expect(result.output).toContain('The user did not allow commands to reach other.test.');
    expect(new Set(resolved)).not.toContain('other.test');
  });

  it('[CONSENT-4] does not ask about hosts that the settings list', async () => {
    const port = await listening(createServer(answer));
    const paths = new MachinePaths([]);
    const consent = async (operation: LocalOperation) => {
      if (operation.action === 'connect') throw new Refused('No.');
      return { by_prefix: false };
    };
    const result = await shell({
      paths,
      sandbox: new Sandbox({ sandbox: 'auto', network: ['allowed.test'] }, paths, standIn()),
      timeout_secs: 60,
      environment: { PATH: process.env.PATH },
    }).run({ commands: [`${curl} http://allowed.test:${port}/`] }, { ...workplace().context, consent });
    expect(result).toMatchObject({ is_error: false, outside: ['web:allowed.test'] });
  });

  it('reports which host is not found', async () => {
    expect(await run('on', [`${curl} http://nowhere.test/`])).toEqual([
      'nowhere.test was not found.\n[network: nowhere.test was not found.]',
    ]);
  });

  it('lets a command reach a server that the same command starts', async () => {
    const serve = `require('http').createServer((_, r) => r.end('mine')).listen(8080, '127.0.0.1')`;
    const [said] = await run('on', [
      `node -e "${serve}" & for i in $(seq 100); do ${curl} http://localhost:8080/ 2>/dev/null && break; sleep 0.1; done`,
    ]);
    expect(said).toMatch(/^mine/);
  });

  it('returns the exit code of a command, and ends with its call', async () => {
    // Other tests that run now leave folders in the usual one.
    const folder = directoryOfTest();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await run('on', ['exit 3', 'kill -TERM $$', 'echo fine'])).toEqual([
      '[exit code 3]',
      '[exit code 143]',
      'fine',
    ]);
    expect(readdirSync(folder).filter(name => name.startsWith('chat-kernel-'))).toEqual([]);
  });

  it('provides writable directories for git and npm', async () => {
    const [said] = await run('off', [
      'npm config get cache 2>/dev/null && git init -q . && git -c user.name=a -c user.email=a@b.test commit -q --allow-empty -m one && git log --format=%s && touch "$TMPDIR/a" && mkdir "$XDG_CACHE_HOME" && echo done',
    ]);
    expect(said).toBe('/tmp/.npm\none\ndone');
  });
});
