/** Tests the delivery of notifications over TLS and by programs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../packages/features/src/push/senders/notifiers.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel } from '../harness/kernel.ts';
import { start, subscribed, unread, WAIT } from '../harness/notified.ts';
import { startKernelProcess } from '../harness/process.ts';
import { startPushService } from '../harness/push-service.ts';
import { held } from '../harness/story.ts';
import { makeCertificate } from '../proxy/certificate.ts';

describe('delivery of notifications', () => {
  test('[PUSH-1] sends over TLS, and logs neither keys nor text', async () => {
    const files = makeCertificate(directoryOfTest());
    const [cert, key] = [files.certificate, files.key].map(path => readFileSync(path));
    const service = await startPushService({ cert: cert as Buffer, key: key as Buffer });
    const dataDir = directoryOfTest();
    const kernel = await startKernelProcess({
      dataDir,
      settings: { push: { allow_private: true }, log: { level: 'debug' } },
      environment: { NODE_EXTRA_CA_CERTS: files.certificate },
    });
    onTestFinished(async () => {
      await kernel.stop();
    });
    const { api } = kernel;
    const phone = await subscribed(kernel, service);
    service.answers.push(201, 500);
    expect((await api.post(`/v1/push/subscriptions/${phone.id}/test`)).body.outcome).toBe('sent');
    expect((await api.post(`/v1/push/subscriptions/${phone.id}/test`)).body.outcome).toBe('failed');
    expect(phone.words()).toHaveLength(2);
    expect(service.received[0]?.body.toString('latin1')).not.toContain('kernel');
    const { private_key } = JSON.parse(readFileSync(join(dataDir, 'push-key.json'), 'utf8'));
    const secrets = [private_key, ...Object.values(phone.subscription.keys), 'word of the kernel'];
    const answers = JSON.stringify([
      (await api.get('/v1/push/log')).body,
      (await api.get('/v1/push/subscriptions')).body,
      (await api.get('/v1/config')).body,
    ]);
    for (const secret of secrets) {
      expect(kernel.log()).not.toContain(secret);
      expect(answers).not.toContain(secret);
    }
  });
});

describe('programs and addresses of the settings', () => {
  test('[PUSH-3] passes the notification to a program and to an address by POST, also in the format of ntfy', async () => {
    const directory = directoryOfTest();
    const file = join(directory, 'word.json');
    const service = await startPushService();
    const kernel = await start({
      settings: {
        push: {},
        notify: [
          { command: ['sh', '-c', 'cat > "$1"', 'sh', file] },
          { url: `${service.url}/json`, headers: { 'x-harness': 'mine' } },
          { url: `${service.url}/ntfy`, format: 'ntfy', on: ['turn_ended'] },
          { url: `${service.url}/other`, on: ['spend_cap'] },
        ],
        server: { public_url: 'https://chat.example.org' },
      },
    });
    const id = await unread(kernel, 'It is done.', 'Ärger');
    const word = {
      type: 'turn_ended',
      chat_id: id,
      title: 'Ärger',
      text: 'It is done.',
      url: `https://chat.example.org/chats/${id}`,
    };
    await expect.poll(() => service.received.length, WAIT).toBe(2);
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), WAIT).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(word);
    const at = (path: string) => service.received.find(pushed => pushed.path === path);
    expect(JSON.parse(String(at('/json')?.body))).toEqual(word);
    expect(at('/json')?.headers).toMatchObject({ 'x-harness': 'mine', 'content-type': 'application/json' });
    expect(String(at('/ntfy')?.body)).toBe('It is done.');
    expect(at('/ntfy')?.headers).toMatchObject({ title: '=?UTF-8?B?w4RyZ2Vy?=', click: word.url });
    const shown = JSON.stringify((await kernel.api.get('/v1/config')).body.notify);
    expect(shown).not.toContain('/ntfy');
    expect(shown).not.toContain('mine');
  });

  test('[PUSH-3] logs a program that fails or is missing, without the content', async () => {
    const kernel = await startKernelProcess({
      settings: {
        notify: [
          { command: ['sh', '-c', 'exit 3'] },
          { command: ['no-such-program'] },
          // No operating system accepts it.
          { command: ['a\u0000b'] },
        ],
      },
    });
    onTestFinished(async () => {
      await kernel.stop();
    });
    const { api, upstream } = kernel;
    const chat = await api.newChat({ title: 'Secret title' });
    const slow = held({ text: 'Secret words.' });
    upstream.next(slow.reply);
    (await api.turn(chat.id, { text: 'Go.' })).hangUp();
    await expect
      .poll(async () => String((await api.raw('/metrics', { method: 'GET' })).body))
      .toMatch(/^chat_kernel_streams_open 0$/m);
    slow.go();
    const details = async () =>
      (await api.get('/v1/push/log')).body.sent.map(({ detail }: { detail: string }) => detail).sort();
    await expect
      .poll(details, WAIT)
      .toEqual([
        'the program could not be started: ENOENT',
        'the program could not be started: ERR_INVALID_ARG_VALUE',
        'the program ended with code 3',
      ]);
    expect(kernel.log().match(/sending a notification failed/g)).toHaveLength(3);
    expect(kernel.log()).toContain('the program ended with code 3');
    expect(kernel.log()).not.toContain('Secret');
  });
});

test('[PUSH-3] ends a program that hangs, with its children', async () => {
  const run = { command: ['sh', '-c', 'sleep 60 & wait'], env: process.env as never, timeout_ms: 300 };
  expect(await runCommand({} as never, { ...run, signal: AbortSignal.any([]) })).toEqual({
    outcome: 'failed',
    detail: 'the program did not end within 0.3 s',
    passing: false,
  });
});

describe('allowed addresses', () => {
  test('[PUSH-4] checks the address again at each notification', async () => {
    const files = makeCertificate(directoryOfTest());
    const [cert, key] = [files.certificate, files.key].map(path => readFileSync(path));
    const secure = await startPushService({ cert: cert as Buffer, key: key as Buffer });
    const plain = await startPushService();
    const dataDir = directoryOfTest();
    const lax = await startKernel({ dataDir, settings: { push: { allow_private: true } } });
    const ids = [await subscribed(lax, secure), await subscribed(lax, plain)].map(({ id }) => id);
    await lax.stop();
    const { api } = await start({ dataDir, settings: { push: {} } });
    const outcomes = [];
    for (const id of ids) outcomes.push((await api.post(`/v1/push/subscriptions/${id}/test`)).body);
    expect(outcomes).toEqual([
      { outcome: 'failed', detail: expect.stringMatching(/^localhost leads to this machine/) },
      { outcome: 'failed', detail: 'the endpoint does not use https' },
    ]);
    expect([secure.received, plain.received]).toEqual([[], []]);
  });
});
