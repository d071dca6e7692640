/** Starts the real nginx and the real Caddy with the shipped configuration in front of a kernel. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { freePort } from '../harness/free-port.ts';
import { secretOf } from '../harness/secrets.ts';
import { makeCertificate } from './certificate.ts';
import type { TlsAddress } from './http2.ts';

/** Only the proxy may ever see the token. */
export const TOKEN = secretOf('token');
export interface RunningProxy {
  url: string;
  /** The same over TLS. */
  tls: TlsAddress;
  /** Reloads its configuration, as after a renewed certificate. */
  reload(): void;
  stop(): Promise<void>;
}
interface ProxyKind {
  name: string;
  /**
   * @param changed modifies the shipped configuration, to test a misconfigured proxy
   * @param isOther runs it as a user who is not the kernel's, as a system service does
   */
  start(kernelUrl: string, changed?: (site: string) => string, isOther?: boolean): Promise<RunningProxy>;
}
/** A user that every Debian system has. */
export const OTHER_USER = 'www-data';
const OTHER_USER_ID = 33;

const SHIPPED = new URL('../../deploy/', import.meta.url);
const shipped = (name: string) => readFileSync(new URL(name, SHIPPED), 'utf8');

export const nginx: ProxyKind = {
  name: 'nginx',
  start: (kernelUrl, changed = site => site, isOther = false) =>
    startNginx(
      text => changed(replaced(text, [['server 127.0.0.1:8787;', `server ${new URL(kernelUrl).host};`]])),
      shipped('nginx.conf'),
      isOther ? OTHER_USER : 'root',
    ),
};

/** The real nginx in front of several kernels, with its two files in deploy/ and the command that they name. */
export function nginxBefore(kernelUrls: readonly string[]): Promise<RunningProxy> {
  const fleet = shipped('nginx-fleet.conf');
  const [, script = ''] = /^#\s+sed '([^']+)' nginx\.conf > /m.exec(fleet) ?? [];
  const { status, stdout } = spawnSync('sed', [script, 'nginx.conf'], { cwd: SHIPPED, encoding: 'utf8' });
  expect(status).toBe(0);
  const named = [...fleet.matchAll(/server (\S+) max_fails/g)].map(([, address]) => address as string);
  expect(named).toHaveLength(kernelUrls.length);
  const addresses = named.map((address, n) => [address, new URL(kernelUrls[n] as string).host] as const);
  return startNginx(site => `${replaced(fleet, addresses)}\n${site}`, stdout);
}

/**
 * Starts nginx with separate ports, token and certificate.
 * @param changed modifies the final site
 */
async function startNginx(
  changed: (site: string) => string,
  site: string,
  user = 'root',
): Promise<RunningProxy> {
  const { path, remove } = temporaryDirectory();
  if (user !== 'root') chmodSync(path, 0o755);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const { certificate, key, ca } = makeCertificate(path);
  const own = replaced(site, [
    [/PROXY_TOKEN_MD5(?=;)/, createHash('md5').update(TOKEN).digest('base64url')],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port}; listen 127.0.0.1:${tlsPort} ssl http2;`],
    ['/etc/letsencrypt/live/chat.example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/chat.example.org/privkey.pem', key],
  ]);
  writeFileSync(join(path, 'site.conf'), changed(own));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${path}/${kind};`,
  );
  const main = [
    `pid ${path}/pid; error_log ${path}/error.log; daemon off;`,
    process.getuid?.() === 0 ? `user ${user};` : '',
    `events {} http { access_log off; ${temporary.join(' ')} include ${path}/site.conf; }`,
  ].join('\n');
  writeFileSync(join(path, 'main.conf'), main);
  const child = spawn('nginx', ['-p', path, '-c', join(path, 'main.conf')], { stdio: 'inherit' });
  return running(child, port, {
    tls: () => ({ port: tlsPort, ca }),
    reload: () => child.kill('SIGHUP'),
    remove,
  });
}

export const caddy: ProxyKind = {
  name: 'caddy',
  async start(kernelUrl, _changed, isOther = false) {
    const { path, remove } = temporaryDirectory();
    const [port, tlsPort] = [await freePort(), await freePort()];
    // Caddy signs certificates for localhost itself; this machine must not trust them.
    const options = [
      ...['{', `\tadmin unix/${path}/admin`, '\tdefault_bind 127.0.0.1', '\tskip_install_trust'],
      ...['\tauto_https disable_redirects', '\tlog {', '\t\tlevel ERROR', '\t}', '}', '', ''],
    ].join('\n');
    const file = join(path, 'Caddyfile');
    writeFileSync(file, options + shipped('Caddyfile'));
    if (isOther) for (const each of [path, file]) chownSync(each, OTHER_USER_ID, OTHER_USER_ID);
    const env = caddyEnvironment(path, `http://:${port}, https://localhost:${tlsPort}`, kernelUrl);
    const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...env, PROXY_TOKEN: TOKEN },
      stdio: ['ignore', 'ignore', 'inherit'],
      ...(isOther && { uid: OTHER_USER_ID, gid: OTHER_USER_ID }),
    });
    const reload = () => {
      const done = spawnSync('caddy', ['reload', '--force', '--config', file, '--adapter', 'caddyfile'], {
        env: { ...env, PROXY_TOKEN: TOKEN },
        encoding: 'utf8',
      });
      if (done.status !== 0) throw new Error(`Caddy does not reload: ${done.stderr}`);
    };
    const root = join(path, 'caddy/pki/authorities/local/root.crt');
    return running(child, port, {
      tls: () => ({ port: tlsPort, ca: readFileSync(root, 'utf8') }),
      reload,
      remove,
    });
  },
};

/** Reports how Caddy accepts the shipped Caddyfile without a token. */
export function caddyWithoutToken(): { status: number | null; said: string } {
  const { path, remove } = temporaryDirectory();
  const file = join(path, 'Caddyfile');
  writeFileSync(file, shipped('Caddyfile'));
  const { status, stderr } = spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], {
    env: caddyEnvironment(path, 'http://:1', 'http://127.0.0.1:2'),
    encoding: 'utf8',
  });
  remove();
  return { status, said: stderr };
}

/** Versions that this process has already read: Caddy takes a while to print its own. */
const installed = new Map<string, boolean>();

/** The reason why this proxy cannot be tested here, or false. */
export function missing(name: string): string | false {
  const flag = name === 'nginx' ? '-v' : 'version';
  const found = installed.get(name) ?? spawnSync(name, [flag]).status === 0;
  installed.set(name, found);
  if (!found && process.env.REQUIRE_ALL) throw new Error(`${name} is not installed, and REQUIRE_ALL is set`);
  return found ? false : `${name} is not installed`;
}

const caddyEnvironment = (path: string, site: string, kernelUrl: string) => ({
  PATH: process.env.PATH,
  HOME: path,
  XDG_DATA_HOME: path,
  XDG_CONFIG_HOME: path,
  CHAT_KERNEL_SITE: site,
  CHAT_KERNEL_UPSTREAM: new URL(kernelUrl).host,
});

/** The shipped file must contain each placeholder exactly once, or the test would run on another file. */
function replaced(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  for (const [from, to] of changes) {
    expect(text.split(from), `${from}`).toHaveLength(2);
    text = text.replace(from, () => to);
  }
  return text;
}

async function running(
  child: ChildProcess,
  port: number,
  { tls, reload, remove }: { tls(): TlsAddress; reload(): void; remove(): void },
): Promise<RunningProxy> {
  const url = `http://127.0.0.1:${port}`;
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  try {
    // A kernel that refuses the user of the proxy answers 403.
    const answers = async () => expect([200, 403]).toContain((await fetch(`${url}/healthz`)).status);
    await vi.waitFor(answers, { timeout: 30_000, interval: 20 });
  } catch (error) {
    child.kill('SIGTERM');
    throw error;
  }
  return {
    url,
    tls: tls(),
    reload,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      remove();
    },
  };
}
