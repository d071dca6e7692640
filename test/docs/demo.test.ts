/** Runs the transcript of docs/memory.md with the demo model. */
import { readFileSync } from 'node:fs';
import type { Event } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { DemoClock } from '../harness/clock.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { textOf } from '../harness/story.ts';

/** The messages and answers of the transcript. */
const [, talk = ''] =
  /\n```\n(> remember .*?)```/s.exec(
    readFileSync(new URL('../../docs/memory.md', import.meta.url), 'utf8'),
  ) ?? [];
/** Ids and times differ in every run. */
const comparable = (text: string) =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\[[0-9a-f]{8}\]/g, '<id>')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
    .trim();

it('shows memory, past chats, skills and schedules without an API key, as in docs/memory.md', async () => {
  const llm = { providers: { demo: { kind: 'demo' as const } }, models: [], default_model: null };
  const { client } = await kernelOf({ clock: new DemoClock(), settings: { llm, skills: { shipped: true } } });
  const chats = [await client.createChat(), await client.createChat()];
  const printed: string[] = [];
  for (const [at, words] of [...talk.matchAll(/^> (.*)$/gm)].map(([, words]) => words as string).entries()) {
    // The first one is sent in another chat.
    const { id } = chats[Math.min(at, 1)]!;
    const stream = await client.begin(id, { text: words, questions: true });
    if (words.startsWith('remind')) {
      const call = await stream.until('tool_call');
      await client.answerRequest(id, { id: call.id, answer: 'Add schedule' });
    }
    printed.push(`> ${words}`, answerIn(await stream.all()));
  }
  expect(printed.length).toBe(8);
  expect(comparable(printed.join('\n\n'))).toBe(comparable(talk));
  expect(textOf(await client.say(chats[0]!.id, 'Use the skill write-commit.'))).toContain(
    '`skill` answered: The skill write-commit, in ',
  );
});

/** Without the demo's introduction in each chat. */
const answerIn = (events: readonly Event[]): string =>
  textOf(events)
    .replace(/^I am the demo model.*\n\n/, '')
    .trim();
