/**
 * A cheap reader in its own process: raw sockets, one for each request, without parsing, so that the responding program
 * limits a measure. Each message of the parent is a job: the reader sends `ready` when the sockets are open, waits for
 * `go`, sends `begun` when all responses have begun, and ends with the report.
 */
import { connect } from 'node:net';
import { now } from './clock.ts';

export interface Job {
  url: string;
  requests: { method: 'GET' | 'POST'; path: string; body?: string }[];
  /** Text close to the end of each response. */
  end: string;
}

export interface Report {
  /** When the requests were sent, and when each response was read completely; times of the clock. */
  sent: number;
  ended: number[];
  errors: number;
  bytes: number;
}

export type Said = 'ready' | 'begun' | Report;

/** The end mark is searched in this many last bytes of each piece. */
const LAST_BYTES = 4096;
const GOOD = Buffer.from('HTTP/1.1 200');

process.on('message', (job: Job | 'go') => {
  if (job !== 'go') void work(job);
});
process.on('disconnect', () => process.exit());

async function work(job: Job): Promise<void> {
  const report: Report = { sent: 0, ended: [], errors: 0, bytes: 0 };
  let silent = job.requests.length;
  const begun = () => void (--silent === 0 && say('begun'));
  const readers = await Promise.all(job.requests.map(request => open(job, request, report, begun)));
  say('ready');
  await new Promise(go => process.once('message', go));
  report.sent = now();
  await Promise.all(readers.map(reader => reader.read()));
  // Not earlier: closing sockets must not burden the program while others still read.
  for (const reader of readers) reader.close();
  report.errors = job.requests.length - report.ended.length;
  say(report);
}

interface Reader {
  /** Sends the request; resolves when the response is read, or broke off. */
  read(): Promise<void>;
  close(): void;
}

function open(
  { url, end }: Job,
  request: Job['requests'][number],
  report: Report,
  begun: () => void,
): Promise<Reader> {
  const { hostname, port, host } = new URL(url);
  const mark = Buffer.from(end);
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let border: Buffer = Buffer.alloc(0);
  let answered = false;
  const callback = (size: number, buffer: Uint8Array): boolean => {
    const piece = (buffer as Buffer).subarray(0, size);
    report.bytes += size;
    if (!answered) {
      answered = true;
      begun();
      if (!piece.subarray(0, GOOD.length).equals(GOOD)) socket.destroy();
    }
    // The mark may span two pieces; the memory of a piece is reused for the next one.
    border = Buffer.concat([border, piece.subarray(-LAST_BYTES)]);
    if (border.includes(mark)) {
      report.ended.push(now());
      finish();
    }
    border = border.subarray(1 - mark.length);
    return true;
  };
  const onread = { buffer: Buffer.allocUnsafe(65_536), callback };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  return new Promise((opened, failed) => {
    const read = () => {
      socket.write(textOf(request, host));
      return finished;
    };
    socket.on('connect', () => opened({ read, close: () => socket.destroy() }));
    // Before the socket is open, this is a mistake of the bench; after that, the response counts as an error.
    socket.on('error', failed);
    socket.on('close', () => {
      if (!answered) begun();
      finish();
    });
  });
}

function textOf({ method, path, body = '' }: Job['requests'][number], host: string): string {
  const about = body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${about}\r\n${body}`;
}

const say = (what: Said): void => void process.send!(what);
