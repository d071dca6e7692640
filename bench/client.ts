/** The load client: posts a body and searches the response for two byte marks, without decoding. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { now } from './clock.ts';

/** Milliseconds since the start of the request, which is a time of the clock. */
export interface Timing {
  begun: number;
  first: number;
  done: number;
}

/** Bytes that mark the first delta and the end of a stream. */
interface Marks {
  first: Buffer;
  done: Buffer;
}
export const CHAT_COMPLETIONS: Marks = {
  first: Buffer.from('"content":" token"'),
  done: Buffer.from('data: [DONE]'),
};
export const KERNEL: Marks = {
  first: Buffer.from('"type":"text_delta"'),
  done: Buffer.from('"type":"done","'),
};

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Resolves once the response has ended. Rejects if it is not a 200, breaks off, or ends without either mark. */
export function stream(url: string, body: Buffer, marks: Marks): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const begun = now();
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = request(url, { method: 'POST', agent, headers }, answer => {
      if (answer.statusCode !== 200)
        return void text(answer).then(said => reject(refused(url, answer, said)));
      const timing: Timing = { begun, first: 0, done: 0 };
      const look = seeker(marks, timing);
      answer.on('data', look);
      answer.on('error', reject);
      answer.on('end', () =>
        timing.first && timing.done ? resolve(timing) : reject(new Error(`${url} ended too early`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends a JSON request and returns its response; for steps that need no microsecond precision. */
export function call<Answer>(method: string, url: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json' } : {};
    const outgoing = request(url, { method, agent, headers }, async answer => {
      const said = await text(answer);
      if ((answer.statusCode ?? 500) >= 300) reject(refused(url, answer, said));
      else resolve(said ? JSON.parse(said) : undefined);
    });
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

/** Searches each piece, including the boundary with the previous piece. */
function seeker(marks: Marks, timing: Timing): (piece: Buffer) => void {
  let tail: Buffer = Buffer.alloc(0);
  const overlap = Math.max(marks.first.length, marks.done.length) - 1;
  return piece => {
    const border = Buffer.concat([tail, piece.subarray(0, overlap)]);
    const has = (mark: Buffer) => piece.includes(mark) || border.includes(mark);
    if (!timing.first && has(marks.first)) timing.first = now() - timing.begun;
    if (timing.first && has(marks.done)) timing.done = now() - timing.begun;
    tail =
      piece.length >= overlap ? piece.subarray(-overlap) : Buffer.concat([tail, piece]).subarray(-overlap);
  };
}

async function text(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const refused = (url: string, answer: IncomingMessage, said: string): Error =>
  new Error(`${url} answered ${answer.statusCode}: ${said.slice(0, 500)}`);
