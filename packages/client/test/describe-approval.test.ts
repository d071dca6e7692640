/** Tests the sentence that says what a saved approval covers. */
import { expect, it } from 'vitest';
import { type Approval, describeApproval } from '../src/index.ts';

const APPROVAL: Approval = {
  id: '1',
  chat_id: '2',
  action: 'shell',
  workdir: '/srv',
  workdir_on: 'server',
  decision: 'allow_always',
  created_at: '2026-01-01T00:00:00.000Z',
};

it.each<[Partial<Approval>, string]>([
  [{ command: 'make' }, 'Runs exactly this command in /srv on the server: make'],
  [
    { prefix: 'git status', decision: 'allow_prefix', hands: 'laptop', workdir_on: 'client' },
    'Runs plain commands in /srv on laptop, if they start with: git status',
  ],
  [
    { command: 'make', outside: ['mcp:desk'] },
    'Runs exactly this command in /srv on the server, also after the turn has read mcp:desk: make',
  ],
  [
    { action: 'write', decision: 'allow_edits' },
    'Changes files below /srv on the server, except protected ones',
  ],
  [{ action: 'write' }, 'Changes any file on the server, while the chat works in /srv'],
  [{ action: 'write', target: '/srv/.envrc' }, 'Changes /srv/.envrc on the server'],
  [{ action: 'read', workdir: null, workdir_on: 'client' }, 'Reads any file on the machine of the client'],
  [{ action: 'read', workdir: null, target: '/etc/' }, 'Reads files in /etc/ on the server'],
  [
    { action: 'web_fetch', workdir: null, target: 'example.org', outside: ['web:example.org', 'mcp:desk'] },
    'May use web_fetch for example.org, also after the turn has read web:example.org, mcp:desk',
  ],
])('names the action, the place and the limits of %j', (changes, sentence) => {
  const { covers, text } = describeApproval({ ...APPROVAL, ...changes });
  expect(text === undefined ? covers : `${covers} ${text}`).toBe(sentence);
});
