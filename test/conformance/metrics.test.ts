/** Tests GET /metrics: Prometheus can read the numbers, and they are correct. */
import { expect, test } from 'vitest';
import type { ApiClient } from '../harness/client.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, says, stuck } from '../harness/story.ts';

const LINE =
  /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="(?:[^"\\]|\\.)*")*\})? [\d.e+-]+)$/;

/** Sample with its labels → value. Throws for a malformed line. */
async function scrape(api: ApiClient): Promise<Record<string, number>> {
  const { headers, body } = await api.raw('/metrics', { method: 'GET' });
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = `${body}`.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(LINE);
  const samples = lines.filter(line => !line.startsWith('#'));
  return Object.fromEntries(
    samples.map(line => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

test('[API-2] reports turns, tokens, streams, pending requests, responses and the process', async () => {
  const { api, upstream } = await kernelOf();
  const before = await scrape(api);
  expect(before).toMatchObject({
    'chat_kernel_turns_ended_total{end="completed"}': 0,
    'chat_kernel_turns_open{status="running"}': 0,
    chat_kernel_streams_open: 0,
    chat_kernel_requests_pending: 0,
  });
  expect(before.process_resident_memory_bytes).toBeGreaterThan(10_000_000);

  upstream.next(says('Hello.'));
  const chat = await api.newChat();
  await api.say(chat.id, 'Hi.');
  upstream.next({ error: 'unauthorized' });
  await api.say(chat.id, 'Hi.');
  upstream.next(
    calls('q', 'ask_questions', { questions: [{ question: 'Why?', options: [{ label: 'So' }] }] }),
  );
  const other = await api.newChat();
  const asking = await api.turn(other.id, { text: 'Hi.', questions: true });
  await asking.until('tool_call');
  await expect.poll(async () => (await scrape(api)).chat_kernel_requests_pending).toBe(1);
  upstream.next(stuck({ text: 'Well' }));
  const running = await api.turn(chat.id, { text: 'Hi.' });
  await running.until('text_delta');

  const spend = (await api.get('/v1/stats')).body.tokens;
  const now = await scrape(api);
  expect(now.chat_kernel_write_ahead_log_bytes).toBeGreaterThan(0);
  expect(now).toMatchObject({
    'chat_kernel_turns_ended_total{end="completed"}': 1,
    'chat_kernel_turns_ended_total{end="failed"}': 1,
    'chat_kernel_turns_ended_total{end="cancelled"}': 0,
    'chat_kernel_turns_open{status="running"}': 2,
    chat_kernel_streams_open: 2,
    'chat_kernel_tokens_total{model="scripted/plain",kind="prompt"}': spend.prompt_tokens,
    'chat_kernel_tokens_total{model="scripted/plain",kind="completion"}': spend.completion_tokens,
    'chat_kernel_http_requests_total{method="POST",route="/v1/chats",status="201"}': 2,
    'chat_kernel_http_requests_total{method="POST",route="/v1/chats/:id/messages",status="200"}': 2,
  });

  running.hangUp();
  asking.hangUp();
  await expect.poll(async () => (await scrape(api)).chat_kernel_streams_open).toBe(0);
  for (const { id } of [chat, other]) await api.post(`/v1/chats/${id}/cancel`);
  expect((await scrape(api))['chat_kernel_turns_ended_total{end="cancelled"}']).toBe(2);
});
