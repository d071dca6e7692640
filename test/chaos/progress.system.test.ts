/** Tests a client that sends progress continuously, with a reader that reads all of it and one that reads nothing. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../harness/http.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { calls, eventsOf, says } from '../harness/story.ts';
import { megabytes, memoryFrom, memoryNow, noMemory, peakMemory } from './memory.ts';

const SNAPSHOTS = 6_000;
const SNAPSHOT_BYTES = 8 * 1024;
/**
 * V8 sizes its heap by the allocation rate, regardless of what is retained. This grows the heap before the measurement.
 */
const WARM_UP = 1000;
const CONNECTIONS = 8;
/** Bytes that the flood may add to the memory of the kernel; as a log it would take 96 MB. */
const LIMIT = 60e6;

describe.skipIf(noMemory)('[OP-8] a flood of progress', () => {
  let kernel: KernelProcess;
  beforeAll(async () => {
    kernel = await startKernelProcess();
  });
  afterAll(async () => void (await kernel?.stop()));

  test(`[OP-8] keeps ${SNAPSHOTS} snapshots of one call out of memory, and completes the turn`, async () => {
    const { api, pid, upstream, url } = kernel;
    const chat = await api.newChat();
    upstream.next(calls('flood', 'watch', {}), says('Seen.'));
    const watch = { name: 'watch', description: 'Watches.', timeout_secs: 600 };
    const lagging = await api.turn(chat.id, { text: 'Go.', extra_tools: [watch] });
    await lagging.until('extra_tool_call');
    lagging.pause();
    const keen = await exchange(`${url}/v1/chats/${chat.id}/live`, { method: 'GET' });
    const read = drained(keen);

    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    let sent = 0;
    const sendUpTo = async (count: number) => {
      while (sent < count) await show(agent, `${url}/v1/chats/${chat.id}/ops/progress`, snapshot(sent++));
    };
    const flood = (count: number) => Promise.all(Array.from({ length: CONNECTIONS }, () => sendUpTo(count)));
    const cold = memoryNow(pid);
    await flood(WARM_UP);
    const before = memoryFrom(pid);
    const began = performance.now();
    await flood(WARM_UP + SNAPSHOTS);
    agent.destroy();
    const [after, peak] = [memoryNow(pid), peakMemory(pid)];
    const took = (performance.now() - began) / 1000;

    await api.post(`/v1/chats/${chat.id}/ops/result`, { id: 'flood', result: 'done' });
    lagging.resume();
    const events = await lagging.all();
    const bytes = await read;
    process.stdout.write(
      `${SNAPSHOTS} snapshots in ${took.toFixed(1)} s: added ${megabytes(after - before)} to ${megabytes(before)} ` +
        `(cold: ${megabytes(cold)}), at most ${megabytes(peak - before)}; ` +
        `one read ${megabytes(bytes)}, one that lagged ${megabytes(lagging.raw.length)}\n`,
    );
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    expect(eventsOf(events, 'tool_result')).toMatchObject([{ id: 'flood', output: 'done', is_error: false }]);
    // The last snapshot is never lost: a slow reader sees the final state.
    const shown = eventsOf(events, 'tool_progress');
    expect(shown.at(-1)?.output).toHaveLength(SNAPSHOT_BYTES);
    expect(Number(shown.at(-1)?.output.split(' ')[1])).toBeGreaterThan(sent - 100);
    expect(shown.length).toBeLessThan(SNAPSHOTS / 2);
    expect(bytes).toBeGreaterThan(0);
    expect(JSON.stringify(await api.items(chat.id))).not.toContain('snapshot');
    expect(after - before).toBeLessThan(LIMIT);
  }, 600_000);
});

/** The body of a request; each differs from the others. */
const snapshot = (number: number): string =>
  JSON.stringify({ id: 'flood', output: `snapshot ${number} `.padEnd(SNAPSHOT_BYTES, 'working on it ') });

/** Throws if the kernel does not accept it. */
async function show(agent: Agent, address: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const outgoing = request(address, { method: 'POST', headers, agent });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  await drained(answer);
  if (answer.statusCode !== 200) throw new Error(`a snapshot was answered with ${answer.statusCode}`);
}

/** Counts the bytes until the end. */
async function drained(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  return bytes;
}
