/** Schedules by keyboard: made, looked at, run, switched off, deleted. */
import { expect, it } from 'vitest';
import { says } from '../../../../test/harness/story.ts';
import { idle, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const here = sessions();
const all = async () => (await here.kernel.api.get('/v1/schedules')).body.schedules;

it('[SCHED-1] schedules a message, runs it manually, disables it and deletes it', async () => {
  const terminal = await here.open();
  await terminal.say('/schedule tomorrow perhaps');
  await terminal.sees(/Usage: \/schedule WHEN TEXT\./);
  await terminal.say('/schedule 0 9 29 FEB * Leap, please.');
  await terminal.sees(/Scheduled in new chats; next run \d{4}-02-29 09:00\./);
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
  await choose('disable');
  await terminal.sees('Disabled.');
  expect(await all()).toMatchObject([{ enabled: false, next_at: null, last: { status: 'completed' } }]);
  await choose('show runs');
  await terminal.sees(/ · completed/);
  terminal.write(KEY.escape);
  await terminal.sees(lines => !lines.some(line => line.startsWith('── Runs')));
  await choose('allow without asking');
  await terminal.sees('allow a tool');
  terminal.write(KEY.enter);
  await terminal.sees('── Allow a tool');
  terminal.write('shell');
  await terminal.sees('search: shell');
  terminal.write(KEY.enter);
  await terminal.sees('shell for everything');
  terminal.write('npm test');
  await terminal.sees('shell for npm test');
  terminal.write(KEY.enter);
  await terminal.sees('Saved: without asking: shell for npm test.');
  expect(await all()).toMatchObject([{ grants: [{ tool: 'shell', target: 'npm test' }] }]);
  await choose('allow without asking');
  await terminal.sees('remove shell for npm test');
  terminal.write('remove');
  await terminal.sees('search: remove');
  terminal.write(KEY.enter);
  await terminal.sees('Saved. Its runs ask as other turns do.');
  expect(await all()).toMatchObject([{ grants: [] }]);
  await choose('delete');
  await terminal.sees('Deleted. Its chats are kept.');
  expect(await all()).toEqual([]);
  await terminal.say('/schedule 2h Back again.');
  await terminal.sees(/Scheduled in this chat; next run .*\./);
});
