/** Tests how conversations are compared: typical changes by clients do not count, and all other differences do. */
import { describe, expect, it } from 'vitest';
import { type Entry, endsAlike, fingerprintEntries, goesOn, toEntries } from '../src/conversation/entries.ts';

const user = (text: string): Entry => ({ role: 'user', text });
const model = (text: string): Entry => ({ role: 'assistant', text });
const IMAGE = '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa';

describe('entries', () => {
  it('omit white space and empty messages, and join consecutive messages of one role', () => {
    const said = [user(' Hi\n there '), model(''), user('!'), model('a'), model('b')];
    expect(toEntries(said)).toEqual([user('Hithere!'), model('ab')]);
    expect(said[0]).toEqual(user(' Hi\n there '));
  });

  it('omit generated images, in the form of the history and of answers', () => {
    const stored = model(`See: [image ${IMAGE}] /images/${IMAGE}`);
    const shown = model(`See: ![image](https://chat.example.org/images/${IMAGE})`);
    expect(toEntries([stored])).toEqual(toEntries([shown]));
  });
});

describe('a fingerprint', () => {
  it('depends on roles, texts and their order', () => {
    const all = [
      [user('ab')],
      [model('ab')],
      [user('a'), model('b')],
      [user('b'), model('a')],
      [user('a'), model('b'), user('c')],
    ];
    expect(new Set(all.map(entries => fingerprintEntries(entries))).size).toBe(all.length);
  });

  it('of a conversation equals that of its end, seeded with the fingerprint of its start', () => {
    const all = [user('a'), model('b'), user('c'), model('d')];
    expect(fingerprintEntries(all.slice(2), fingerprintEntries(all.slice(0, 2)))).toBe(
      fingerprintEntries(all),
    );
  });
});

describe('a conversation', () => {
  const answer = 'd'.repeat(50);
  const entries = [user('a'), model('b'), user('c'), model(answer)];
  const chat = { entries, isCut: false };
  const withAnswer = (text: string) => [...entries.slice(0, 3), model(text)];

  it('continues in a chat whose answer it has completely, or 40 characters of one that was cut', () => {
    expect(goesOn(chat, '', entries)).toBe(true);
    expect(goesOn({ ...chat, isCut: true }, '', entries)).toBe(true);
    expect(goesOn({ ...chat, isCut: true }, '', withAnswer('d'.repeat(40)))).toBe(true);
  });

  it('does not continue by the beginning of a complete answer, or by less than 40 characters', () => {
    expect(goesOn(chat, '', withAnswer('d'.repeat(49)))).toBe(false);
    expect(endsAlike(chat, withAnswer('d'.repeat(49)))).toBe(false);
    expect(goesOn({ ...chat, isCut: true }, '', withAnswer('d'.repeat(39)))).toBe(false);
    expect(endsAlike({ ...chat, isCut: true }, withAnswer('d'.repeat(39)))).toBe(false);
  });

  it('does not continue in a chat with other content', () => {
    for (const heard of [
      [],
      entries.slice(0, 3),
      entries.slice(2),
      [user('x'), ...entries.slice(1)],
      [...entries.slice(0, 2), user('x'), model(answer)],
      withAnswer(`${answer}d`),
      [...entries, user('more')],
    ]) {
      expect(goesOn({ ...chat, isCut: true }, '', heard), JSON.stringify(heard)).toBe(false);
    }
    expect(goesOn({ entries: [model('d')], isCut: false }, '', [model('bd')])).toBe(false);
  });

  it('matches the end of a page of a chat, whose first entry may be truncated', () => {
    const end = (...last: Entry[]) => ({ entries: last, isCut: false });
    expect(endsAlike(end(model('dd')), entries)).toBe(true);
    expect(endsAlike(end(user('c'), model('dd')), [user('ccc'), model('dd')])).toBe(true);
    expect(endsAlike(end(user('x'), model(answer)), entries)).toBe(false);
  });
});
