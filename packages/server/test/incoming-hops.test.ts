/** Tests which requests a kernel accepts from other kernels, and at the address that only they use (FLEET-1). */
import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Fleet, type Kernel, type Log, newKernelId } from '@chat-kernel/kernel';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Gateway } from '../src/fleet/gateway.ts';
import { MOVED_HEADER } from '../src/fleet/hops.ts';
import { HOP_HEADER, type Signer, signed } from '../src/fleet/signature.ts';
import type { Metrics } from '../src/metrics/metrics.ts';
import { NO_TELEMETRY } from '../src/telemetry/telemetry.ts';
import { startTestApp } from './test-app.ts';

const INNER = '10.9.8.7';
const URL_ = '/v1/notes';
const secret = 'shared';
const ME = newKernelId();
const BODY = '{"text":"Hi."}';
/** macOS has only 127.0.0.1, from which no request of another machine can seem to come. */
const isMac = process.platform === 'darwin';

/** Ids of the kernels in the database. */
let registered: Set<string>;
/** The number of times that the database was asked. */
let lookups: number;
beforeEach(() => {
  registered = new Set();
  lookups = 0;
});

function register(id: string, clock = Date.now): Signer {
  registered.add(id);
  return { id, secret, now: clock };
}

async function open(server: Record<string, unknown> = {}) {
  const fleet = {
    id: ME,
    secret,
    now: Date.now,
    isRegistered: async (id: string) => {
      lookups++;
      return registered.has(id);
    },
  } as unknown as Fleet;
  const connect = (log: Log) =>
    Gateway.of({ membership: { fleet } } as unknown as Kernel, {
      log,
      metrics: {} as Metrics,
      telemetry: NO_TELEMETRY,
    });
  const { app, url, lines } = await startTestApp(
    { host: INNER, behind_proxy: true, advertise_url: `http://${INNER}:8787`, ...server },
    connect,
  );
  onTestFinished(() => app.close());
  const { port } = new URL(url);
  /** Sends a request from another machine, as its address shows. */
  const send = (headers: Record<string, string>, body?: string | Buffer, more: object = {}) =>
    new Promise<{ status?: number; detail?: string; moved: boolean }>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: URL_,
        method: body === undefined ? 'GET' : 'POST',
        localAddress: '127.0.0.2',
        agent: false,
        headers: {
          host: INNER,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...more,
      };
      const sent = request(options, async response => {
        const answer = JSON.parse((await text(response)) || '{}');
        const moved = response.headers[MOVED_HEADER] === 'true';
        resolve({ status: response.statusCode as number, detail: answer.detail, moved });
      });
      sent.on('error', reject).end(body);
    });
  return { send, warnings: () => lines.filter(({ level }) => level === 'warn').map(each => each.sentence) };
}

async function sign(from: Signer, body: string | Buffer | undefined = BODY, method = 'POST', url = URL_) {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return { [HOP_HEADER]: await signed(from, ME, { method, url, body: bytes }) };
}
const signGet = async (from: Signer) => ({
  [HOP_HEADER]: await signed(from, ME, { method: 'GET', url: URL_, body: undefined }),
});
/** The header of a kernel that signs only method and address. */
const signOld = async (from: string, to = ME, method = 'POST', url = URL_) => {
  const mac = createHmac('sha256', secret).update([from, to, method, url].join('\n')).digest('base64url');
  return { [HOP_HEADER]: `${from}.${to}.${mac}` };
};

describe.skipIf(isMac)('[FLEET-1] a signed request', () => {
  it('is accepted with and without a body', async () => {
    const { send } = await open();
    const one = register(newKernelId());
    expect(await send(await sign(one), BODY)).toMatchObject({ status: 201 });
    expect(await send(await signGet(one))).toMatchObject({ status: 200 });
    expect(lookups).toBe(0);
  });

  it('is refused if it arrives again, so that its kernel sends another one', async () => {
    const { send, warnings } = await open();
    const one = register(newKernelId());
    const headers = await sign(one);
    expect(await send(headers, BODY)).toMatchObject({ status: 201 });
    for (const _ of [1, 2]) expect(await send(headers, BODY)).toMatchObject({ status: 503, moved: true });
    expect(warnings()).toEqual(['A request from another kernel was received twice. It was refused.']);
    expect(await send(await sign(one), BODY)).toMatchObject({ status: 201 });
  });

  it('is refused with another body, without its body, and with an additional one', async () => {
    const { send } = await open();
    const one = register(newKernelId());
    const refused = { status: 503, detail: 'The body is not the one that the other kernel sent.' };
    expect(await send(await sign(one), '{"text":"Ho."}')).toMatchObject(refused);
    expect(await send(await sign(one), '')).toMatchObject(refused);
    expect(
      await send({ ...(await signGet(one)), 'content-length': String(BODY.length) }, BODY, { method: 'GET' }),
    ).toMatchObject(refused);
  });

  it('is refused for another method, address, kernel, secret, time or number', async () => {
    const { send } = await open();
    const one = register(newKernelId());
    const foreign = { status: 503, detail: 'The request is for another kernel.', moved: false };
    const other = {
      [HOP_HEADER]: await signed(one, newKernelId(), { method: 'POST', url: URL_, body: undefined }),
    };
    const fields = (await sign(one))[HOP_HEADER]!.split('.');
    const changed = [2, 3].map(n =>
      fields.map((field, at) => (at === n ? String(Number(field) + 1) : field)),
    );
    for (const headers of [
      await sign(one, BODY, 'PUT'),
      await sign(one, BODY, 'POST', `${URL_}?a=b`),
      await sign({ ...one, secret: 'other' }),
      other,
      ...[...changed, ['x'], ['x', 'y'], [...fields, 'more']].map(each => ({ [HOP_HEADER]: each.join('.') })),
    ])
      expect(await send(headers, BODY)).toMatchObject(foreign);
  });

  it('is refused if its time differs by more than a minute, and the log says by how much', async () => {
    const { send, warnings } = await open();
    const late = register(newKernelId(), () => Date.now() - 75_000);
    expect(await send(await sign(late), BODY)).toEqual({
      status: 503,
      detail: expect.stringMatching(
        /^The time of a request from another kernel is (7[5-9]|[89]\d|1\d\d) s old; at most 60 s are allowed\.$/,
      ),
      moved: true,
    });
    const early = register(newKernelId(), () => Date.now() + 3_600_000);
    expect((await send(await sign(early), BODY)).detail).toMatch(/is 3\d{3} s ahead/);
    expect(warnings()).toHaveLength(2);
    for (const off of [-30_000, 30_000]) {
      const near = register(newKernelId(), () => Date.now() + off);
      expect(await send(await sign(near), BODY)).toMatchObject({ status: 201 });
    }
  });

  it('may be overtaken by later ones', async () => {
    const { send } = await open();
    const one = register(newKernelId());
    const headers = await Promise.all(Array.from({ length: 20 }, () => sign(one)));
    for (const each of headers.toReversed()) expect(await send(each, BODY)).toMatchObject({ status: 201 });
    for (const each of headers) expect(await send(each, BODY)).toMatchObject({ status: 503 });
  });
});

describe.skipIf(isMac)(
  '[FLEET-1] a kernel of an earlier version, which signs only method and address',
  () => {
    it('is accepted while it is registered', async () => {
      const { send } = await open();
      const older = register(randomUUID()).id;
      expect(await send(await signOld(older), BODY)).toMatchObject({ status: 201 });
      registered.delete(older);
      expect(await send(await signOld(older), BODY)).toMatchObject({ status: 503 });
    });

    it('is refused for another address or kernel, and with a wrong signature', async () => {
      const { send } = await open();
      const older = register(randomUUID()).id;
      const wrong = { [HOP_HEADER]: `${older}.${ME}.${'x'.repeat(43)}` };
      for (const headers of [await signOld(older, newKernelId()), await signOld(older, ME, 'GET'), wrong])
        expect(await send(headers, BODY)).toMatchObject({ status: 503 });
      expect(lookups).toBe(0);
    });

    it('gets requests in its format; a newer one never does, and may not use it', async () => {
      const { send, warnings } = await open();
      const one = register(newKernelId());
      const older = randomUUID();
      const asked = { method: 'POST', url: URL_, body: Buffer.from(BODY) };
      expect(await signed(one, older, asked)).toBe((await signOld(one.id, older))[HOP_HEADER]);
      expect((await signed(one, newKernelId(), asked)).split('.')).toHaveLength(6);
      expect(await send(await signOld(one.id), BODY)).toMatchObject({ status: 503 });
      expect(warnings()).toEqual([
        'A request from another kernel has a signature of an earlier version. It was refused.',
      ]);
    });
  },
);

describe.skipIf(isMac)('[FLEET-1] the inner address', () => {
  it('refuses unsigned requests of other machines, except for health checks', async () => {
    const { send } = await open({ public_url: 'https://chat.example' });
    const inner = { status: 403, detail: expect.stringContaining('server.advertise_url') };
    expect(await send({})).toMatchObject(inner);
    expect(await send({ host: `${INNER}:8787` }, BODY)).toMatchObject(inner);
    expect((await send({}, undefined, { path: '/healthz' })).status).toBe(200);
    // A proxy keeps the name that its client used, and programs of this machine use the address of the settings.
    expect(await send({ host: 'chat.example' })).toMatchObject({ status: 200 });
    expect(await send({}, undefined, { localAddress: '127.0.0.1' })).toMatchObject({ status: 200 });
  });

  it('accepts them if the settings name it, and if it is not advertised', async () => {
    for (const server of [{ allowed_hosts: [INNER] }, { advertise_url: 'http://10.1.1.1:1' }]) {
      const { send } = await open(server);
      expect(await send({})).toMatchObject({ status: 200 });
    }
  });
});

it.skipIf(isMac)('hashes large bodies in steps', async () => {
  const { send } = await open();
  const one = register(newKernelId());
  const body = Buffer.from(BODY + ' '.repeat(8 * 1024 * 1024));
  let ticks = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; ticks++) await nextTick();
  };
  const counting = count();
  const headers = await sign(one, body);
  isOver = true;
  await counting;
  expect(ticks).toBeGreaterThan(6);
  expect(await send(headers, body)).toMatchObject({ status: 201 });
});
