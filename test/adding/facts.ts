/** Prints what the tree that holds this file knows of the things that the recipes add, as JSON. Runs in the copy. */
import { systemClock } from '@chat-kernel/kernel';
import { Event, HTTP_ERRORS, Item, KernelEvent, Settings, STAGES, TURN_ERRORS } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { openStore } from '@chat-kernel/storage';
import { builtinTools, MachinePaths, Sandbox } from '@chat-kernel/tools';
import { Panels } from '../../apps/terminal/src/session/panels.ts';
import { itemOfBlock } from '../../packages/kernel/src/items/to-items.ts';
import { openApp } from '../../packages/server/src/app.ts';
import { FACES } from '../../packages/server/src/faces/index.ts';
import type { AppServices } from '../../packages/server/src/http/route.ts';
import { LoopWatch } from '../../packages/server/src/metrics/loop-watch.ts';
import { Metrics } from '../../packages/server/src/metrics/metrics.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const clock = systemClock;
const settings = Settings.parse({
  llm: { providers: { e: { kind: 'echo', base_url: 'http://127.0.0.1:9' } }, models: [{ id: 'e/one' }] },
  titles: { words: 3 },
  database: { url: 'attic://here' },
});

/** The types that a union of events or items knows. */
const known = (union: { options: readonly { shape: object }[] }, key: string): unknown[] =>
  union.options.map(({ shape }) => (shape as Record<string, { value: unknown }>)[key]?.value);

/** As a database gives it: the tree without the addition knows no such block. */
const block = JSON.parse('{ "type": "text", "text": "Stand up.", "internal": { "reminder": true } }');
const models = await openModels({ llm: settings.llm, env: {}, clock, log });
const NOWHERE = new MachinePaths([]);
const tools = builtinTools({
  paths: NOWHERE,
  sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, NOWHERE),
  shell: { timeout_secs: 1 },
  environment: {},
  question_timeout_secs: 1,
});
const place = { data_dir: `${import.meta.dirname}/attic`, url: settings.database.url, log, clock };
const metrics = new Metrics();
const loop = new LoopWatch(log, () => {});
const app = await openApp({ settings, log, metrics, loop, version: '0' } as unknown as AppServices);
const greeting = await app.inject({ url: '/v1/greeting', headers: { host: '127.0.0.1' } });
await app.close();
metrics.stop();
const openFace = await FACES.find(({ prefix }) => prefix === '/echo')?.load();
const echo = openFace?.({ url: 'http://127.0.0.1:9', publicUrl: null, onFailure: () => {} });
const asked = { method: 'GET', path: '/here', headers: {}, body: undefined };
const echoed = await echo?.answer({ ...asked, signal: AbortSignal.timeout(60_000) });
const shown: object[] = [];
const panels = new Panels({ get: () => ({}) as never, set: change => shown.push(change) }, async () => {});
(panels as unknown as Record<string, () => void>).about?.();

const facts = {
  item: itemOfBlock(block, { id: 'm:0', turn_id: null, created_at: '' })?.kind,
  items: known(Item, 'kind').includes('reminder'),
  event: known(Event, 'type').includes('reminded'),
  kernel_event: known(KernelEvent, 'type').includes('clock_changed'),
  tool: tools.some(({ name }) => name === 'dice'),
  route: greeting.json(),
  face: echoed?.body,
  errors: ['too_late' in HTTP_ERRORS, 'out_of_time' in TURN_ERRORS],
  setting: settings.titles,
  stage: 'turn_seen' in STAGES,
  model: models.find('e/one')?.record.provider,
  store: await openStore(place).then(
    () => 'open',
    error => error.message,
  ),
  dialog: shown,
};
process.stdout.write(`${JSON.stringify(facts)}\n`);
