/** The terminal says once that no sandbox works on the server. */
import { expect, it } from 'vitest';
import { says } from '../../../../test/harness/story.ts';
import { idle, sessions } from './sessions.ts';

const here = sessions({
  settings: { tools: { shell: { sandbox: 'auto' } } },
  // Without bubblewrap.
  environment: { PATH: '/nowhere' },
});

it('[CONSENT-8] says that no sandbox works, until the next message', async () => {
  const terminal = await here.open({ columns: 160 });
  await terminal.sees('No sandbox works on the server: bubblewrap is not installed');
  here.kernel.upstream.next(says('Hello.'));
  await terminal.say('Hi.');
  await terminal.sees(lines => lines.includes('Hello.') && idle(lines));
  expect(terminal.screen().join('\n')).not.toContain('No sandbox works');
});
