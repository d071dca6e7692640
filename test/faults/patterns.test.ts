/**
 * Tests third-party texts with a megabyte of worst-case input: the code that scans them takes time linear in their
 * length.
 */
import { redactUrl } from '@chat-kernel/settings';
import { expect, it } from 'vitest';
import { redactSecrets } from '../../packages/kernel/src/requests/snapshot.ts';
import { toTripFailure } from '../../packages/providers/src/trip/failures.ts';

const MIB = 1024 * 1024;
/** A quadratic pattern takes more than a minute for a megabyte on any machine. */
const LIMIT_MS = 20_000;

const WORST = [
  'a',
  'a.',
  '-',
  'key',
  '&key',
  'sk-',
  'eyJ-',
  'https://',
  'a://b:',
  ' ',
  '\n',
  '*',
  'Bearer ',
  '-----BEGIN ',
];

const failureText = (text: string): string =>
  toTripFailure({ statusCode: 500, responseBody: text }, { name: 'there', secrets: ['hush-hush'] }).error
    .message;

it.each(WORST)('processes a megabyte of %j in time', unit => {
  const text = unit.repeat(MIB / unit.length);
  for (const look of [redactUrl, failureText, (words: string) => redactSecrets(words, ['hush-hush'])]) {
    const begun = performance.now();
    look(text);
    expect(performance.now() - begun, look.name).toBeLessThan(LIMIT_MS);
  }
});

it('truncates the message of a provider without processing the rest', () => {
  const message = failureText(`${'It broke. '.repeat(100_000)}`);
  expect(message).toMatch(/^there answered 500: It broke\. /);
  expect(message.length).toBeLessThan(450);
});
