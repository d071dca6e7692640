/** Tests questions of modules to the owner outside of turns. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { ModuleQuestions } from '../src/api/module-questions.ts';
import { KernelEvents } from '../src/events/kernel-events.ts';
import type { Extensions, ModuleQuestion } from '../src/ports/index.ts';
import { Requests } from '../src/requests/requests.ts';

const QUESTION = { question: 'Is this mail yours?', options: [{ label: 'Yes' }, { label: 'No' }] };

function questions() {
  const clock = new ManualClock();
  const requests = new Requests(clock, [], new KernelEvents(() => null));
  let ask!: ModuleQuestion;
  const extensions = {
    onQuestion(given: ModuleQuestion) {
      ask = given;
    },
  } as unknown as Extensions;
  const asking = new ModuleQuestions({ extensions, requests, timeout_secs: 60 });
  const end = new AbortController();
  return { clock, requests, asking, end, ask: (module = 'mail') => ask(module, QUESTION, end.signal) };
}

it('lists a question under the name of its module, and resolves with the answer', async () => {
  const { requests, ask } = questions();
  const answer = ask();
  const [request] = requests.pending();
  expect(request).toMatchObject({
    kind: 'question',
    chat_id: '00000000-0000-0000-0000-000000000000',
    question: 0,
    event: {
      type: 'tool_call',
      name: 'module_question',
      input: { name: 'mail', questions: [{ ...QUESTION, header: 'mail' }] },
    },
  });
  requests.answer(request!.chat_id, { id: request!.id, question: 0, answer: 'Yes' });
  expect(await answer).toBe('Yes');
  expect(requests.pending()).toEqual([]);
});

it('resolves with null when the time is over, and rejects if the module disconnects or the kernel stops', async () => {
  const { clock, requests, asking, end, ask } = questions();
  const expired = ask();
  clock.advance(60_000);
  expect(await expired).toBe(null);
  const stopped = ask('telegram');
  asking.stop();
  await expect(stopped).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(ask()).rejects.toMatchObject({ code: 'shutting_down' });
  const other = questions();
  const withdrawn = other.ask();
  other.end.abort();
  await expect(withdrawn).rejects.toMatchObject({ code: 'shutting_down' });
  end.abort();
  expect([...requests.pending(), ...other.requests.pending()]).toEqual([]);
});

it('asks at most 20 questions of a module at the same time', async () => {
  const { requests, ask, asking } = questions();
  const open = Array.from({ length: 20 }, () => ask());
  await expect(ask()).rejects.toMatchObject({ code: 'too_busy' });
  open.push(ask('telegram'));
  expect(requests.pending()).toHaveLength(21);
  asking.stop();
  expect(await Promise.allSettled(open)).toHaveLength(21);
});
