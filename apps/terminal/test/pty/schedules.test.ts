/** Schedules by keyboard: made, looked at, run, switched off, deleted. */
import { expect, it } from 'vitest';
import { says } from '../../../../test/harness/story.ts';
import { idle, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const here = sessions();
const all = async () => (await here.kernel.api.get('/v1/schedules')).body.schedules;

it('[SCHED-1] schedules a message, runs it by hand, switches it off and deletes it', async () => {
  const terminal = await here.open();
  await terminal.say('/schedule tomorrow perhaps');
  await terminal.sees(/\/schedule takes 30m, a moment or a cron line/);
  await terminal.say('/schedule 0 9 29 FEB * Leap, please.');
  await terminal.sees(/Scheduled, first \d{4}-02-29 09:00; in new chats\./);
  expect(await all()).toMatchObject([{ cron: '0 9 29 FEB *', text: 'Leap, please.', chat_id: null }]);

  const choose = async (what: string) => {
    await terminal.say('/schedules');
    await terminal.sees(/Leap, please\. +0 9 29 FEB \*/);
    terminal.write(KEY.enter);
    await terminal.sees('run now');
    terminal.write(what);
    await terminal.sees(`search: ${what}`);
    terminal.write(KEY.enter);
  };
  here.kernel.upstream.next(says('I leap.'));
  await choose('run now');
  await terminal.sees(lines => lines.includes('I leap.') && idle(lines));
  await choose('switch off');
  await terminal.sees('Switched off.');
  expect(await all()).toMatchObject([{ enabled: false, next_at: null, last: { status: 'completed' } }]);
  await choose('runs so far');
  await terminal.sees(/ · completed/);
  terminal.write(KEY.escape);
  await terminal.sees(lines => !lines.some(line => line.startsWith('── Runs')));
  await choose('delete');
  await terminal.sees('Deleted; its chats stay.');
  expect(await all()).toEqual([]);
  await terminal.say('/schedule 2h Back again.');
  await terminal.sees(/Scheduled, first .*; in this chat\./);
});
