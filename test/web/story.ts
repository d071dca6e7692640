/** The chat in the screenshots of the README, from a scripted model. */
import type { TestKernel } from '../harness/kernel.ts';
import { calls } from '../harness/story.ts';

const ANSWER = `The schedule skips a day because both clocks change on the **last Sunday in March**: at 02:30 there is no such time.

\`\`\`ts
const next = zoned.add({ days: 1 });
return next.hour === at.hour ? next : next.with(at, { disambiguation: 'later' });
\`\`\`

| zone | missing hour | what happens now |
|---|---|---|
| Europe/Berlin | 02:00–03:00 | runs at 03:30 |
| America/New_York | 02:00–03:00 | runs at 03:30 |

I write a test first, then the fix.`;

const TEST = `import { expect, test } from 'vitest';
import { nextRun } from '../src/next-run.ts';

test('a run in the missing hour comes later that night', () => {
  expect(nextRun('02:30', '2026-03-28', 'Europe/Berlin')).toBe('2026-03-29T03:30');
});
`;

const PLAN = [
  { title: 'Find out which runs are skipped', status: 'completed' },
  { title: 'Write a test for the missing hour', status: 'in_progress' },
  { title: 'Fix the schedule', status: 'pending' },
];

/** Returns a chat whose turn waits for the approval to write a file. */
export async function tellStory({ client, upstream }: TestKernel, workdir: string): Promise<string> {
  for (const title of ['Bread, second attempt', 'A letter to the harbour office', 'Which tea is this?']) {
    await client.createChat({ title });
  }
  const chat = await client.createChat({
    title: 'Runs that were skipped',
    workdir,
    workdir_on: 'server',
    consent: 'ask',
  });
  upstream.next(
    {
      steps: [
        { thinking: 'Both days are Sundays in March. That smells of summer time.' },
        { text: 'I look at it.' },
        { call: { id: 'c0', name: 'plan', input: { tasks: PLAN } } },
      ],
    },
    calls('c1', 'read_file', { files: [{ path: 'next-run.ts' }] }),
    {
      steps: [
        { text: ANSWER },
        { call: { id: 'c2', name: 'write_file', input: { path: 'next-run.test.ts', content: TEST } } },
      ],
    },
  );
  const turn = await client.begin(chat.id, { text: 'Twice a year the nightly run is skipped. Why?' });
  await turn.until('consent_request');
  return chat.id;
}
