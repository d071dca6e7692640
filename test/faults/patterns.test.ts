/** Texts of others, a megabyte of the worst: what looks through them takes time linear in their length. */
import { expect, it } from 'vitest';
import { scrub } from '../../packages/kernel/src/requests/scrub.ts';
import { failureOf } from '../../packages/providers/src/trip/failures.ts';
import { redactUrl } from '../../packages/server/src/settings/redact.ts';

const MIB = 1024 * 1024;
/** A pattern that is quadratic takes a megabyte more than a minute on any machine. */
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
  failureOf({ statusCode: 500, responseBody: text }, { name: 'there', secrets: ['hush-hush'] }).error.message;

it.each(WORST)('a megabyte of %j', unit => {
  const text = unit.repeat(MIB / unit.length);
  for (const look of [redactUrl, failureText, (words: string) => scrub(words, ['hush-hush'])]) {
    const begun = performance.now();
    look(text);
    expect(performance.now() - begun, look.name).toBeLessThan(LIMIT_MS);
  }
});

it('the words of a provider are cut, and what stands behind them costs nothing', () => {
  const message = failureText(`${'It broke. '.repeat(100_000)}`);
  expect(message).toMatch(/^there answered 500: It broke\. /);
  expect(message.length).toBeLessThan(450);
});
