/** Tests forks of any history at any message: the branch has the items of its parent, and a valid prompt. */
import { type Kernel, repair, type Store } from '@chat-kernel/kernel';
import type { Item } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutHistories } from '../../packages/kernel/test/arbitraries.ts';
import { faultsOf } from '../../packages/kernel/test/faults.ts';
import { newMessage } from '../../packages/storage/test/records.ts';
import { ON_POSTGRES } from '../harness/database.ts';
import { forAsLong } from '../harness/for-as-long.ts';
import { openKernelWithStore } from './open-kernel.ts';

describe('[FORK-1] [FORK-3] [FORK-5] forks', () => {
  let opened: Awaited<ReturnType<typeof openKernelWithStore>>;
  let store: Store;
  let kernel: Kernel;
  beforeAll(async () => {
    opened = await openKernelWithStore();
    ({ store, kernel } = opened);
  });
  afterAll(() => opened.close());

  it('show the same items as the parent before the cut, in a branch and a branch of it', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      forAsLong(
        30_000,
        fc.asyncProperty(cutHistories, fc.nat(), fc.nat(), async (history, first, second) => {
          const { id: parent } = await kernel.chats.create({});
          const append = history.map(({ role, content, sender }) =>
            newMessage(parent, { role, content, ...(sender !== undefined && { sender }) }),
          );
          await store.chats.write({ chat_id: parent, append });
          const at = first % append.length;
          const branch = await kernel.chats.fork(parent, { before_message: append[at]?.id as string });
          await expectCopy(parent, branch.id, append.length, at);

          const inBranch = await store.messages.listFrom(branch.id, 1);
          const again = second % inBranch.length;
          const twig = await kernel.chats.fork(branch.id, { before_message: inBranch[again]?.id as string });
          // Without the marker of the branch.
          await expectCopy(parent, twig.id, append.length, Math.min(at, Math.max(0, again - 1)));
          expect(await store.messages.listFrom(branch.id, 1)).toEqual(inBranch);
        }),
      ),
      { numRuns: ON_POSTGRES ? 30 : 80 },
    );
  });

  async function expectCopy(parent: string, branch: string, whole: number, count: number): Promise<void> {
    const rest = await store.messages.listFrom(parent, 1);
    expect(rest).toHaveLength(whole);
    // The items of a parent that is cut there: calls without results show as cancelled in both.
    const { id: cut } = await kernel.chats.create({});
    const append = rest.slice(0, count).map(({ position: _, ...message }) => ({
      ...message,
      id: newMessage(cut).id,
      chat_id: cut,
    }));
    if (append.length > 0) await store.chats.write({ chat_id: cut, append });
    const [marker, ...items] = (await kernel.history.items(branch, { limit: 500 })).items;
    expect(marker).toMatchObject({ kind: 'machine_note', note: 'fork_marker' });
    expect(items.map(withoutIds)).toEqual(
      (await kernel.history.items(cut, { limit: 500 })).items.map(withoutIds),
    );

    const messages = await store.messages.listFrom(branch, 1);
    expect(faultsOf(repair(messages))).toEqual([]);
    // Every call of the last step has a stored result.
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    const answered = messages
      .slice(last + 1)
      .flatMap(({ content }) => content.map(block => block.type === 'tool_result' && block.tool_use_id));
    for (const block of messages[last]?.content ?? []) {
      if (block.type === 'tool_use') expect(answered).toContain(block.id);
    }
  }
});

function withoutIds(item: Item): object {
  const { id: _, ...rest } = item;
  return 'message_id' in rest ? { ...rest, message_id: '' } : rest;
}
