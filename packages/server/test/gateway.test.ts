/** Tests requests from one kernel to the others, and requests that no other kernel responds to. */
import { EventEmitter } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Fleet, Kernel } from '@chat-kernel/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { forwarding } from '../src/fleet/forward.ts';
import { Gateway } from '../src/fleet/gateway.ts';
import { NoAnswer } from '../src/fleet/hop.ts';
import type { Hops } from '../src/fleet/hops.ts';
import type { Metrics } from '../src/metrics/metrics.ts';
import { NO_TELEMETRY } from '../src/telemetry/telemetry.ts';

/** Another kernel that responds like this. */
async function kernelThat(id: string, answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    response.setHeader('x-kernel', id);
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { id, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('[FLEET-4] omits a kernel that answers with an error from a list', async () => {
  const problem = JSON.stringify({ code: 'shutting_down', detail: 'The kernel is shutting down.' });
  const others = [
    await kernelThat('well', response => response.end('{"modules":[]}')),
    await kernelThat('stopping', response => response.writeHead(503).end(problem)),
  ];
  const warned: unknown[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (facts: object) => void warned.push(facts) };
  const fleet = { id: 'here', secret: 's', now: Date.now, others: async () => others };
  const metrics = { countHop() {} } as unknown as Metrics;
  const gateway = Gateway.of({ membership: { fleet } } as unknown as Kernel, {
    log,
    metrics,
    telemetry: NO_TELEMETRY,
  });
  expect(await gateway!.askAll('/v1/modules')).toEqual([{ modules: [] }]);
  expect(warned).toMatchObject([{ kernel: 'stopping' }]);
});

test('[FLEET-1] removes its listeners after attempts to reach a kernel', async () => {
  let attempts = 0;
  const listening = new Set<unknown>();
  const fleet = {
    id: 'here',
    secret: 's',
    onDeath(callback: unknown) {
      listening.add(callback);
      return () => void listening.delete(callback);
    },
  };
  const hops = {
    async forward() {
      attempts++;
      throw new NoAnswer(false);
    },
  };
  const deps = {
    fleet: fleet as unknown as Fleet,
    hops: hops as unknown as Hops,
    isOfKernel: () => false,
    ownUrl: () => '',
  };
  // The chat moves here after three failed attempts on other kernels.
  const locate = async () => (attempts < 3 ? { id: 'there', url: 'http://127.0.0.1' } : null);
  const raw = new EventEmitter();
  const request = { raw: { headers: {} }, headers: {}, method: 'GET', url: '/' };
  const forward = forwarding(deps, locate);
  await forward(request as FastifyRequest, { raw } as unknown as FastifyReply, Readable.from([]));
  expect(attempts).toBe(3);
  expect(listening.size).toBe(0);
  expect(raw.listenerCount('close')).toBe(0);
});
