/** Silence is told while a value is awaited, a caller that is gone at once, and no value is lost by either. */
import { expect, it } from 'vitest';
import { beats, HungUp } from '../src/turns/beats.ts';

const NEVER = new AbortController().signal;

it('tells of each silence, and of the value behind it', async () => {
  const gate = Promise.withResolvers<void>();
  async function* values() {
    yield 1;
    await gate.promise;
    yield 2;
  }
  const told = beats(values(), 1, NEVER);
  expect((await told.next()).value).toBe(1);
  expect((await told.next()).value).toBeUndefined();
  expect((await told.next()).value).toBeUndefined();
  gate.resolve();
  const heard: (number | undefined)[] = [];
  for await (const value of told) heard.push(value);
  expect(heard.filter(value => value !== undefined)).toEqual([2]);
});

it('ends in the middle of a wait when the caller hangs up', async () => {
  const gone = new AbortController();
  async function* values() {
    await new Promise(() => {});
    yield 1;
  }
  const waiting = beats(values(), 60_000, gone.signal).next();
  gone.abort();
  await expect(waiting).rejects.toBeInstanceOf(HungUp);
});

it('throws what its values throw', async () => {
  async function* values() {
    yield await Promise.reject(new Error('broken'));
  }
  await expect(beats(values(), 60_000, NEVER).next()).rejects.toThrow('broken');
});
