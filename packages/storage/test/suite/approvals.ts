/** Approvals: kept as they were given, for as long as their chat. */
import type { ApprovalRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function approvalSuite(stage: Stage): void {
  test('Approvals are read back as they were given, also after a restart [OP-14]', async () => {
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
  ])('A command keeps each of its characters, for it is compared: %j', async command => {
    const compared = { command, workdir: command, client_id: command, hands: command, prefix: command };
    await save(stage, (await stage.chat()).id, { action: 'shell', ...compared });
    await stage.reopen();
    expect(await stage.store.approvals.list()).toMatchObject([compared]);
  });

  test('Approvals of all chats come in one list, the oldest first; ids decide where times are equal', async () => {
    const [one, two] = [await stage.chat(), await stage.chat()];
    const [early, late] = [nextId(), nextId()];
    const newest = await save(stage, one.id, { created_at: '2026-01-03T00:00:00.000Z' });
    const second = await save(stage, two.id, { id: late });
    const first = await save(stage, one.id, { id: early });
    const oldest = await save(stage, two.id, { created_at: '2026-01-01T23:59:59.999Z' });
    expect(await stage.store.approvals.list()).toEqual([oldest, first, second, newest]);
  });

  test('Approvals go with their chat, and those of other chats stay [CHAT-5]', async () => {
    const [gone, kept] = [await stage.chat(), await stage.chat()];
    await save(stage, gone.id);
    await save(stage, gone.id, { action: 'shell', command: 'ls' });
    const other = await save(stage, kept.id);
    expect(await stage.store.chats.delete(gone.id)).toBe(true);
    expect(await stage.store.approvals.list()).toEqual([other]);
  });

  test('An approval of a chat that is gone is not kept, and the save does not reject', async () => {
    const chat = await stage.chat();
    await stage.store.chats.delete(chat.id);
    await save(stage, chat.id);
    await save(stage, nextId());
    expect(await stage.store.approvals.list()).toEqual([]);
  });

  test('A chat may be deleted in the same moment: nothing of it stays, and neither of the two throws', async () => {
    const chats = await Promise.all(Array.from({ length: 20 }, () => stage.chat()));
    const work = chats.flatMap(({ id }, index) => {
      const both = [() => save(stage, id), () => stage.store.chats.delete(id)];
      return index % 2 === 0 ? both : both.reverse();
    });
    await Promise.all(work.map(start => start()));
    expect(await stage.store.approvals.list()).toEqual([]);
  });

  test('Saving an approval leaves the visible fields of its chat as they are', async () => {
    const { chat } = await stage.history(2);
    const before = await stage.store.chats.get(chat.id);
    await save(stage, chat.id);
    expect(await stage.store.chats.get(chat.id)).toEqual(before);
    const { message } = await stage.turn(chat.id);
    expect((await stage.store.messages.get(chat.id, message.id))?.position).toBe(3);
  });

  test('A second approval of the same id is refused, and the first stays', async () => {
    const chat = await stage.chat();
    const first = await save(stage, chat.id);
    await expect(save(stage, chat.id, { id: first.id, action: 'edit_file' })).rejects.toThrow();
    expect(await stage.store.approvals.list()).toEqual([first]);
  });

  test('Several approvals are deleted at once; unknown ids and repeated ones are ignored', async () => {
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
    decision: 'allow_always',
    created_at: NOW,
    ...changes,
  };
  await stage.store.approvals.save(approval);
  return approval;
}
