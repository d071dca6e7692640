/** Tests notifications to the user: who gets them, when, their content, and their delivery. */
import { createECDH, randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ece from 'http_ece';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { start, subscribed, unread, WAIT } from '../harness/notified.ts';
import { claimsOf, startPushService } from '../harness/push-service.ts';
import { calls, held, says, stuck } from '../harness/story.ts';

const QUESTION = (question: string) => ({ question, options: [{ label: 'Yes' }, { label: 'No' }] });
const QUESTIONS = [QUESTION('Paint it red?'), QUESTION('And the door?')];

/** A turn that waits for an answer. */
async function asking({ api, upstream }: TestKernel, title: string | null = 'House') {
  const chat = await api.newChat(title === null ? {} : { title });
  upstream.next(calls('q', 'ask_questions', { questions: QUESTIONS }), says('It is red.'));
  const stream = await api.turn(chat.id, { text: 'Paint.', questions: true });
  await stream.until('tool_call');
  await expect.poll(async () => (await api.get('/v1/requests')).body.requests).toHaveLength(QUESTIONS.length);
  return { chat, stream };
}

describe('subscriptions', () => {
  test('[PUSH-1] subscribes a browser once per endpoint, and never returns its keys', async () => {
    const kernel = await start();
    const { api } = kernel;
    const service = await startPushService();
    const browser = service.browser();
    const first = await api.put('/v1/push/subscriptions', { ...browser.subscription, name: 'Phone' });
    const row = {
      id: expect.any(String),
      endpoint: browser.subscription.endpoint,
      name: 'Phone',
      on: null,
      created_at: expect.any(String),
    };
    expect(first).toMatchObject({ status: 200, body: row });
    const keys = { ...service.browser().subscription.keys };
    const again = await api.put('/v1/push/subscriptions', {
      endpoint: browser.subscription.endpoint,
      keys,
      on: ['turn_ended', 'turn_ended'],
    });
    const replaced = { ...first.body, name: null, on: ['turn_ended'] };
    expect(again.body).toEqual(replaced);
    const second = await subscribed(kernel, service, { name: 'ä\u0000 "x"' });
    const list = await api.get('/v1/push/subscriptions');
    expect(list.body.subscriptions).toEqual([replaced, expect.objectContaining({ name: 'ä\u0000 "x"' })]);
    for (const secret of [browser.subscription.keys, keys].flatMap(Object.values))
      expect(JSON.stringify([list.body, (await api.get('/v1/config')).body])).not.toContain(secret);
    expect((await api.delete(`/v1/push/subscriptions/${second.id}`)).body).toEqual({
      deleted: true,
      id: second.id,
    });
    expect((await api.delete(`/v1/push/subscriptions/${second.id}`)).body.code).toBe('not_found');
    expect((await api.post(`/v1/push/subscriptions/${second.id}/test`)).body.code).toBe('not_found');
    expect((await api.get('/v1/push/subscriptions')).body.subscriptions).toEqual([replaced]);
  });

  test('[PUSH-1] decrypts the example of RFC 8291 with the decoder of these tests', () => {
    const privateKey = createECDH('prime256v1');
    privateKey.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
    const body = Buffer.from(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y' +
        'l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
      'base64url',
    );
    const text = ece.decrypt(body, {
      version: 'aes128gcm',
      privateKey,
      authSecret: 'BTBZMqHH6r4Tts7J_aSIgg',
    });
    expect(text.toString()).toBe('When I grow up, I want to be a watermelon');
  });

  test('[PUSH-1] creates the key once in a file that only its owner can read', async () => {
    const dataDir = directoryOfTest();
    const path = join(dataDir, 'push-key.json');
    const service = await startPushService();
    const first = await startKernel({ dataDir, settings: { push: { allow_private: true } } });
    expect(existsSync(path)).toBe(false);
    const { public_key } = (await first.api.get('/v1/push')).body;
    expect(Buffer.from(public_key, 'base64url')).toHaveLength(65);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const browser = await subscribed(first, service, { name: 'Phone' });
    await first.stop();

    const second = await start({ dataDir });
    expect((await second.api.get('/v1/push')).body).toEqual({ public_key });
    expect((await second.api.post(`/v1/push/subscriptions/${browser.id}/test`)).body).toEqual({
      outcome: 'sent',
      detail: null,
    });
    expect(browser.words()).toEqual([
      {
        type: 'test',
        chat_id: null,
        title: 'Chat Kernel',
        text: 'Test notification. Notifications from Chat Kernel arrive here.',
        url: '/',
      },
    ]);
    const [pushed] = service.received;
    expect(pushed?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
    expect(claimsOf(pushed as never, public_key)).toMatchObject({
      aud: service.url,
      sub: 'mailto:nobody@chat-kernel.invalid',
    });
  });

  test('[PUSH-1] rejects an invalid subscription with a pointer to the field', async () => {
    const { api } = await start();
    const { subscription } = (await startPushService()).browser();
    const refused = async (body: object) => {
      const answer = await api.put('/v1/push/subscriptions', body);
      expect([400, 422]).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toContain(subscription.keys.auth);
      return answer.body.errors[0].pointer;
    };
    const { endpoint, keys } = subscription;
    expect(await refused({ keys })).toBe('/endpoint');
    expect(await refused({ keys, endpoint: 'nowhere' })).toBe('/endpoint');
    expect(await refused({ keys, endpoint: 'ftp://a.example/' })).toBe('/endpoint');
    expect(await refused({ keys, endpoint: 'https://u:p@a.example/' })).toBe('/endpoint');
    expect(await refused({ endpoint, keys: { ...keys, auth: 'short' } })).toBe('/keys/auth');
    // Of the right length, but not a point of the curve.
    const p256dh = Buffer.alloc(65, 4).toString('base64url');
    expect(await refused({ endpoint, keys: { ...keys, p256dh } })).toBe('/keys/p256dh');
    expect(await refused({ ...subscription, on: ['rain'] })).toBe('/on/0');
    expect(await refused({ ...subscription, on: [] })).toBe('/on');
    expect((await api.get('/v1/push/subscriptions')).body.subscriptions).toEqual([]);
  });
});

describe('events that send a notification', () => {
  test('[PUSH-2] sends one notification for questions open for three seconds, and none for those answered sooner', async () => {
    const clock = new ManualClock();
    const settings = { push: { allow_private: true }, server: { public_url: 'https://chat.example.org/k/' } };
    const kernel = await start({ clock, settings });
    const { api } = kernel;
    const service = await startPushService();
    const phone = await subscribed(kernel, service);
    const other = await subscribed(kernel, service, { on: ['turn_ended', 'spend_cap'] });
    const quick = await asking(kernel);
    clock.advance(2999);
    for (const question of [0, 1])
      await api.post(`/v1/chats/${quick.chat.id}/ops/result`, { id: 'q', question, answer: 'Yes' });
    await quick.stream.all();
    const { chat, stream } = await asking(kernel);
    clock.advance(2999);
    expect((await api.get('/v1/push/log')).body.sent).toEqual([]);
    clock.advance(1);
    await expect.poll(() => phone.words(), WAIT).toHaveLength(1);
    expect(phone.words()).toEqual([
      {
        type: 'request_opened',
        chat_id: chat.id,
        title: 'House',
        text: 'Paint it red?',
        url: `https://chat.example.org/k/chats/${chat.id}?request=q`,
        request_id: 'q',
      },
    ]);
    expect(service.received[0]?.headers.urgency).toBe('high');
    for (const question of [0, 1])
      await api.post(`/v1/chats/${chat.id}/ops/result`, { id: 'q', question, answer: 'Yes' });
    await stream.all();
    expect((await api.get('/v1/push/log')).body.sent).toHaveLength(1);
    expect(other.words()).toEqual([]);
  });

  test('[PUSH-2] sends a notification for an operation that needs a decision, and none for one that runs directly', async () => {
    const clock = new ManualClock();
    const kernel = await start({ clock });
    const { api, upstream } = kernel;
    const phone = await subscribed(kernel, await startPushService(), { on: ['request_opened'] });
    const chat = await api.newChat({ title: 'Work', workdir: '/w', workdir_on: 'client' });
    upstream.next(calls('c', 'shell', { commands: ['make all'] }), says('Made.'));
    const stream = await api.turn(chat.id, { text: 'Make.', client_ops: true });
    const op = await stream.until(event => event.type === 'client_op' && event.action === 'shell');
    clock.advance(3000);
    await expect
      .poll(() => phone.words(), WAIT)
      .toMatchObject([
        {
          chat_id: chat.id,
          text: expect.stringMatching(/^shell: make all/),
          url: `/chats/${chat.id}?request=${(op as { id: string }).id}`,
          request_id: (op as { id: string }).id,
          // An operation of another client can only be allowed on its machine.
          decisions: ['deny'],
        },
      ]);
    // From this point it is allowed.
    await api.post(`/v1/chats/${chat.id}/ops/result`, {
      id: (op as { id: string }).id,
      decision: 'allow_always',
      result: 'ok',
    });
    await stream.all();
    upstream.next(calls('d', 'shell', { commands: ['make all'] }), says('Made.'));
    const second = await api.turn(chat.id, { text: 'Make.', client_ops: true });
    const silent = await second.until(event => event.type === 'client_op' && event.action === 'shell');
    expect(silent).not.toHaveProperty('decisions');
    clock.advance(3000);
    await api.post(`/v1/chats/${chat.id}/ops/result`, { id: (silent as { id: string }).id, result: 'ok' });
    await second.all();
    expect(phone.words()).toHaveLength(1);
  });

  test('[PUSH-2] offers Allow in a notification only if it shows everything that would run', async () => {
    const clock = new ManualClock();
    const kernel = await start({ clock });
    const { api, upstream } = kernel;
    const phone = await subscribed(kernel, await startPushService(), { on: ['request_opened'] });
    const workdir = realpathSync(directoryOfTest());
    const chat = await api.newChat({ title: 'Work', workdir, workdir_on: 'server', consent: 'ask' });
    const told = async (tool: string, input: object) => {
      upstream.next(calls(randomUUID(), tool, input as never), says('So be it.'));
      const before = phone.words().length;
      const stream = await api.turn(chat.id, { text: 'Go.', client_ops: true });
      const { id } = (await stream.until('consent_request')) as { id: string };
      clock.advance(3000);
      await expect.poll(() => phone.words(), WAIT).toHaveLength(before + 1);
      await api.post(`/v1/chats/${chat.id}/ops/result`, { id, decision: 'deny' });
      await stream.all();
      const word = phone.words().at(-1);
      expect(word).toMatchObject({ request_id: id, url: `/chats/${chat.id}?request=${id}` });
      return word;
    };
    const shell = (command: string) => told('shell', { commands: [command] });
    expect(await shell('touch once')).toMatchObject({
      text: 'shell: touch once',
      workdir,
      decisions: ['allow', 'deny'],
      reason: 'This chat asks before a command runs on this computer.',
    });
    expect(await shell(`echo ${'a'.repeat(188)}`)).toMatchObject({ decisions: ['allow', 'deny'] });
    const most = `echo ${'a'.repeat(300)}`;
    for (const command of [
      most,
      `a${' '.repeat(300)};b`,
      'echo a\nb',
      'a  b',
      'a\u200b',
      'a\u202eb',
      'a\u0007',
    ])
      expect(await shell(command), command).toMatchObject({ workdir, decisions: ['deny'] });
    // The notification does not contain the content of the file.
    expect(await told('write_file', { path: 'a.txt', content: 'b' })).toMatchObject({
      text: `write: ${join(workdir, 'a.txt')}`,
      decisions: ['deny'],
    });
  });

  test('[PUSH-2] sends a question at a cap as spend_cap', async () => {
    const clock = new ManualClock();
    const kernel = await start({
      clock,
      settings: { push: { allow_private: true }, spend: { per_turn: { tokens: 1 } } },
    });
    const { api, upstream } = kernel;
    const phone = await subscribed(kernel, await startPushService());
    const chat = await api.newChat({ title: 'Money' });
    upstream.next(calls('p', 'plan', { tasks: [] }), says('Done.'));
    const stream = await api.turn(chat.id, { text: 'Go.', questions: true });
    const call = await stream.until(event => event.type === 'tool_call' && event.name === 'ask_questions');
    await expect.poll(async () => (await api.get('/v1/requests')).body.requests).toHaveLength(1);
    clock.advance(3000);
    await expect
      .poll(() => phone.words(), WAIT)
      .toEqual([
        {
          type: 'spend_cap',
          chat_id: chat.id,
          title: 'Money',
          text: expect.stringMatching(/^All of this turn's 1 tokens is spent/),
          url: `/chats/${chat.id}?request=${(call as { id: string }).id}`,
          request_id: (call as { id: string }).id,
        },
      ]);
    await api.post(`/v1/chats/${chat.id}/ops/result`, { id: (call as { id: string }).id, answer: 'Stop' });
    await stream.all();
  });

  test('[PUSH-2] sends up to 200 characters of a turn that no client read, and nothing for a short turn that was read', async () => {
    const kernel = await start();
    const { api, upstream } = kernel;
    const phone = await subscribed(kernel, await startPushService());
    upstream.next(says('Hello.'));
    await api.say((await api.newChat()).id, 'Hi.');
    const long = `First line.\n\n${'word '.repeat(100)}`;
    const id = await unread(kernel, long);
    await expect.poll(() => phone.words(), WAIT).toHaveLength(1);
    const [word] = phone.words();
    expect(word).toEqual({
      type: 'turn_ended',
      chat_id: id,
      title: 'Quiet',
      text: expect.stringMatching(/^First line\. word word .*…$/),
      url: `/chats/${id}`,
    });
    expect(word?.text.length).toBeLessThanOrEqual(200);
    // A client that cancels a turn already knows of its end.
    upstream.next(stuck({ text: 'Half' }));
    const chat = await api.newChat();
    const stream = await api.turn(chat.id, { text: 'Hi.' });
    await stream.until('text_delta');
    stream.hangUp();
    await api.post(`/v1/chats/${chat.id}/cancel`);
    upstream.next({ error: 'unauthorized' });
    const events = await api.events();
    const failing = await api.newChat({ title: 'Broken' });
    const failed = await api.turn(failing.id, { text: 'Hi.' });
    await failed.all();
    events.hangUp();
    expect(phone.words()).toHaveLength(1);
  });

  test('[PUSH-2] sends a notification for a turn of 20 seconds that was read, and for a failure with its message', async () => {
    const clock = new ManualClock();
    const kernel = await start({ clock });
    const { api, upstream } = kernel;
    const phone = await subscribed(kernel, await startPushService());
    const chat = await api.newChat({ title: 'Slow' });
    const slow = held({ text: 'At last.' });
    upstream.next(slow.reply);
    const stream = await api.turn(chat.id, { text: 'Go.' });
    await expect.poll(() => upstream.requests.length).toBe(1);
    clock.advance(20_000);
    slow.go();
    await stream.all();
    await expect.poll(() => phone.words(), WAIT).toMatchObject([{ type: 'turn_ended', text: 'At last.' }]);
    // This turn waits behind the other one and has no reader.
    const first = held({ text: 'Well.' });
    upstream.next(first.reply, { error: 'unauthorized' });
    const one = await api.turn(chat.id, { text: 'One.' });
    const two = await api.turn(chat.id, { text: 'Two.' });
    await two.until('queued');
    two.hangUp();
    await expect
      .poll(async () => String((await api.raw('/metrics', { method: 'GET' })).body))
      .toMatch(/^chat_kernel_streams_open 1$/m);
    first.go();
    await one.all();
    await expect.poll(() => phone.words(), WAIT).toHaveLength(2);
    expect(phone.words()[1]).toMatchObject({ type: 'turn_ended', text: expect.stringMatching(/^Failed: /) });
  });
});

describe('delivery of notifications', () => {
  test('[PUSH-2] removes an expired subscription', async () => {
    const kernel = await start();
    const { api } = kernel;
    const service = await startPushService();
    for (const status of [404, 410]) {
      const { id } = await subscribed(kernel, service);
      service.answers.push(status);
      expect((await api.post(`/v1/push/subscriptions/${id}/test`)).body).toEqual({
        outcome: 'gone',
        detail: `the push service returned ${status}`,
      });
      expect((await api.get('/v1/push/subscriptions')).body.subscriptions).toEqual([]);
    }
  });

  test('[PUSH-2] retries other failures after 1, 5 and 30 seconds, and counts and logs them', async () => {
    const clock = new ManualClock();
    const kernel = await start({ clock });
    const { api } = kernel;
    const service = await startPushService();
    const phone = await subscribed(kernel, service, { name: 'Phone' });
    service.answers.push(500, 429, 503, 302);
    await unread(kernel, 'Done.');
    const settled = (count: number) =>
      expect
        .poll(async () => (await api.get('/v1/push/log')).body.sent, WAIT)
        .toMatchObject([{ attempts: count, again: count < 4 }]);
    for (const [index, pause] of [1000, 5000, 30_000].entries()) {
      await expect.poll(() => service.received.length, WAIT).toBe(index + 1);
      await settled(index + 1);
      clock.advance(pause - 1);
      expect(service.received).toHaveLength(index + 1);
      clock.advance(1);
    }
    await settled(4);
    expect(phone.words().map(({ text }) => text)).toEqual(Array(4).fill('Done.'));
    expect((await api.get('/v1/push/log')).body.sent).toEqual([
      {
        at: expect.any(String),
        type: 'turn_ended',
        chat_id: expect.any(String),
        to: 'subscription',
        name: 'Phone',
        outcome: 'failed',
        detail: 'the push service returned 302',
        attempts: 4,
        again: false,
      },
    ]);
    await api.post(`/v1/push/subscriptions/${phone.id}/test`);
    const metrics = String((await api.raw('/metrics', { method: 'GET' })).body);
    expect(metrics).toMatch(/^chat_kernel_push_total\{to="subscription",outcome="failed"\} 4$/m);
    expect(metrics).toMatch(/^chat_kernel_push_total\{to="subscription",outcome="sent"\} 1$/m);
  });

  test('[PUSH-2] does not retry a request that was answered after a failure', async () => {
    const clock = new ManualClock();
    const kernel = await start({ clock });
    const { api } = kernel;
    const service = await startPushService();
    const phone = await subscribed(kernel, service, { on: ['request_opened'] });
    const log = async () => (await api.get('/v1/push/log')).body.sent;
    service.answers.push(500);
    const { chat, stream } = await asking(kernel);
    clock.advance(3000);
    await expect.poll(log, WAIT).toMatchObject([{ type: 'request_opened', attempts: 1, again: true }]);
    for (const question of [0, 1])
      await api.post(`/v1/chats/${chat.id}/ops/result`, { id: 'q', question, answer: 'Yes' });
    await stream.all();
    clock.advance(1000);
    expect(await log()).toMatchObject([{ attempts: 1, again: false }]);
    // Notifications arrive in the order in which they are sent.
    await api.post(`/v1/push/subscriptions/${phone.id}/test`);
    expect(phone.words().map(({ type }) => type)).toEqual(['request_opened', 'test']);
  });
});

describe('programs and addresses of the settings', () => {
  test('[PUSH-3] requires either a program or an address in an entry', async () => {
    const refused = (entry: object) =>
      expect(startKernel({ settings: { notify: [entry] } })).rejects.toThrow(/^notify\.0/);
    await refused({});
    await refused({ command: ['a'], url: 'https://a.example/' });
    await refused({ command: ['a'], format: 'ntfy' });
    await refused({ command: [''] });
    await refused({ url: 'https://u:p@a.example/' });
  });
});

describe('allowed addresses', () => {
  test.each([
    ['http://93.184.215.14/x', /https/],
    ['https://127.0.0.1/x', /private network/],
    ['https://127.1/x', /private network/],
    ['https://0x7f000001/x', /private network/],
    ['https://10.1.2.3/x', /private network/],
    ['https://169.254.169.254/x', /private network/],
    ['https://[::1]/x', /private network/],
    ['https://[::ffff:10.0.0.1]/x', /private network/],
    ['https://[fd00::1]/x', /private network/],
    ['https://localhost/x', /private network/],
  ])('[PUSH-4] rejects %s', async (endpoint, why) => {
    const { api } = await start({ settings: { push: {} } });
    const { subscription } = (await startPushService()).browser();
    const { status, body } = await api.put('/v1/push/subscriptions', { ...subscription, endpoint });
    expect({ status, code: body.code, pointer: body.errors[0].pointer }).toEqual({
      status: 400,
      code: 'invalid_value',
      pointer: '/endpoint',
    });
    expect(body.detail).toMatch(why);
  });
});
