/** What a schema can't say: settings that are fine alone and wrong together, or not what they look like. */
import { isIPv4 } from 'node:net';
import type { Settings } from '@chat-kernel/protocol';
import type { Complaint } from './expectation.ts';

export function checkSettings({ server }: Settings): Complaint[] {
  const wrong: Complaint[] = [];
  if (!isLoopback(server.host) && !server.behind_proxy) {
    wrong.push({
      path: ['server', 'host'],
      sentence:
        'expected a loopback address such as 127.0.0.1: the kernel asks nobody who they are. ' +
        'With a proxy in front that does, set server.behind_proxy: true',
    });
  }
  server.cors_origins.forEach((origin, index) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return;
    wrong.push({
      path: ['server', 'cors_origins', index],
      sentence: 'expected an origin such as https://example.org, without a path',
    });
  });
  return wrong;
}

/** Only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
