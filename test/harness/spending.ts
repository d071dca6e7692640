/** Starts kernels with spend caps, and models whose responses have a price. */
import type { Event, EventOf, Item, Settings } from '@chat-kernel/protocol';
import { expect, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { type ScriptedReply, startUpstream } from '../upstream/server.ts';
import type { FollowedTurn } from './followed.ts';
import { comparable, foldItems } from './items.ts';
import type { KernelOptions, TestKernel } from './kernel.ts';
import { KINDS, MODEL_OF } from './settings.ts';
import { kernelOf } from './shared-kernel.ts';
import { calls, eventsOf, says } from './story.ts';

type Caps = z.input<typeof Settings>['spend'];
export const STOP = 'Stop';
export const PLAN = calls('p', 'plan', { tasks: [] });

/** A thousand tokens of any model cost a dollar. */
const price = { input: 1000, output: 1000, cached_input: 1000 };
export const settingsWith = (
  spend: Caps,
  more: KernelOptions['settings'] = {},
): KernelOptions['settings'] => ({
  llm: {
    models: [
      ...KINDS.map(kind => ({ id: `scripted/${MODEL_OF[kind]}`, context_window: 1_000_000, price })),
      { id: 'scripted/unpriced' },
    ],
  },
  sleep: { timezone: 'UTC' },
  ...more,
  spend,
});

/** A provider whose unscripted responses cost a cent. */
export const cheap = () => startUpstream(() => at(0.01, says('ok')));

/** Starts a kernel for one test. */
export async function start(spend: Caps, { settings, ...options }: KernelOptions = {}): Promise<TestKernel> {
  const upstream = options.upstream ?? (await cheap());
  const kernel = await kernelOf({ ...options, upstream, settings: settingsWith(spend, settings) });
  // Do not wait for a model that is still waiting: close it first.
  if (!options.upstream) onTestFinished(() => upstream.close());
  return kernel;
}

/** The reply, at this price. */
export const at = (usd: number, reply: ScriptedReply): ScriptedReply => ({
  ...reply,
  steps: [
    ...(reply.steps ?? []),
    { usage: { prompt: Math.round(usd * 1000), completion: 0, reasoning: 0, cached: 0 } },
  ],
});

export const isQuestion = (event: Event): event is EventOf<'tool_call'> =>
  event.type === 'tool_call' && event.id.startsWith('spend_cap_');
export const questionsOf = (events: readonly Event[]) => events.filter(isQuestion);
export const nearOf = (items: readonly Item[]) =>
  items.flatMap(item => (item.kind === 'machine_note' && item.note === 'spend_cap_near' ? [item.text] : []));
export const failureOf = (events: readonly Event[]) => eventsOf(events, 'error')[0];

/** Runs a turn of the master up to the question at a cap. */
export async function asked({ client }: Pick<TestKernel, 'client'>, chatId: string) {
  const stream = await client.begin(chatId, { text: 'Go.', questions: true });
  const call = (await stream.until(isQuestion)) as EventOf<'tool_call'>;
  const [question] = call.input.questions as { question: string; options: { label: string }[] }[];
  const answer = (body: object) => client.answerRequest(chatId, { id: call.id, ...body });
  const goOn = question?.options[0]?.label as string;
  return { stream, call, question: question?.question, goOn, answer };
}

/** Waits until the turn of a chat runs: it has reached the point at which it waits. */
export async function running({ client }: Pick<TestKernel, 'client'>, chatId: string): Promise<void> {
  await expect.poll(async () => (await client.getChat(chatId)).turn?.status).toBe('running');
  // From `running` to that point takes less time than two responses of the same kernel.
  for (let n = 0; n < 2; n++) await client.getStats();
}

/** Checks that the spend which a turn sent is what its chat stores, and that neither has an open amount. */
export async function closed({ client }: TestKernel, chatId: string, stream: FollowedTurn): Promise<Event[]> {
  const events = await stream.all();
  const items = await client.items(chatId);
  expect(items.filter(({ status }) => status === 'running')).toEqual([]);
  expect((await client.listRequests()).requests).toEqual([]);
  const own = items.filter(item => item.turn_id === stream.turnId && item.kind !== 'user_message');
  expect(comparable(own)).toEqual(comparable(foldItems(events)));
  return events;
}
