/** Tests that secrets are removed from texts of machines, and that other texts stay unchanged. */
import { describe, expect, it } from 'vitest';
import { redactSecrets, toSnapshot } from '../src/requests/snapshot.ts';

const x = (count: number) => 'Ab1'.repeat(count).slice(0, count);

describe('[OP-8] redacts secrets', () => {
  it.each([
    ['OpenAI', `sk-proj-${x(40)}`],
    ['Anthropic', `sk-ant-api03-${x(60)}`],
    ['Stripe', `sk_live_${x(24)}`],
    ['GitHub', `ghp_${x(36)}`],
    ['GitHub, fine', `github_pat_${x(60)}`],
    ['GitLab', `glpat-${x(20)}`],
    ['npm', `npm_${x(36)}`],
    ['Hugging Face', `hf_${x(34)}`],
    ['AWS', 'AKIAABCDEFGHIJKLMNOP'],
    ['Google', `AIza${x(35)}`],
    ['Slack', `xoxb-${x(30)}`],
    ['JWT', `eyJ${x(20)}.eyJ${x(20)}.${x(30)}`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${x(200)}\n-----END RSA PRIVATE KEY-----`],
  ])('a key of %s', (_name, key) => {
    expect(redactSecrets(`before ${key} after`, [])).toBe('before *** after');
  });

  it.each([
    [`Authorization: Bearer ${x(30)}`, 'Authorization: Bearer ***'],
    ['DB_PASSWORD=correct-horse', 'DB_PASSWORD=***'],
    ['{"api_key": "abcdefgh"}', '{"api_key": "***"}'],
    ['postgres://ada:hunter2@db/x', 'postgres://ada:***@db/x'],
  ])('a secret after its name: %s', (given, scrubbed) => {
    expect(redactSecrets(given, [])).toBe(scrubbed);
  });

  it('the text of secrets in the settings, except those too short to be distinctive', () => {
    const secrets = ['opensesame', 'sesame', 'abcde'];
    expect(redactSecrets('one opensesame, one sesame, one abcde', secrets)).toBe(
      'one ***, one ***, one abcde',
    );
  });

  it('without changing other text', () => {
    const text = 'The tokens: 1200. task-force-of-many-people-here https://example.org/a:b@c sk-short';
    expect(redactSecrets(text, [])).toBe(text);
  });

  it('in linear time', () => {
    const before = performance.now();
    for (const bait of ['-----BEGIN ', 'eyJ', 'a://', 'token', 'sk-', 'bearer ', 'a.'])
      redactSecrets(bait.repeat(40_000), []);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});

describe('[OP-8] a snapshot of the last 8 KiB', () => {
  it.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
  ])('contains text of %s, and starts with a complete character', (character, bytes) => {
    for (const lead of ['', 'x', 'xy', 'xyz']) {
      const cut = toSnapshot(`${lead}${character.repeat(9000)}${lead}`, []);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(8192 - bytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(8192);
      expect(cut).not.toContain('\ufffd');
    }
  });

  it('redacts a secret before the cut could split it', () => {
    const key = `sk-${x(60)}`;
    expect(toSnapshot(`${key}${' '.repeat(8192 - 20)}`, [])).not.toContain(x(60).slice(-15));
  });
});
