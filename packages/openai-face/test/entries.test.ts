/** How conversations are compared: what clients change on the way does not count, and nothing else is overlooked. */
import { describe, expect, it } from 'vitest';
import { type Entry, endsAlike, entriesOf, fingerprintOf, goesOn } from '../src/conversation/entries.ts';

const user = (text: string): Entry => ({ role: 'user', text });
const model = (text: string): Entry => ({ role: 'assistant', text });
const IMAGE = '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa';

describe('entries', () => {
  it('leave out blanks, what is empty, and where one role stops and goes on', () => {
    const said = [user(' Hi\n there '), model(''), user('!'), model('a'), model('b')];
    expect(entriesOf(said)).toEqual([user('Hithere!'), model('ab')]);
    expect(said[0]).toEqual(user(' Hi\n there '));
  });

  it('leave out images that were generated, as history and as answers have them', () => {
    const stored = model(`See: [image ${IMAGE}] /images/${IMAGE}`);
    const shown = model(`See: ![image](https://chat.example.org/images/${IMAGE})`);
    expect(entriesOf([stored])).toEqual(entriesOf([shown]));
  });
});

describe('a fingerprint', () => {
  it('tells who said what in which order', () => {
    const all = [
      [user('ab')],
      [model('ab')],
      [user('a'), model('b')],
      [user('b'), model('a')],
      [user('a'), model('b'), user('c')],
    ];
    expect(new Set(all.map(entries => fingerprintOf(entries))).size).toBe(all.length);
  });

  it('of a conversation is that of its end behind the fingerprint of its beginning', () => {
    const all = [user('a'), model('b'), user('c'), model('d')];
    expect(fingerprintOf(all.slice(2), fingerprintOf(all.slice(0, 2)))).toBe(fingerprintOf(all));
  });
});

describe('a conversation', () => {
  const chat = [user('a'), model('b'), user('c'), model('dddd')];

  it('goes on in a chat that it has heard to the end, or to where it hung up', () => {
    expect(goesOn(chat, '', chat)).toBe(true);
    expect(goesOn(chat, '', [...chat.slice(0, 3), model('dd')])).toBe(true);
  });

  it('does not go on where anything else was said', () => {
    for (const heard of [
      [],
      chat.slice(0, 3),
      chat.slice(2),
      [user('x'), ...chat.slice(1)],
      [...chat.slice(0, 2), user('x'), model('dddd')],
      [...chat.slice(0, 3), model('ddddd')],
      [...chat, user('more')],
    ]) {
      expect(goesOn(chat, '', heard), JSON.stringify(heard)).toBe(false);
    }
  });

  it('ends like a page of a chat, whose first entry may lack its beginning', () => {
    expect(endsAlike([model('dd')], chat)).toBe(true);
    expect(endsAlike([user('c'), model('dddd')], [user('ccc'), model('dddd')])).toBe(true);
    expect(endsAlike([user('x'), model('dddd')], chat)).toBe(false);
  });
});
