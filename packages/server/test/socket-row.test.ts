/** Tests how the tables of Linux write the ends of a connection. */
import { expect, test } from 'vitest';
import { toPeerRow } from '../src/http/peer-user.ts';

const ends = (remoteAddress: string, localAddress: string) =>
  toPeerRow({ remoteAddress, remotePort: 80, localAddress, localPort: 43_981 });

test('[CONSENT-11] writes addresses of IPv4 for both tables, with the other end first', () => {
  const rows = {
    tcp: '0100007F:0050 0A09087F:ABCD',
    tcp6: '0000000000000000FFFF00000100007F:0050 0000000000000000FFFF00000A09087F:ABCD',
  };
  expect(ends('127.0.0.1', '127.8.9.10')).toEqual(rows);
  expect(ends('::ffff:127.0.0.1', '::ffff:127.8.9.10')).toEqual(rows);
});

test.each([
  ['::1', '00000000000000000000000001000000'],
  ['::', '00000000000000000000000000000000'],
  ['fe80::a:1', '000080FE00000000000000000100 0A00'.replace(' ', '')],
  ['1:203::', '03020100000000000000000000000000'],
  ['1:203:405:607:809:a0b:c0d:e0f', '03020100070605040B0A09080F0E0D0C'],
])('[CONSENT-11] writes %s in words of the byte order of the machine', (address, words) => {
  expect(ends(address, address)).toEqual({ tcp: undefined, tcp6: `${words}:0050 ${words}:ABCD` });
});

test('[CONSENT-11] finds no row for a socket that is closed', () => {
  const open = { remoteAddress: '::1', remotePort: 1, localAddress: '::1', localPort: 2 };
  for (const missing of Object.keys(open))
    expect(toPeerRow({ ...open, [missing]: undefined })).toBeUndefined();
});
