/** Tests the address to which authorization servers redirect a browser. */
import { expect, it } from 'vitest';
import { callbackUrl } from '../src/http/url.ts';

it('appends the path to the public address, with or without a slash at its end', () => {
  const expected = 'https://a.example/kernel/v1/guests/callback';
  expect(callbackUrl('https://a.example/kernel', 'http://127.0.0.1:8787')).toBe(expected);
  expect(callbackUrl('https://a.example/kernel/', 'http://127.0.0.1:8787')).toBe(expected);
  expect(callbackUrl('https://a.example', 'http://127.0.0.1:8787')).toBe(
    'https://a.example/v1/guests/callback',
  );
});

it('uses an address of the kernel that a browser can open when there is no public address', () => {
  const expected = 'http://127.0.0.1:8787/v1/guests/callback';
  expect(callbackUrl(null, 'http://127.0.0.1:8787')).toBe(expected);
  expect(callbackUrl(null, 'http://0.0.0.0:8787')).toBe(expected);
  expect(callbackUrl(null, 'http://[::]:8787')).toBe(expected);
  expect(callbackUrl(null, 'http://[::1]:8787')).toBe('http://[::1]:8787/v1/guests/callback');
});
