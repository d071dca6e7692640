/** Tests how often everyday tasks ask their owner: in a chat that asks, with a working directory that the owner has set. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENT } from '../harness/patient.ts';
import { eventsOf, says } from '../harness/story.ts';
import { missingServers } from '../mail/servers.ts';
import type { ScriptedReply } from '../upstream/reply.ts';
import { answerAll } from './owner.ts';
import type { Call, Task } from './task.ts';
import { CODE } from './tasks/code.ts';
import { OFFICE } from './tasks/office.ts';
import { WEB } from './tasks/web.ts';
import { startWorld, type World } from './world.ts';

const TASKS = [...CODE, ...WEB, ...OFFICE];
const rows: string[] = [];
let world: World;
beforeAll(async () => {
  world = await startWorld();
  // It starts mail servers, modules, web sites and a kernel.
}, PATIENT.timeout);
afterAll(async () => {
  await world?.stop();
  process.stdout.write(`\n${rows.toSorted().join('\n')}\n`);
});

const withHosts = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (whole, name) => world.hosts[name] ?? whole));

const reply = (calls: readonly Call[]): ScriptedReply => ({
  steps: calls.map(([name, input]) => ({ call: { name, input } })),
});

test('there are forty tasks', () => {
  expect(TASKS).toHaveLength(40);
  expect(new Set(TASKS.map(({ name }) => name)).size).toBe(40);
});

const runnable = TASKS.filter(({ mail = false }) => !mail || !missingServers());
test.each(runnable)('asks $questions times: $name', async ({ name, turns, questions }: Task) => {
  const { client, upstream } = world.kernel;
  const { id } = await client.createChat({ consent: 'ask', workdir: world.workdir(), workdir_on: 'server' });
  const asked: string[] = [];
  for (const turn of turns) {
    upstream.next(...withHosts(turn.steps).map(reply), says('Done.'));
    const stream = await client.begin(id, { text: withHosts(turn.says), consents: true, questions: true });
    asked.push(...(await answerAll(client, id, stream)));
    const results = eventsOf(await stream.all(), 'tool_result');
    expect(results.filter(({ is_error }) => is_error)).toEqual([]);
  }
  rows.push(`${asked.length}  ${name}`);
  expect(asked).toHaveLength(questions);
});
