/** Tests times that were due while the kernel was down. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { startPushService } from '../harness/push-service.ts';
import { clockAt, HOUR, MINUTE, scheduled } from '../harness/schedules.ts';
import { says, stuck } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const day = (time: string) => `2026-03-10T${time}.000Z`;

describe('[SCHED-2] through a restart', () => {
  test('[SCHED-2] records as missed or catches up due times', async () => {
    const upstream = await startUpstream();
    const directory = temporaryDirectory();
    onTestFinished(async () => {
      await upstream.close();
      directory.remove();
    });
    const clock = clockAt(day('12:00:00'));
    const options = { upstream, dataDir: directory.path, clock };
    const before = await startKernel(options);
    const post = async (more: object) =>
      (await before.api.post('/v1/schedules', { text: 'Hi.', timezone: 'UTC', ...more })).body.id;
    const none = await post({ cron: '0 * * * *' });
    const last = await post({ cron: '0 * * * *', catch_up: 'last' });
    await before.stop();
    clock.advance(2 * HOUR + 5 * MINUTE);
    upstream.next(says('Here.'));
    const { api, add, become } = await scheduled('', options);
    await become(none, [
      [day('13:00:00'), 'missed'],
      [day('14:00:00'), 'missed'],
    ]);
    const [, run] = await become(last, [
      [day('13:00:00'), 'missed'],
      [day('14:00:00'), 'completed'],
    ]);
    const { chat_id } = run!;
    await add({ cron: '0 9 * * *', chat_id });
    await api.delete(`/v1/chats/${chat_id}`);
    await become(last, [
      [day('13:00:00'), 'missed'],
      [day('14:00:00'), 'completed'],
    ]);
    const problems = (await api.get('/v1/schedules')).body.schedules.map(
      ({ problem }: { problem: string | null }) => problem,
    );
    expect(problems).toEqual([null, null, 'Its chat was deleted.']);
  });
});

test('[SCHED-2] [PUSH-2] marks a run as failed that a crash closed, and notifies the user', async () => {
  const upstream = await startUpstream();
  const directory = temporaryDirectory();
  const service = await startPushService();
  const browser = service.browser();
  const settings = { push: { allow_private: true } };
  const begin = () => startKernelProcess({ upstream, dataDir: directory.path, settings });
  let kernel = await begin();
  onTestFinished(async () => {
    await kernel.kill();
    await upstream.close();
    directory.remove();
  });
  await kernel.api.put('/v1/push/subscriptions', { ...browser.subscription });
  const made = await kernel.api.post('/v1/schedules', { text: 'Go.', cron: '0 0 29 2 *', title: 'Leap' });
  const url = `/v1/schedules/${made.body.id}`;
  upstream.next(stuck({ text: 'Half' }));
  const { body } = await kernel.api.post(`${url}/run`);
  const watching = await kernel.api.live(body.chat_id);
  await watching.until('text_delta');
  await kernel.kill();
  kernel = await begin();
  const { runs } = (await kernel.api.get(`${url}/runs`)).body;
  expect(runs).toMatchObject([{ ...body, status: 'failed', error: { code: 'kernel_restarted' } }]);
  await expect
    .poll(() => browser.words(), { timeout: 20_000 })
    .toMatchObject([
      {
        type: 'schedule_ended',
        chat_id: body.chat_id,
        title: 'Leap',
        text: expect.stringMatching(/^Failed: /),
      },
    ]);
});
