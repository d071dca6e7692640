/** A small name server that knows only the TXT records that it was given. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** @returns `address:port` */
export async function startDns(records: Readonly<Record<string, string>>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, records), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

const TXT = 16;

function answerTo(query: Buffer, records: Readonly<Record<string, string>>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at]!; size > 0; size = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const question = query.subarray(12, at + 5);
  const found = query.readUInt16BE(at + 1) === TXT ? records[labels.join('.').toLowerCase()] : undefined;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // A response with recursion available; code 3: the name does not exist.
  head.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found === undefined ? 0 : 1, 6);
  if (found === undefined) return Buffer.concat([head, question]);
  const parts = (found.match(/.{1,255}/g) ?? []).map(part => Buffer.from(`\0${part}`));
  for (const part of parts) part[0] = part.length - 1;
  const data = Buffer.concat(parts);
  const record = Buffer.alloc(12);
  // The name is that of the question.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TXT, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, question, record, data]);
}
