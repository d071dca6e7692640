/** Mails as chats, with a real mailbox, a real mail server, real signatures and a real kernel between them. */
import { describe, expect, test } from 'vitest';
import { says } from '../harness/story.ts';
import { arrived, sends, startMailKernel } from './people.ts';
import { KERNEL, missingServers, OWNER, startServers } from './servers.ts';

describe.skipIf(missingServers())('[MOD-10] mail', () => {
  test('a mail is a chat, its answer a mail in the same thread, and a reply goes on in that chat', async () => {
    const servers = await startServers();
    const { kernel, upstream } = await startMailKernel(servers, undefined);
    upstream.next(says('Take **the 7:14**.'));
    const first = await sends(servers, { subject: 'Which train?', text: 'Which train do I take?' });
    const [answer] = await arrived(servers, OWNER, 1);
    expect(answer).toMatchObject({
      subject: 'Re: Which train?',
      inReplyTo: first,
      text: 'Take **the 7:14**.',
    });
    expect(answer?.html).toContain('<p>Take <b>the 7:14</b>.</p>');
    expect(answer?.headers.get('auto-submitted')).toBe('auto-replied');

    await sends(servers, {
      subject: 'Re: Which train?',
      text: `And back?\n\nOn 1 May 2026 Chat Kernel wrote:\n> Take the 7:14.\n`,
      inReplyTo: answer!.messageId!,
      references: `${first} ${answer!.messageId}`,
    });
    expect(await arrived(servers, OWNER, 2)).toHaveLength(2);
    const { chats } = (await kernel.api.get('/v1/chats?shelf=mail')).body;
    expect(chats).toMatchObject([{ title: 'Which train?', shelf: 'mail' }]);
    const items = await kernel.api.items(chats[0].id);
    expect(items.filter(item => item.kind === 'user_message')).toMatchObject([
      { text: 'Which train do I take?' },
      { text: 'And back?' },
    ]);
    // What was sent lies among what was sent, and not in the inbox.
    await expect.poll(() => servers.folder(KERNEL, 'Sent').length, { timeout: 30_000 }).toBe(2);
    expect(servers.inbox(KERNEL)).toHaveLength(2);
  });
});
