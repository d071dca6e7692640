/**
 * Checks rules that the schema cannot express, such as conflicts between settings.
 */
import { isIPv4 } from 'node:net';
import { checkTimezone, parseSchedule } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { checkBytes } from './bytes.ts';
import type { Complaint } from './expectation.ts';

const SERVER_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/;

/** Returns an error for each setting that breaks a rule. */
export function checkSettings(settings: Settings): Complaint[] {
  const { server, database, llm, sleep, mcp, modules, notify, telemetry, tools } = settings;
  const wrong: Complaint[] = [];
  if (!isLoopback(server.host) && !server.behind_proxy) {
    wrong.push({
      path: ['server', 'host'],
      sentence:
        'expected a loopback address such as 127.0.0.1, because the kernel does not authenticate clients. ' +
        'Behind a proxy that does, set server.behind_proxy: true',
    });
  }
  server.cors_origins.forEach((origin, index) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return;
    wrong.push({
      path: ['server', 'cors_origins', index],
      sentence: 'expected an origin such as https://example.org, without a path',
    });
  });
  if (hasLogin(server.public_url)) {
    wrong.push({
      path: ['server', 'public_url'],
      sentence: 'expected no login in the address, which is public',
    });
  }
  if (server.advertise_url !== null && database.url === null) {
    wrong.push({
      path: ['server', 'advertise_url'],
      sentence:
        'expected database.url to be set as well: only a database server can be shared by several kernels',
    });
  }
  if (hasLogin(server.advertise_url)) {
    wrong.push({
      path: ['server', 'advertise_url'],
      sentence: 'expected no login in the address: kernels authenticate each other through the database',
    });
  }
  for (const [name, { base_url }] of Object.entries(llm.providers)) {
    // `fetch` rejects addresses with a login.
    if (hasLogin(base_url)) {
      wrong.push({ path: ['llm', 'providers', name, 'base_url'], sentence: noLogin('api_key or headers') });
    } else if (base_url !== undefined && !isHttp(base_url)) {
      // `localhost:8000` is a URL as well, whose scheme is localhost.
      wrong.push({
        path: ['llm', 'providers', name, 'base_url'],
        sentence: 'expected an address of http or https, such as http://127.0.0.1:8000/v1',
      });
    }
  }
  modules.shipped.forEach((name, index) => {
    if (!Object.hasOwn(modules.servers, name)) return;
    wrong.push({
      path: ['modules', 'shipped', index],
      sentence: `expected a module that is not in modules.servers: use either that one or the bundled ${name}`,
    });
  });
  if (hasLogin(telemetry.otlp_url)) {
    wrong.push({ path: ['telemetry', 'otlp_url'], sentence: noLogin('telemetry.headers') });
  }
  wrong.push(...checkNotify(notify), ...checkSleep(sleep), ...checkMcp(mcp));
  wrong.push(...checkBytes(settings));
  if (tools.shell.sandbox === 'none' && tools.shell.network !== 'on') {
    wrong.push({
      path: ['tools', 'shell', 'network'],
      sentence: 'expected on: only a sandbox can block hosts, and tools.shell.sandbox is none',
    });
  }
  return wrong;
}

/** A notification goes to a program or to an address. */
function checkNotify(notify: Settings['notify']): Complaint[] {
  return notify.flatMap(({ command, url, headers, format }, index) => {
    const complain = (sentence: string, ...path: string[]) => [
      { path: ['notify', index, ...path], sentence },
    ];
    if ((command === undefined) === (url === undefined))
      return complain('expected either command (a program and its arguments) or url (an address)');
    if (command !== undefined && (headers ?? format) !== undefined)
      return complain('expected no headers or format with command, which reads JSON');
    if (command?.[0] === '') return complain('expected the name of a program', 'command', '0');
    if (hasLogin(url)) return complain(noLogin('headers'), 'url');
    return [];
  });
}

function checkSleep({ schedule, timezone }: Settings['sleep']): Complaint[] {
  return [
    ...(schedule === null
      ? []
      : collectComplaints(['sleep', 'schedule'], () => parseSchedule(schedule, null))),
    ...(timezone === null ? [] : collectComplaints(['sleep', 'timezone'], () => checkTimezone(timezone))),
  ];
}

/** Returns the message of the RangeError of the check as an error of the setting. */
function collectComplaints(path: string[], check: () => unknown): Complaint[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path, sentence: error.message }];
  }
}

/** An MCP server is either a program or an address, and its name becomes part of the names of its tools (MCP-1). */
function checkMcp({ servers }: Settings['mcp']): Complaint[] {
  const wrong: Complaint[] = [];
  for (const [name, { command, args, env, cwd, url, headers, oauth }] of Object.entries(servers)) {
    const complain = (sentence: string, ...path: string[]) =>
      void wrong.push({ path: ['mcp', 'servers', name, ...path], sentence });
    if (!SERVER_NAME.test(name)) {
      complain('expected a name of at most 32 letters, digits, _ and -, with a letter first');
    }
    if ((command === undefined) === (url === undefined)) {
      complain('expected either command (a program to start) or url (a server to connect to)');
    } else if (command === undefined && (args ?? env ?? cwd) !== undefined) {
      complain('expected no args, env or cwd with url');
    } else if (url === undefined && headers !== undefined) {
      complain('expected no headers with command', 'headers');
    }
    if (url === undefined && oauth !== undefined) {
      complain('expected no oauth with command', 'oauth');
    } else if (oauth !== undefined && hasAuthorization(headers)) {
      complain('expected either oauth or an Authorization header', 'oauth');
    } else if (oauth !== undefined && (oauth.client_secret ?? oauth.issuer) && !oauth.client_id) {
      complain('expected client_id to be set with client_secret and issuer', 'oauth');
    }
    if (command === '') complain('expected the name of a program', 'command');
    if (url !== undefined && !isHttp(url)) complain('expected an address of http or https', 'url');
    else if (hasLogin(url)) complain(noLogin('headers'), 'url');
  }
  return wrong;
}

const isHttp = (address: string): boolean => /^https?:/i.test(address);

const hasAuthorization = (headers: Record<string, string> = {}): boolean =>
  Object.keys(headers).some(name => name.toLowerCase() === 'authorization');

/** True for `https://user:secret@host`, `user@` and `:secret@`. */
function hasLogin(address: string | null | undefined): boolean {
  if (!address || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username + password !== '';
}

const noLogin = (instead: string): string =>
  `expected an address without a login (user:password@): put credentials into ${instead}`;

/** Whether only programs of this machine can reach a server that listens on this address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
