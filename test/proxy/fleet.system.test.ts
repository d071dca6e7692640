/**
 * Tests the real nginx in front of real kernels on one Postgres, with the files of deploy/: a chat stays on its kernel,
 * and the others replace a dead kernel.
 */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from '../harness/client.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { PATIENT } from '../harness/patient.ts';
import { held, says, stuck, textOf } from '../harness/story.ts';
import { missing, nginxBefore, TOKEN } from './proxies.ts';

afterAll(stopPostgres);

const token = { 'x-service-token': TOKEN };
const why = missing('nginx');

async function open() {
  const fleet = await openFleet();
  const kernels: FleetKernel[] = [];
  for (const name of ['one', 'two', 'three']) {
    kernels.push(await fleet.start(name, { server: { public_url: 'https://chat.example.org' } }));
  }
  const proxy = await nginxBefore(kernels.map(({ url }) => url));
  onTestFinished(() => proxy.stop());
  return { fleet, kernels, proxy, api: new ApiClient(proxy.url) };
}

describe.skipIf(why)(`nginx in front of several kernels${why ? ` (${why})` : ''}`, () => {
  test(
    '[FLEET-1] [FLEET-3] [AUTH-3] sends each chat to one kernel, distributes all chats, and answers during a crash',
    PATIENT,
    async () => {
      const { fleet, kernels, api, proxy } = await open();
      expect((await fetch(`${proxy.url}/v1/chats`)).status).toBe(401);
      const used = new Set<string>();
      for (let n = 0; n < 24; n++) {
        const { body: chat } = await api.post('/v1/chats', {}, token);
        const ids = new Set<unknown>();
        for (let again = 0; again < 3; again++) {
          const { status, headers } = await api.get(`/v1/chats/${chat.id}`, token);
          expect(status).toBe(200);
          ids.add(headers['x-kernel']);
        }
        // The first kernel that gets a request for a chat keeps it as long as it responds.
        expect([...ids]).toHaveLength(1);
        for (const id of ids) used.add(String(id));
      }
      expect([...used].toSorted()).toEqual(kernels.map(({ id }) => id).toSorted());
      const { body: chat } = await api.post('/v1/chats', {}, token);
      fleet.upstream.next(stuck({ text: 'first half' }), says('second'));
      const stream = await api.turn(chat.id, { text: 'one' }, token);
      await stream.until('text_delta');
      const owner = kernels.find(({ id }) => id === stream.headers['x-kernel']) as FleetKernel;
      const asked = kernels.map(({ id }) => id);
      await owner.kill();
      for (let n = 0; n < 20; n++) {
        const { status, headers } = await api.get(`/v1/chats/${chat.id}/items`, token);
        expect(status).toBe(200);
        expect(asked).toContain(headers['x-kernel']);
      }
      const second = await api.turn(chat.id, { text: 'two' }, token);
      await second.closed();
      expect(textOf(second.events)).toBe('second');
      expect(second.headers['x-kernel']).not.toBe(owner.id);
      const { body } = await api.get(`/v1/chats/${chat.id}/items`, token);
      expect(body.items.map((item: { text?: string }) => item.text).filter(Boolean)).toEqual(
        expect.arrayContaining(['one', 'two', 'second']),
      );
    },
  );

  test('[FLEET-6] removes a draining kernel, and repeats its 503 at another one', PATIENT, async () => {
    const { fleet, kernels, api } = await open();
    const { body: chat } = await api.post('/v1/chats', {}, token);
    const last = held({ text: 'the last words' });
    fleet.upstream.next(last.reply);
    const stream = await api.turn(chat.id, { text: 'Go.' }, token);
    const owner = kernels.find(({ id }) => id === stream.headers['x-kernel']) as FleetKernel;
    const stopping = owner.stop();
    await expect.poll(async () => (await owner.api.get('/readyz')).status, PATIENT).toBe(503);
    // On any kernel: one responds with 503, and then another one gets the request.
    for (let n = 0; n < 12; n++) expect((await api.get(`/readyz?${n}`, token)).status).toBe(200);
    last.go();
    await stream.closed();
    expect(stream.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    expect(await stopping).toEqual({ code: 0, signal: null });
    fleet.upstream.next(says('elsewhere'));
    const next = await api.turn(chat.id, { text: 'More.' }, token);
    await next.closed();
    expect(textOf(next.events)).toBe('elsewhere');
  });
});
