/**
 * Prints what the tree that contains this file knows about the things that the recipes add, as JSON. Runs in the copy.
 */
import { factsOfNote, type LastingChoice, MemoryApprovals, type Operation } from '@chat-kernel/client';
import { OpenFeatures } from '@chat-kernel/features';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { systemClock } from '@chat-kernel/kernel';
import {
  Approval,
  Event,
  HTTP_ERRORS,
  Item,
  isSubscribed,
  KernelEvent,
  Settings,
  STAGES,
  TURN_ERRORS,
} from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import type { SqlStore } from '@chat-kernel/storage';
import { builtinTools } from '@chat-kernel/tools';
import { COMMANDS } from '../../apps/terminal/src/commands/index.ts';
import { openPanels } from '../../apps/terminal/src/session/panels.ts';
import type { FeatureServices } from '../../packages/features/src/feature.ts';
import { buildContent } from '../../packages/features/src/push/reasons.ts';
import { itemOfBlock } from '../../packages/kernel/src/items/to-items.ts';
import { openApp } from '../../packages/server/src/app.ts';
import { FACES } from '../../packages/server/src/faces/index.ts';
import type { AppServices } from '../../packages/server/src/http/route.ts';
import { Metrics } from '../../packages/server/src/metrics/metrics.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const clock = systemClock;
const settings = Settings.parse({
  llm: { providers: { e: { kind: 'echo', base_url: 'http://127.0.0.1:9' } }, models: [{ id: 'e/one' }] },
  titles: { words: 3 },
});

/** The types that a union of events or items has. */
const known = (union: { options: readonly { shape: object }[] }, key: string): unknown[] =>
  union.options.map(({ shape }) => (shape as Record<string, { value: unknown }>)[key]?.value);

/** As read from a database: the tree without the addition does not know such a block. */
const block = JSON.parse('{ "type": "text", "text": "Stand up.", "internal": { "reminder": true } }');
const models = await openModels({ llm: settings.llm, env: {}, secrets: [], clock, log });
const NOWHERE = new MachinePaths([]);
const tools = builtinTools({
  paths: NOWHERE,
  sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, NOWHERE),
  environment: {},
  question_timeout_secs: 1,
});
const metrics = new Metrics();
const features = new OpenFeatures();
const folders = { paths: NOWHERE, skillFolders: [] };
features.open(
  { settings, environment: {}, store: {}, events: { listen() {} }, clock, log } as unknown as FeatureServices,
  folders,
  { transactions: {} } as SqlStore,
  parts => parts,
);
const app = await openApp({ features, settings, log, metrics, version: '0' } as unknown as AppServices);
const get = async (url: string) => (await app.inject({ url, headers: { host: '127.0.0.1' } })).json();
const greeting = await get('/v1/greeting');
metrics.stop();
const openFace = await FACES.find(({ prefix }) => prefix === '/echo')?.load();
const interfaces = { openai: { consent: 'ask' }, mcp: { consent: 'ask' } } as const;
const echo = openFace?.({
  url: 'http://127.0.0.1:9',
  fetch,
  publicUrl: null,
  interfaces,
  onFailure: () => {},
});
const asked = { method: 'GET', path: '/here', headers: {}, body: undefined };
const echoed = await echo?.answer({ ...asked, signal: AbortSignal.timeout(60_000) });
const shown: object[] = [];
const panels = openPanels({ get: () => ({}) as never, set: change => shown.push(change) }, async () => {});
(panels as unknown as Record<string, () => void>).about?.();
/** The tree without the addition does not know the reason. */
const reason = JSON.parse('"schedule_missed"');
const missed = { status: 'missed', due_at: '', said: '', error: null } as const;

/** The record of a client that got the new decision. */
const record = new MemoryApprovals();
const make: Operation = { op_id: 'o', chat_id: 'c', action: 'shell', params: { command: 'make' } };
record.give({ decision: 'allow_today' as LastingChoice['decision'] }, make);

const facts = {
  item: itemOfBlock(block, { id: 'm:0', turn_id: null, created_at: '' })?.kind,
  items: known(Item, 'kind').includes('reminder'),
  event: known(Event, 'type').includes('reminded'),
  kernel_event: known(KernelEvent, 'type').includes('clock_changed'),
  push: {
    is_subscribed: isSubscribed(['schedule_ended'], reason),
    type: buildContent('schedule_ended', missed).type,
  },
  decision: [(Approval.shape.decision.options as string[]).includes('allow_today'), record.covers(make)],
  note: factsOfNote('slow_reply')?.isAboutReply,
  tool: tools.some(({ name }) => name === 'dice'),
  route: greeting,
  feature: [features.tools(folders).some(({ name }) => name === 'echo'), await get('/v1/echoes')],
  face: echoed?.body,
  errors: ['too_late' in HTTP_ERRORS, 'out_of_time' in TURN_ERRORS],
  setting: settings.titles,
  stage: 'turn_seen' in STAGES,
  model: models.find('e/one')?.record.provider,
  command: COMMANDS.some(({ name }) => name === 'clock'),
  dialog: shown,
};
await app.close();
process.stdout.write(`${JSON.stringify(facts)}\n`);
