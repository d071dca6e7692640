/** Secrets that are taken out of texts of machines, and texts that are left. */
import { describe, expect, it } from 'vitest';
import { scrub } from '../src/requests/scrub.ts';
import { snapshotOf } from '../src/requests/snapshot.ts';

const x = (count: number) => 'Ab1'.repeat(count).slice(0, count);

describe('[OP-8] secrets are taken out', () => {
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
  ])('the key of %s', (_name, key) => {
    expect(scrub(`before ${key} after`, [])).toBe('before *** after');
  });

  it.each([
    [`Authorization: Bearer ${x(30)}`, 'Authorization: Bearer ***'],
    ['DB_PASSWORD=correct-horse', 'DB_PASSWORD=***'],
    ['{"api_key": "abcdefgh"}', '{"api_key": "***"}'],
    ['postgres://ada:hunter2@db/x', 'postgres://ada:***@db/x'],
  ])('by the name before it: %s', (given, scrubbed) => {
    expect(scrub(given, [])).toBe(scrubbed);
  });

  it('those of the settings by their text, save where one is too short to tell it from a word', () => {
    expect(scrub('one opensesame, one abc', ['opensesame', 'abc'])).toBe('one ***, one abc');
  });

  it('and nothing else', () => {
    const text = 'The tokens: 1200. task-force-of-many-people-here https://example.org/a:b@c sk-short';
    expect(scrub(text, [])).toBe(text);
  });

  it('in time that grows with the text alone', () => {
    const before = performance.now();
    for (const bait of ['-----BEGIN ', 'eyJ', 'a://', 'token', 'sk-', 'bearer ', 'a.'])
      scrub(bait.repeat(40_000), []);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});

describe('[OP-8] a snapshot is the last 8 KiB', () => {
  it.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
  ])('of %s, and begins with a whole character', (character, bytes) => {
    for (const lead of ['', 'x', 'xy', 'xyz']) {
      const cut = snapshotOf(`${lead}${character.repeat(9000)}${lead}`, []);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(8192 - bytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(8192);
      expect(cut).not.toContain('\ufffd');
    }
  });

  it('a secret that the cut would halve is hidden first', () => {
    const key = `sk-${x(60)}`;
    expect(snapshotOf(`${key}${' '.repeat(8192 - 20)}`, [])).not.toContain(x(60).slice(-15));
  });
});
