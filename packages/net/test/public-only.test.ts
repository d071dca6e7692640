/** Tests where a subscription may lead: never to this machine or local networks. */
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../src/index.ts';
import { isForeignAddress, NotPublic, publicLookup } from '../src/public-only.ts';

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.178.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '',
  'example.org',
])('[PUSH-4] %s is not public', address => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
])('[PUSH-4] %s is public', address => {
  expect(isPublicAddress(address)).toBe(true);
});

test('[PUSH-4] a public address of this machine is not foreign', () => {
  const card = { netmask: '', mac: '', internal: false, family: 'IPv4', cidr: null } as const;
  const interfaces = { eth0: [{ ...card, address: '8.8.8.8' }] };
  expect(isForeignAddress('8.8.8.8', interfaces)).toBe(false);
  expect(isForeignAddress('8.8.4.4', interfaces)).toBe(true);
  expect(isForeignAddress('10.0.0.1', interfaces)).toBe(false);
});

describe('the lookup of a connection', () => {
  const lookup = promisify(publicLookup);

  test.each([
    {},
    { all: true },
    { family: 4 },
  ])('[PUSH-4] rejects a name that resolves to this machine: %j', async options => {
    await expect(lookup('localhost', options)).rejects.toThrow(NotPublic);
  });

  test('returns the system error for a name that does not resolve', async () => {
    await expect(lookup('name.invalid', {})).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  });
});
