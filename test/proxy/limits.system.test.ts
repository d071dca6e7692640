/** Tests the limits of the shipped nginx: requests without the token get 429, and do not slow down those with it. */
import { expect, onTestFinished, test } from 'vitest';
import { kernelOf } from '../harness/shared-kernel.ts';
import { missing, nginx, TOKEN } from './proxies.ts';

/** More than the burst of requests without the token. */
const FAILED = 130;
/** The limit of all requests, lower than shipped: a test that has to exceed the shipped one would take too long. */
const lower = (site: string) =>
  site.replaceAll('burst=1000', 'burst=200').replaceAll(/rate=\d+r\/[ms]/g, 'rate=1r/m');

test.skipIf(missing('nginx'))(
  '[AUTH-3] nginx limits wrong tokens, and all requests of an address',
  async () => {
    const kernel = await kernelOf();
    const proxy = await nginx.start(kernel.url, lower);
    onTestFinished(() => proxy.stop());
    const ask = async (token: string, path = '/v1/chats') => {
      const answer = await fetch(`${proxy.url}${path}`, { headers: { 'x-service-token': token } });
      await answer.arrayBuffer();
      return answer;
    };
    const statuses = async (count: number, token: string, path?: string) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ask(token, path)));
      return [...new Set(answers.map(({ status }) => status))].toSorted();
    };
    expect(await statuses(FAILED, 'wrong')).toEqual([401, 429]);
    const refused = await ask('wrong');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The same address, with the token.
    expect(await statuses(40, TOKEN)).toEqual([200]);
    // Open without the token.
    expect(await statuses(130, '', '/healthz')).toEqual([200, 429]);
  },
);
