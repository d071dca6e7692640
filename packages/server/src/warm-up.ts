/**
 * Runs a turn before the first one, so that the first user does not wait while Node compiles the code of a turn: a
 * kernel in memory, with the demo model, called over HTTP without a socket. It writes to no disk and sends no requests.
 */
import { setImmediate as pause } from 'node:timers/promises';
import { OpenFeatures } from '@chat-kernel/features';
import { type Clock, type KernelParts, type Log, openKernel, systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { openMemoryStore } from '@chat-kernel/storage';
import { openApp } from './app.ts';
import { Metrics } from './metrics/metrics.ts';
import { ROUTES } from './routes/index.ts';
import { StopStack } from './start/stop-stack.ts';
import { WebClient } from './web/web-client.ts';

/** Parts of the real server, which a turn of this kind only reads. */
export interface WarmUpParts extends Pick<KernelParts, 'tools' | 'groups' | 'machine'> {
  version: string;
}

/** The routes of a turn: a chat is created, and gets a message. */
const OPERATIONS = ['createChat', 'startTurn'];
const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} };
/** The demo model without its pauses, which are for people. */
const IMMEDIATE_CLOCK: Clock = {
  now: Date.now,
  after(_, callback) {
    const next = setImmediate(callback);
    return () => clearImmediate(next);
  },
};

/**
 * Resolves when the turn is over; rejects if it failed. It runs in steps, between which requests are answered.
 * @param isWanted false once there is real work: nothing more is started then
 */
export async function warmUp({ version, ...parts }: WarmUpParts, isWanted: () => boolean): Promise<void> {
  const [clock, log] = [systemClock, QUIET];
  const settings = Settings.parse({
    llm: { providers: { demo: { kind: 'demo' } }, discover: false },
    titles: { enabled: false },
  });
  const metrics = new Metrics();
  const stops = new StopStack(log);
  stops.push(() => metrics.stop());
  try {
    const store = metrics.countWrites(await openMemoryStore({ log, clock }));
    stops.push(() => store.close());
    await pause();
    if (!isWanted()) return;
    const models = await openModels({ llm: settings.llm, env: {}, clock: IMMEDIATE_CLOCK, log });
    const kernel = await openKernel({ ...parts, store, models, clock, log, settings, secrets: [] });
    stops.push(() => kernel.shutdown(0));
    await pause();
    if (!isWanted()) return;
    const routes = ROUTES.filter(({ operationId }) => OPERATIONS.includes(operationId));
    const app = await openApp(
      {
        kernel,
        features: new OpenFeatures(),
        settings,
        log,
        metrics,
        version,
        web: new WebClient(log),
      },
      routes,
    );
    stops.push(() => app.close());
    await pause();
    if (!isWanted()) return;
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
    const { id } = (await post('/v1/chats', {})).json<{ id: string }>();
    const { body } = await post(`/v1/chats/${id}/messages`, { text: 'hello' });
    if (!body.includes('"status":"completed"'))
      throw new Error(`The warm-up turn failed: ${body.slice(-500)}`);
  } finally {
    await stops.stopAll();
  }
}
