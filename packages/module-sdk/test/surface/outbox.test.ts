import { expect, onTestFinished, test } from 'vitest';
import { Outbox, type OutboxState, type SendFailure } from '../../src/surface/index.ts';

interface Message {
  id: string;
  to: string;
  state: OutboxState;
  reason?: string | undefined;
  receipt?: number | undefined;
}

/** The error of a failed attempt. */
class Failed extends Error {
  readonly failure: Omit<SendFailure, 'reason'>;
  constructor(failure: Omit<SendFailure, 'reason'>) {
    super(`it is ${failure.state}`);
    this.failure = failure;
  }
}

/** An outbox of messages such as `ann 1`, whose attempts end as `script` says: by default each is sent. */
function outboxOf(
  ids: string[],
  script: Record<string, (Failed | Promise<void>)[]> = {},
  arrived?: string[],
) {
  const messages: Message[] = ids.map(id => ({ id, to: id.split(' ')[0]!, state: 'waiting' }));
  const attempts: string[] = [];
  const logged: string[] = [];
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const open = (message: Message) => message.state === 'waiting' || message.state === 'sending';
  const outbox = new Outbox<Message, number>(
    {
      pauses: { firstMs: 1, maxMs: 4 },
      lanes: () => messages.filter(open).map(({ to }) => to),
      next: lane => messages.find(message => message.to === lane && open(message)),
      async send({ id, state }) {
        expect(state).toBe('sending');
        attempts.push(id);
        const end = script[id]?.shift();
        if (end instanceof Failed) throw end;
        await end;
        return attempts.length;
      },
      failureOf: error => ({ reason: (error as Failed).message, ...(error as Failed).failure }),
      ...(arrived && { hasArrived: async ({ id, state }) => state === 'sending' && arrived.includes(id) }),
      mark(message, state, { reason, receipt }) {
        if (message.state === 'sent') return false;
        Object.assign(message, { state, reason, receipt });
        return true;
      },
    },
    {
      log: { debug() {}, info() {}, warn: text => logged.push(text), error: text => logged.push(text) },
      signal: stopping.signal,
    },
  );
  const states = () => messages.map(({ state }) => state);
  return { outbox, messages, attempts, logged, stopping, states };
}
const REFUSED = new Failed({ state: 'failed', lane: 'continue' });
const AWAY = new Failed({ state: 'waiting', lane: 'retry' });

test('sends the messages of a lane in order, and stores the receipts', async () => {
  const { outbox, messages, attempts } = outboxOf(['ann 1', 'ann 2', 'ann 3']);
  await outbox.flush();
  expect(attempts).toEqual(['ann 1', 'ann 2', 'ann 3']);
  expect(messages.map(({ state, receipt }) => [state, receipt])).toEqual([
    ['sent', 1],
    ['sent', 2],
    ['sent', 3],
  ]);
});

test('does not block other lanes by a waiting lane', async () => {
  const waiting = Promise.withResolvers<void>();
  const { outbox, states } = outboxOf(['ann 1', 'ann 2', 'ben 1'], { 'ann 1': [waiting.promise] });
  const flushed = outbox.flush();
  await expect.poll(states).toEqual(['sending', 'waiting', 'sent']);
  waiting.resolve();
  await flushed;
  expect(states()).toEqual(['sent', 'sent', 'sent']);
});

test('sends each message once for two simultaneous flushes', async () => {
  const { outbox, attempts } = outboxOf(['ann 1', 'ann 2']);
  await Promise.all([outbox.flush(), outbox.flush()]);
  expect(attempts).toEqual(['ann 1', 'ann 2']);
});

test('marks a rejected message as failed with the reason, and does not resend it', async () => {
  const { outbox, messages, attempts } = outboxOf(['ann 1', 'ann 2'], { 'ann 1': [REFUSED] });
  await outbox.flush();
  await outbox.flush();
  expect(attempts).toEqual(['ann 1', 'ann 2']);
  expect(messages).toMatchObject([{ state: 'failed', reason: 'it is failed' }, { state: 'sent' }]);
});

test('retries while the other side is unreachable, in the same order, with one log line', async () => {
  const { outbox, attempts, logged, states } = outboxOf(['ann 1', 'ann 2'], { 'ann 1': [AWAY, AWAY, AWAY] });
  await outbox.flush();
  expect(attempts).toEqual(['ann 1', 'ann 1', 'ann 1', 'ann 1', 'ann 2']);
  expect(states()).toEqual(['sent', 'sent']);
  expect(logged).toEqual(['Messages wait in the outbox: it is waiting']);
});

test('pauses for as long as the other side requests', async () => {
  const { outbox } = outboxOf(['ann 1'], {
    'ann 1': [new Failed({ state: 'waiting', lane: 'retry', retryAfterMs: 40 })],
  });
  const began = Date.now();
  await outbox.flush();
  expect(Date.now() - began).toBeGreaterThanOrEqual(38);
});

test('restarts a stopped lane with the next flush', async () => {
  const { outbox, states, logged } = outboxOf(['ann 1', 'ann 2'], {
    'ann 1': [new Failed({ state: 'waiting', lane: 'stop' })],
  });
  await outbox.flush();
  expect(states()).toEqual(['waiting', 'waiting']);
  expect(logged).toEqual(['A message could not be sent: it is waiting']);
  await outbox.flush();
  expect(states()).toEqual(['sent', 'sent']);
});

test('checks whether an interrupted message has arrived, and sends the others again', async () => {
  const { outbox, messages, attempts, states } = outboxOf(['ann 1', 'ann 2'], {}, ['ann 1']);
  for (const message of messages) message.state = 'sending';
  await outbox.flush();
  expect(attempts).toEqual(['ann 2']);
  expect(states()).toEqual(['sent', 'sent']);
});

test('leaves a message in progress marked as sending when the process stops', async () => {
  const waiting = Promise.withResolvers<void>();
  const { outbox, stopping, states } = outboxOf(['ann 1', 'ann 2'], { 'ann 1': [waiting.promise] });
  const flushed = outbox.flush();
  await expect.poll(states).toEqual(['sending', 'waiting']);
  stopping.abort();
  waiting.reject(new Error('It was cut off.'));
  await flushed;
  expect(states()).toEqual(['sending', 'waiting']);
});
