/** Tests that known secrets are removed from outputs of tools, and that other outputs stay unchanged. */
import { describe, expect, it } from 'vitest';
import { KnownSecrets } from '../src/base/known-secrets.ts';

const KEY = 'sk-test-0123456789abcdef';

describe('[API-7] known secrets', () => {
  it('are replaced wherever they are, the longest first', () => {
    const secrets = new KnownSecrets(['hunter2', `Bearer ${KEY}`, KEY, `${KEY}-long`]);
    expect(secrets.redact(`a=${KEY}-long b="${KEY}" Bearer ${KEY}\nhunter2${KEY}`)).toBe(
      'a=*** b="***" ***\n******',
    );
  });

  it('are not replaced if they are short, a word or a number', () => {
    const text = 'the postgres password is 12345678, not-needed or a-b';
    expect(new KnownSecrets(['postgres', 'password', '12345678', 'not-needed', 'a-b', '']).redact(text)).toBe(
      text,
    );
    expect(new KnownSecrets(['correcthorsebattery']).redact('correcthorsebattery')).toBe('***');
  });

  it.each([
    ['its end', `${KEY.slice(10)} and more`, '*** and more'],
    ['its beginning', `more ${KEY.slice(0, 10)}`, 'more ***'],
    ['all of it', `more ${KEY}`, 'more ***'],
    ['only its end', KEY.slice(1), '***'],
    ['only its beginning', KEY.slice(0, -1), '***'],
    ['three characters of it', `more ${KEY.slice(0, 3)}`, `more ${KEY.slice(0, 3)}`],
  ])('are hidden in a snapshot that contains %s', (_part, text, shown) => {
    const other = `${KEY.slice(0, 6)}other${KEY.slice(-6)}`;
    expect(new KnownSecrets([`${other}-long-enough-to-be-first`, KEY, other]).redactSnapshot(text)).toBe(
      shown,
    );
  });

  it('cost little in a large output', () => {
    const secrets = new KnownSecrets(Array.from({ length: 30 }, (_, index) => `${KEY}${index}`));
    // Each line begins like a secret.
    const output = `sk-test-01234 is not a key, but this is text: é\n`.repeat(22_000);
    const times = Array.from({ length: 5 }, () => {
      const before = performance.now();
      expect(secrets.redact(output) === output).toBe(true);
      return performance.now() - before;
    });
    expect(Math.min(...times)).toBeLessThan(50 * Number(process.env.TEST_SLOWNESS ?? 1));
  });
});
