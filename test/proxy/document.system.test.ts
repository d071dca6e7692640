/**
 * Tests that every operation of the API document needs the token: requests without one, with a wrong one and with the
 * right one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi } from '../harness/document.ts';
import { exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { caddy, missing, nginx, type RunningProxy, TOKEN } from './proxies.ts';

/** An id that no object has, in a form that is valid for every placeholder. */
const NOBODY = '00000000-0000-4000-8000-000000000000';
/** The proxy requires the token, so the kernel never sees the request. */
const REFUSED = '401 by the proxy';

interface Operation {
  method: string;
  template: string;
  path: string;
  /** The document says that it needs no token. */
  open: boolean;
}

/** Without the limit of requests without a token, which these tests exceed; limits.test.ts tests it. */
const unlimited = (site: string) => site.replace('burst=100 ', 'burst=10000 ');

for (const kind of [nginx, caddy]) {
  const why = missing(kind.name);
  describe.skipIf(why)(`${kind.name}${why ? ` (${why})` : ''}`, () => {
    let kernel: TestKernel;
    let proxy: RunningProxy;
    let operations: Operation[];
    beforeAll(async () => {
      kernel = await startKernel();
      proxy = await kind.start(kernel.url, unlimited);
      operations = operationsOf((await kernel.api.document()).json);
    });
    afterAll(async () => {
      await proxy?.stop();
      await kernel?.stop();
    });

    /** Distinguishes the kernel from the proxy by a header that only the kernel sets. */
    const answered = async ({ method, path }: Operation, token?: string) => {
      const answer = await exchange(proxy.url + path, {
        method,
        ...(token !== undefined && { headers: { 'x-service-token': token } }),
      });
      if (answer.headers['content-type'] === 'text/event-stream') answer.destroy();
      else answer.resume();
      if (answer.statusCode === 401 && answer.headers['x-request-id'] === undefined) return REFUSED;
      return answer.headers['x-request-id'] ? 'by the kernel' : `${answer.statusCode} by nobody known`;
    };
    const askAll = (token?: string) =>
      Promise.all(operations.map(async each => [name(each), await answered(each, token)]));

    test('[AUTH-2] leaves exactly the documented routes open', () => {
      const open = operations.filter(each => each.open).map(name);
      expect(open.toSorted()).toEqual([
        'get /files/{id}',
        'get /healthz',
        'get /images/{id}',
        'get /v1/openapi.json',
      ]);
      expect(operations.length).toBeGreaterThan(60);
    });

    test.each([
      ['without a token', undefined],
      ['with a wrong token', 'wrong'],
      ['with a part of the token', TOKEN.slice(1)],
    ])('[AUTH-2] [AUTH-3] %s, rejects every operation except for the documented open ones', async (_, token) => {
      const expected = operations.map(each => [name(each), each.open ? 'by the kernel' : REFUSED]);
      expect(await askAll(token)).toEqual(expected);
    });

    test('[AUTH-2] [AUTH-3] with the token, passes every operation to the kernel', async () => {
      expect(await askAll(TOKEN)).toEqual(operations.map(each => [name(each), 'by the kernel']));
    });
  });
}

const name = ({ method, template }: Operation): string => `${method} ${template}`;

function operationsOf({ security, paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(get|put|post|patch|delete)$/.test(method))
      .map(([method, operation]) => ({
        method,
        template,
        path: template.replace(/\{[^}]+\}/g, NOBODY),
        open: !(operation.security ?? security ?? []).some(way => 'ServiceToken' in way),
      })),
  );
}
