/** Tests heartbeats while a value is awaited, a caller that disconnects immediately, and that neither loses a value. */
import { expect, it } from 'vitest';
import { ClientDisconnected, withHeartbeat } from '../src/turns/heartbeat.ts';

const NEVER = new AbortController().signal;

it('emits each silence, and the value after it', async () => {
  const gate = Promise.withResolvers<void>();
  async function* values() {
    yield 1;
    await gate.promise;
    yield 2;
  }
  const told = withHeartbeat(values(), 1, NEVER);
  expect((await told.next()).value).toBe(1);
  expect((await told.next()).value).toBeUndefined();
  expect((await told.next()).value).toBeUndefined();
  gate.resolve();
  const heard: (number | undefined)[] = [];
  for await (const value of told) heard.push(value);
  expect(heard.filter(value => value !== undefined)).toEqual([2]);
});

it('ends during a wait when the caller disconnects', async () => {
  const gone = new AbortController();
  async function* values() {
    await new Promise(() => {});
    yield 1;
  }
  const waiting = withHeartbeat(values(), 60_000, gone.signal).next();
  gone.abort();
  await expect(waiting).rejects.toBeInstanceOf(ClientDisconnected);
});

it('throws errors of its values', async () => {
  async function* values() {
    yield await Promise.reject(new Error('broken'));
  }
  await expect(withHeartbeat(values(), 60_000, NEVER).next()).rejects.toThrow('broken');
});
