/** Tests tokens of a signed-in guest when other kernels have the same database. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { GuestAuth } from '../src/auth/guest-auth.ts';

const URL = 'https://guest.example/mcp';

/** A store in memory with a grant of this token, and the sign-in that uses it. */
function signedIn(access_token: string) {
  const clock = new ManualClock();
  let text: string | null = null;
  const grantOf = (token: string) => {
    const tokens = { access_token: token, token_type: 'bearer' };
    const way = { authorization_server: URL, resource: null, redirect_uri: '', client: null };
    const grant = { tokens, way, obtained_at: clock.now(), renewing_until: 0 };
    text = JSON.stringify({ url: URL, way: null, pending: null, grant });
  };
  grantOf(access_token);
  const signIns = {
    get: async () => text,
    async swap(_: string, before: string | null, after: string | null) {
      if (text !== before) return false;
      text = after;
      return true;
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const auth = new GuestAuth('guest', { url: URL }, { signIns, clock, log, callback: () => '' });
  return { auth, grantOf };
}

test('[MCP-5] drops a rejected token, but not the token of a later sign-in', async () => {
  const { auth, grantOf } = signedIn('old');
  expect(await auth.token()).toBe('old');
  grantOf('new');
  await auth.refused();
  expect(await auth.token()).toBe('new');
  await auth.refused();
  expect(await auth.token()).toBeUndefined();
});
