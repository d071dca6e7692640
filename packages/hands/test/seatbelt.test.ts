/** Tests the profile for macOS as text, and its proxy: nothing here runs on macOS. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { INTERNET } from '@chat-kernel/net';
import { expect, onTestFinished, test } from 'vitest';
import { openEgressProxy } from '../src/shell/egress-proxy.ts';
import { NO_GUARD } from '../src/shell/guard-workdir.ts';
import { seatbeltProfile } from '../src/shell/seatbelt-sandbox.ts';

test('[CONSENT-9] the profile for macOS has the rules of the sandbox, the strictest last', () => {
  const profile = seatbeltProfile({
    writable: ['/Users/ann/code', '/private/tmp/x'],
    forbidden: [{ path: '/Users/ann/.config/chat-kernel' }],
    guard: {
      hidden: [
        { path: '/Users/ann/.ssh', kind: 'directory' },
        { path: '/Users/ann/code/app/.env', kind: 'file' },
      ],
      visible: ['/Users/ann/.ssh/known_hosts'],
      pinned: ['/Users/ann/code/.git'],
      readOnly: ['/Users/ann/code/.git/config', '/Users/ann/code/a "b"'],
      unwanted: ['/Users/ann/code/.git/commondir'],
    },
    proxyPort: 4567,
  });
  expect(profile.split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny appleevent-send lsopen job-creation)',
    '(deny signal process-info*)',
    '(allow signal process-info* (target same-sandbox))',
    '(deny file-write*)',
    '(allow file-write* (subpath "/Users/ann/code") (subpath "/private/tmp/x") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
    '(deny file-write* (subpath "/Users/ann/code/.git/config") (subpath "/Users/ann/code/a \\"b\\""))',
    '(deny file-write-unlink (literal "/Users/ann/code/.git") (literal "/Users/ann/code/app") (literal "/Users/ann/code"))',
    '(deny file-write* (literal "/Users/ann/code/.git/commondir"))',
    '(deny file-read* file-write* (subpath "/Users/ann/.config/chat-kernel") (subpath "/Users/ann/.ssh") (subpath "/Users/ann/code/app/.env"))',
    '(allow file-read* (subpath "/Users/ann/.ssh/known_hosts"))',
    '(deny network*)',
    '(allow network-outbound (remote ip "localhost:4567"))',
  ]);
});

test('[CONSENT-9] the profile for macOS has no rule without a path, and no network without a proxy', () => {
  const profile = seatbeltProfile({ writable: [], forbidden: [], guard: NO_GUARD, proxyPort: null });
  expect(profile).not.toMatch(/\((?:allow|deny) file-(?:read\*|write-unlink)|network-outbound/);
  expect(profile).toContain('(deny network*)');
});

test('[CONSENT-9] the proxy for macOS refuses this machine on its port', async () => {
  const proxy = await openEgressProxy('on', INTERNET);
  onTestFinished(() => proxy.close());
  const socket = connect(await proxy.listen(), '127.0.0.1');
  socket.write('GET http://127.0.0.1:1/ HTTP/1.1\r\nhost: 127.0.0.1:1\r\n\r\n');
  const [data] = await once(socket, 'data');
  expect(String(data)).toMatch(/^HTTP\/1\.1 403 /);
  socket.destroy();
  expect([...proxy.failures]).toEqual([expect.stringContaining('127.0.0.1 is this machine')]);
});
