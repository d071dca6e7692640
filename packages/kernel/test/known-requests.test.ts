/** Tests by which ids requests are found once their turns are gone. */
import { expect, it } from 'vitest';
import { type KnownRequest, KnownRequests } from '../src/requests/known-requests.ts';

const RESOLUTION = { id: 'call', reason: 'answered' } as unknown as KnownRequest['resolution'];
const request = (turn_id: string, fields: Partial<KnownRequest> = {}): KnownRequest => ({
  ...{ chat_id: 'c', turn_id, id: 'call', question: undefined, resolution: RESOLUTION },
  ...fields,
});

it('forgets the resolved requests of a call whose id another turn uses again, and only those', () => {
  const known = new KnownRequests<KnownRequest>();
  const [old, open, other, own] = [
    request('rewound'),
    request('waiting', { resolution: null }),
    request('elsewhere', { chat_id: 'd' }),
    request('again'),
  ];
  for (const each of [old, open, other, own]) known.add(each);
  for (const each of [old, other, own]) known.remember(each);
  known.forgetOtherTurns('call', own);
  expect(known.find('c', 'call', undefined)).toBe(own);
  expect(known.find('d', 'call', undefined)).toBe(other);
  known.forgetOtherTurns('call', { chat_id: 'c', turn_id: 'next' });
  expect(known.find('c', 'call', undefined)).toBe(open);
});

it('keeps the last thousand resolved requests', () => {
  const known = new KnownRequests<KnownRequest>();
  for (let n = 0; n <= 1000; n++) {
    const each = request('t', { id: `call_${n}` });
    known.add(each);
    known.remember(each);
  }
  expect(['call_0', 'call_1', 'call_1000'].map(id => known.has(id))).toEqual([false, true, true]);
  expect(() => known.find('c', 'call_0', undefined)).toThrow('There is no request call_0.');
});
