/** Tests approvals: stored unchanged, as long as their chat exists. */
import type { ApprovalRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function approvalSuite(stage: Stage): void {
  test('reads approvals back unchanged, also after a restart [OP-14]', async () => {
    const chat = await stage.chat();
    const write = await save(stage, chat.id);
    const shell = await save(stage, chat.id, { action: 'shell', command: 'git status', ...PLACE });
    const words = { prefix: 'git status', hands: 'laptop', decision: 'allow_prefix' as const };
    const prefix = await save(stage, chat.id, { action: 'shell', ...PLACE, ...words });
    expect(await stage.store.approvals.list()).toEqual([write, shell, prefix]);
    await stage.reopen();
    expect(await stage.store.approvals.list()).toEqual([write, shell, prefix]);
  });

  test.each([
    '',
    'null',
    '"quoted"',
    'a\0b',
    'a\ud800b',
    'Grüße\r\n\t👩‍👩‍👧 ',
  ])('keeps every character of a command, because commands are compared: %j', async command => {
    const compared = { command, workdir: command, client_id: command, hands: command, prefix: command };
    await save(stage, (await stage.chat()).id, { action: 'shell', ...compared });
    await stage.reopen();
    expect(await stage.store.approvals.list()).toMatchObject([compared]);
  });

  test('lists approvals of all chats, the oldest first, and by id for equal times', async () => {
    const [one, two] = [await stage.chat(), await stage.chat()];
    const [early, late] = [nextId(), nextId()];
    const newest = await save(stage, one.id, { created_at: '2026-01-03T00:00:00.000Z' });
    const second = await save(stage, two.id, { id: late });
    const first = await save(stage, one.id, { id: early });
    const oldest = await save(stage, two.id, { created_at: '2026-01-01T23:59:59.999Z' });
    expect(await stage.store.approvals.list()).toEqual([oldest, first, second, newest]);
  });

  test('deletes approvals with their chat, and keeps those of other chats [CHAT-5]', async () => {
    const [gone, kept] = [await stage.chat(), await stage.chat()];
    await save(stage, gone.id);
    await save(stage, gone.id, { action: 'shell', command: 'ls' });
    const other = await save(stage, kept.id);
    expect(await stage.store.chats.delete(gone.id)).toBe(true);
    expect(await stage.store.approvals.list()).toEqual([other]);
  });

  test('discards an approval of a deleted chat without an error', async () => {
    const chat = await stage.chat();
    await stage.store.chats.delete(chat.id);
    await save(stage, chat.id);
    await save(stage, nextId());
    expect(await stage.store.approvals.list()).toEqual([]);
  });

  test('leaves nothing of a chat that is deleted at the same time, and neither call throws', async () => {
    const chats = await Promise.all(Array.from({ length: 20 }, () => stage.chat()));
    const work = chats.flatMap(({ id }, index) => {
      const both = [() => save(stage, id), () => stage.store.chats.delete(id)];
      return index % 2 === 0 ? both : both.reverse();
    });
    await Promise.all(work.map(start => start()));
    expect(await stage.store.approvals.list()).toEqual([]);
  });

  test('leaves the visible fields of the chat unchanged when it saves an approval', async () => {
    const { chat } = await stage.history(2);
    const before = await stage.store.chats.get(chat.id);
    await save(stage, chat.id);
    expect(await stage.store.chats.get(chat.id)).toEqual(before);
    const { message } = await stage.turn(chat.id);
    expect((await stage.store.messages.get(chat.id, message.id))?.position).toBe(3);
  });

  test('rejects a second approval with the same id, and keeps the first', async () => {
    const chat = await stage.chat();
    const first = await save(stage, chat.id);
    await expect(save(stage, chat.id, { id: first.id, action: 'edit_file' })).rejects.toThrow();
    expect(await stage.store.approvals.list()).toEqual([first]);
  });

  test('deletes several approvals together, and ignores unknown and repeated ids', async () => {
    const chat = await stage.chat();
    const [one, two, three] = [
      await save(stage, chat.id),
      await save(stage, chat.id),
      await save(stage, chat.id),
    ];
    await stage.store.approvals.delete([]);
    await stage.store.approvals.delete([nextId(), '', 'nothing']);
    expect(await stage.store.approvals.list()).toEqual([one, two, three]);
    await stage.store.approvals.delete([three.id, nextId(), one.id, three.id]);
    expect(await stage.store.approvals.list()).toEqual([two]);
    await stage.reopen();
    expect(await stage.store.approvals.list()).toEqual([two]);
  });
}

const PLACE = { workdir: '/home/me/project', workdir_on: 'server', client_id: 'laptop' } as const;

async function save(
  stage: Stage,
  chat_id: string,
  changes: Partial<ApprovalRecord> = {},
): Promise<ApprovalRecord> {
  const approval: ApprovalRecord = {
    id: nextId(),
    chat_id,
    action: 'write_file',
    command: null,
    workdir: null,
    workdir_on: 'client',
    client_id: null,
    hands: null,
    prefix: null,
    target: null,
    outside: null,
    decision: 'allow_always',
    created_at: NOW,
    ...changes,
  };
  await stage.store.approvals.save(approval);
  return approval;
}
