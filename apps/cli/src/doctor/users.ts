/** Says which users of this machine can reach the kernel, and which users it refused. */
import { userInfo } from 'node:os';
import type { Settings } from '@chat-kernel/protocol';
import { isLoopback } from '@chat-kernel/settings';
import { describeUser, findUserId, readRefusedUsers } from '@chat-kernel/settings/refused-users';
import { type Finding, ok, warning } from './finding.ts';

export async function* checkUsers({ server, data_dir }: Settings): AsyncGenerator<Finding> {
  const { host, behind_proxy, allowed_users } = server;
  if (!isLoopback(host)) {
    yield ok('users', 'all who can reach the port, which the proxy guards');
    return;
  }
  if (behind_proxy || process.platform !== 'linux') {
    yield warning(
      'users',
      'every user of this machine can use the kernel',
      behind_proxy
        ? 'on Linux, set server.behind_proxy: false, and name the user of the proxy in server.allowed_users'
        : 'give no one else an account on this machine',
    );
    return;
  }
  const names = [...new Set([userInfo().username, 'root', ...allowed_users])];
  yield ok('users', `only ${names.join(', ')} can connect (server.allowed_users)`);
  const allowed = await Promise.all(allowed_users.map(findUserId));
  for (const { uid, at } of readRefusedUsers(data_dir)) {
    if (allowed.includes(uid)) continue;
    yield warning(
      'users',
      `the kernel refused a connection of ${await describeUser(uid)} at ${at}`,
      'if this is your proxy or another program of yours, add its user to server.allowed_users',
    );
  }
}
