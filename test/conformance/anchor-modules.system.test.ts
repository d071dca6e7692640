/** Tests that the anchor of a turn reaches only the module that set it. */
import type { TurnContext } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { becomes, echoed, places, record, started, tool } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const IDS = { chat_id: 77, message_id: 88 };

/** A kernel with the modules tele and post, which each have a tool and stages. */
async function surfaces() {
  const { at } = places();
  const files = { tele: record(at('tele')), post: record(at('post')) };
  const stages = [{ stage: 'message', on_error: 'pass' }];
  const moduleOf = (name: keyof typeof files) =>
    started({ name, tools: [tool('echo')], stages, record: files[name].path });
  const servers = { tele: moduleOf('tele'), post: moduleOf('post') };
  const kernel = await kernelOf({ settings: { modules: { servers } } });
  for (const name of ['tele', 'post']) await becomes(kernel.api, name, 'up');

  /** The anchors that the modules received in a turn with this one: at a stage and in a call. */
  async function received(anchor: object) {
    const chat = await kernel.client.createChat();
    kernel.upstream.next(calls('t', 'tele_echo', {}), calls('p', 'post_echo', {}), says('Done.'));
    const stream = await kernel.client.begin(chat.id, { text: 'Go.', anchor } as { text: string });
    const results = eventsOf(await stream.all(), 'tool_result');
    const inCall = Object.fromEntries(
      results.map(({ name, output }) => [name, (echoed(output) as { context: TurnContext }).context]),
    );
    const atStage = (name: keyof typeof files): TurnContext | undefined =>
      files[name].heard('stage').at(-1)?.params.context;
    const turn = await kernel.client.getTurn(chat.id, stream.turnId);
    return {
      turn: turn.anchor,
      tele: [atStage('tele')?.anchor, inCall.tele_echo?.anchor],
      post: [atStage('post')?.anchor, inCall.post_echo?.anchor],
      privileged: inCall.post_echo?.privileged,
    };
  }
  return { kernel, received };
}

const NONE = [undefined, undefined];

test('[MOD-5] passes an anchor that names a module only to that module, as the two ids that it set', async () => {
  const { received } = await surfaces();
  const own = { ...IDS, module: 'tele' };
  expect(await received(own)).toEqual({ turn: own, tele: [IDS, IDS], post: NONE, privileged: false });
  // A module that names itself no longer receives the anchors of those that do not.
  expect(await received(IDS)).toEqual({ turn: IDS, tele: NONE, post: [IDS, IDS], privileged: false });
});

test('[MOD-5] passes an anchor without a module to modules that never named themselves', async () => {
  const { received } = await surfaces();
  expect(await received(IDS)).toMatchObject({ tele: [IDS, IDS], post: [IDS, IDS] });
  expect(await received({ ...IDS, module: 'nobody' })).toMatchObject({ tele: NONE, post: NONE });
  expect(await received(IDS)).toMatchObject({ tele: [IDS, IDS], post: [IDS, IDS] });
});

test('[MOD-5] [TURN-9] rejects a module name that is not a string', async () => {
  const { kernel } = await surfaces();
  const chat = await kernel.client.createChat();
  const answer = await kernel.api.post(`/v1/chats/${chat.id}/messages`, {
    text: 'Go.',
    anchor: { ...IDS, module: 7 },
  });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/anchor/module' }] } });
});
