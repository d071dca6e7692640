/**
 * Forwards requests that need the owner of a chat to the kernel that owns it (FLEET-1). If a kernel dies, its streams
 * are requested again from the next owner, after the last forwarded event, so that the client receives the rest of the
 * turn (FLEET-3).
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { RetryBackoff } from '@chat-kernel/base';
import type { Fleet } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { MAX_VALUES, readMeasured } from '../http/read-body.ts';
import { Frames } from './frames.ts';
import { type Asked, NoAnswer, type Target, withoutConnection } from './hop.ts';
import { type Hops, MOVED_HEADER } from './hops.ts';

/** A vanished machine is detected as dead within 12 s, so waiting longer is useless. */
const MAX_RETRY_MS = 15_000;
/** The delays between two attempts; the detection of a death ends a delay. */
const PAUSES = { firstMs: 50, maxMs: 200 };
/** An id that no event has: a request for events after it returns the whole stream of its turn. */
const NO_EVENT = '999999999999999';

interface ForwardDeps {
  fleet: Fleet;
  hops: Hops;
  /** Whether another kernel sent a request. */
  isOfKernel(request: FastifyRequest): boolean;
  /** The address of this kernel, for a stream that continues here. */
  ownUrl(): string;
}

/** Finds the kernel that handles a request; null is this kernel. */
type Locate = (request: FastifyRequest, body: Buffer | undefined) => Promise<Target | null>;

/**
 * Returns a hook for routes that need the owner of a chat. It passes on the body of a request that this kernel handles,
 * and answers all others itself.
 * @param options.byBody whether `locate` needs the body
 * @param options.of the resource of the other kernel, in sentences
 */
export function forwarding(
  { fleet, hops, isOfKernel, ownUrl }: ForwardDeps,
  locate: Locate,
  { byBody = false, of = 'chat' } = {},
) {
  const away = (why: string): KernelError =>
    new KernelError('kernel_away', `The kernel that owns this ${of} is unreachable. ${why}`);

  return async function forward(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
  ): Promise<RequestPayload> {
    // If it came from another kernel, this one owned the chat a moment ago, or must answer that it does not.
    const isForwarded = isOfKernel(request);
    if (!byBody && (await locate(request, undefined)) === null) return payload;
    const body = await readBody(payload);
    const asked: Asked = { method: request.method, url: request.url, headers: request.headers, body };
    const until = performance.now() + MAX_RETRY_MS;
    for (const backoff = new RetryBackoff(PAUSES); ; ) {
      const target = await locate(request, body);
      if (target === null) return streamOf(body);
      if (isForwarded) {
        reply.header(MOVED_HEADER, 'true');
        throw away(`The ${of} has moved to another kernel.`);
      }
      const over = overWith(reply, target.id);
      try {
        const answer = await hops.forward(target, asked, over.signal);
        passOn(answer, request, reply, { asked, over });
        return payload;
      } catch (error) {
        over.abort();
        if (!(error instanceof NoAnswer)) throw error;
        if (reply.raw.destroyed) return payload;
        if (error.wasSent && !isRepeatable(asked)) throw away('It disconnected before it responded.');
        if (performance.now() > until) throw away('It does not respond.');
        await pause(backoff.nextMs());
      }
    }
  };

  function passOn(
    answer: IncomingMessage,
    request: FastifyRequest,
    reply: FastifyReply,
    { asked, over }: { asked: Asked; over: AbortController },
  ): void {
    reply.hijack();
    const { raw } = reply;
    const isStream = answer.headers['content-type'] === 'text/event-stream' && answer.statusCode === 200;
    const length = answer.headers['content-length'];
    raw.writeHead(answer.statusCode as number, {
      ...withoutConnection(answer.headers),
      ...(length !== undefined && { 'content-length': length }),
      ...ofOrigin(reply.getHeaders() as OutgoingHttpHeaders),
    });
    if (!isStream) {
      answer.on('error', () => raw.destroy());
      answer.pipe(raw);
      return;
    }
    raw.flushHeaders();
    void goOn(answer, request, reply, asked, over);
  }

  /** Forwards a stream, and its continuations if its kernel dies. Never rejects. */
  async function goOn(
    first: IncomingMessage,
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    over: AbortController,
  ): Promise<void> {
    const { raw } = reply;
    const frames = new Frames();
    const turn = first.headers['x-turn-id'];
    // Without an id of the turn, the client's own Last-Event-ID stays.
    const whole = typeof turn === 'string' ? `${turn}.${NO_EVENT}` : undefined;
    let answer: IncomingMessage | undefined = first;
    for (let before: string | undefined; answer; before = frames.lastId) {
      const isComplete = await isWhole(answer, frames, raw);
      over.abort();
      // A kernel that stops ends its streams in order, and the turns continue at other kernels. A stream without new
      // events is complete, whatever its client has muted.
      if (isComplete && (frames.isDone || (before !== undefined && before === frames.lastId))) break;
      frames.restart();
      if (raw.destroyed) return;
      const after = frames.lastId ?? whole;
      const headers = { ...asked.headers, ...(after !== undefined && { 'last-event-id': after }) };
      [answer, over] = await again(request, reply, { ...asked, headers });
    }
    raw.end();
  }

  /** Requests the stream from the next owner; undefined if there is nothing more to send. */
  async function again(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
  ): Promise<[IncomingMessage | undefined, AbortController]> {
    const until = performance.now() + MAX_RETRY_MS;
    for (const backoff = new RetryBackoff(PAUSES); ; ) {
      let over = new AbortController();
      try {
        const target = (await locate(request, asked.body)) ?? { id: fleet.id, url: ownUrl() };
        over = overWith(reply, target.id);
        const answer = await hops.forward(target, asked, over.signal);
        if (answer.statusCode === 200) return [answer, over];
        answer.destroy();
        if (answer.statusCode !== 503) {
          over.abort();
          return [undefined, over];
        }
      } catch {
        // No kernel owns the chat yet.
      }
      over.abort();
      if (reply.raw.destroyed || performance.now() > until) return [undefined, over];
      await pause(backoff.nextMs());
    }
  }

  /** Waits until a retry makes sense: the chat may have another owner by then. */
  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = fleet.onDeath(() => resolve());
    const timer = setTimeout(resolve, ms);
    return promise.finally(() => {
      clearTimeout(timer);
      forget();
    });
  }

  /** Aborted when the client disconnects, and when the other kernel is detected as dead. */
  function overWith({ raw }: FastifyReply, kernelId: string): AbortController {
    const over = new AbortController();
    const end = () => over.abort();
    const forget = fleet.onDeath(gone => gone.includes(kernelId) && end());
    raw.once('close', end);
    over.signal.addEventListener('abort', () => {
      forget();
      raw.off('close', end);
    });
    return over;
  }
}

/** Writes a stream as fast as its client reads. False if the stream broke off. */
async function isWhole(answer: IncomingMessage, frames: Frames, raw: FastifyReply['raw']): Promise<boolean> {
  try {
    for await (const chunk of answer) {
      const whole = frames.take(chunk as Buffer);
      if (whole.length > 0 && !raw.write(whole)) await drained(raw);
    }
    return answer.complete;
  } catch {
    return false;
  }
}

function drained(raw: FastifyReply['raw']): Promise<void> {
  if (raw.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  raw.once('drain', resolve).once('close', resolve);
  return promise.finally(() => raw.off('drain', resolve).off('close', resolve));
}

/** Reads the bytes of a request; undefined if there are none. @throws KernelError body_too_large, invalid_value */
async function readBody(payload: RequestPayload): Promise<Buffer | undefined> {
  const body = await readMeasured(payload as Readable, Number.NaN, MAX_VALUES);
  return body.length === 0 ? undefined : body;
}

/** A body that was read, as the stream that a parser expects. */
export const streamOf = (body: Buffer | undefined): RequestPayload =>
  Readable.from(body === undefined ? [] : [body], { objectMode: false });

/** The requested kernel decides what a page of another origin may see. */
const ofOrigin = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(access-control-.*|cross-origin-resource-policy)$/.test(name),
    ),
  );

/** Whether a second delivery of the request has no additional effect. */
const isRepeatable = ({ method, headers }: Asked): boolean =>
  method === 'GET' || method === 'PUT' || headers['idempotency-key'] !== undefined;
