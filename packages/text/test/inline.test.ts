/** Tests the helpers for inline elements of Markdown. */
import { expect, it } from 'vitest';
import { decodeEntities, webAddress } from '../src/inline.ts';

it('creates links only for web and mail addresses', () => {
  expect(webAddress('https://a.example/x y')).toBe('https://a.example/x%20y');
  expect(webAddress('mailto:ada@a.example')).toBe('mailto:ada@a.example');
  for (const text of ['javascript:alert(1)', 'file:///etc/passwd', '/path'])
    expect(webAddress(text), text).toBeNull();
  expect(webAddress('https://a.example/\u0007\u001b]0;x')).not.toMatch(/\p{Cc}/u);
});

it('decodes the entities of prose, and no others', () => {
  expect(decodeEntities('a &lt; b &amp;&amp; c&nbsp;d &copy;')).toBe('a < b && c\u00a0d &copy;');
});
