/** Tests when a text names an address as a whole (CONSENT-4). */
import { describe, expect, it } from 'vitest';
import { namesAddress } from '../src/turn/known-address.ts';

const ADDRESS = 'https://example.org/a';

describe('[CONSENT-4] an address that a text names', () => {
  it.each([
    ADDRESS,
    `See ${ADDRESS}.`,
    `See ${ADDRESS}, please`,
    `(${ADDRESS})`,
    `<${ADDRESS}>`,
    `**${ADDRESS}**`,
    `[a](${ADDRESS})[b](https://example.org/b)`,
    `{"url":"${ADDRESS}","title":"A"}`,
    `<a href='${ADDRESS}'>`,
    `Link:${ADDRESS}\nnext`,
    `„${ADDRESS}“`,
    `${ADDRESS}-longer and ${ADDRESS}`,
    `${ADDRESS}...`,
  ])('is named by %j', text => {
    expect(namesAddress(text, ADDRESS)).toBe(true);
  });

  it.each([
    `${ADDRESS}b`,
    `${ADDRESS}/b`,
    `${ADDRESS}?q=1`,
    `${ADDRESS}.html`,
    `${ADDRESS},b`,
    `${ADDRESS}(b)`,
    `${ADDRESS}&b`,
    `${ADDRESS}%20b`,
    `${ADDRESS}ä`,
    `${ADDRESS}\\b`,
    `https://other.example/?to=${ADDRESS}`,
    `https://other.example/${ADDRESS}`,
  ])('is not named by the beginning or the end of a longer one: %j', text => {
    expect(namesAddress(text, ADDRESS)).toBe(false);
  });

  it('may lack the slash of a host, which must be the whole host', () => {
    const host = 'https://example.org/';
    for (const text of ['https://example.org', 'See https://example.org.', 'https://example.org/'])
      expect(namesAddress(text, host), text).toBe(true);
    for (const text of [
      'https://example.org.evil.example',
      'https://example.org:81',
      'https://example.org@e',
    ])
      expect(namesAddress(text, host), text).toBe(false);
    expect(namesAddress('https://example.or', 'https://example.org')).toBe(false);
    expect(namesAddress('https://example.org/a', host)).toBe(false);
  });
});
