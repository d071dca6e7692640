/**
 * Requests that need the owner of a chat go to the kernel that is it (FLEET-1). A stream whose kernel dies is asked for
 * again at the next owner, behind the last event that went on, so that its viewer hears how the turn goes on (FLEET-3).
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Fleet, Kernel } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { BODY_LIMIT } from '../http/body.ts';
import { Frames } from './frames.ts';
import { type Asked, NoAnswer, type Target, withoutConnection } from './hop.ts';
import { type Hops, MOVED_HEADER } from './hops.ts';
import { isSigned } from './signature.ts';

/** A machine that vanishes is found dead within 12 s; nothing is worth waiting for longer. */
const PATIENCE_MS = 15_000;
/** The pauses between two attempts; a death ends one at once. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 200;
/** The id of no event: what is asked for behind it is the whole stream of its turn. */
const NO_EVENT = '999999999999999';

interface ForwardDeps {
  kernel: Kernel & { fleet: Fleet };
  hops: Hops;
  /** The address of this kernel itself, for a stream that goes on here. */
  ownUrl(): string;
}

/** Where a request is handled: null is here. */
type Locate = (request: FastifyRequest, body: Buffer | undefined) => Promise<Target | null>;

/**
 * Returns a hook for routes that need the owner of a chat. It hands on the body of a request that is handled here, and
 * answers any other itself.
 * @param options.byBody whether `locate` has to see the body
 * @param options.of what the other kernel has, in sentences
 */
export function forwarding(
  { kernel, hops, ownUrl }: ForwardDeps,
  locate: Locate,
  { byBody = false, of = 'chat' } = {},
) {
  const { fleet } = kernel;
  const away = (why: string): KernelError =>
    new KernelError('kernel_away', `The kernel that has this ${of} cannot be reached. ${why}`);

  return async function forward(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
  ): Promise<RequestPayload> {
    // Where it came from another kernel, this one owned the chat a moment ago, or is to say that it does not.
    const isForwarded = isSigned(fleet, request.raw);
    if (!byBody && (await locate(request, undefined)) === null) return payload;
    const body = await bodyOf(payload);
    const asked: Asked = { method: request.method, url: request.url, headers: request.headers, body };
    const until = performance.now() + PATIENCE_MS;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
      const target = await locate(request, body);
      if (target === null) return Readable.from(body === undefined ? [] : [body], { objectMode: false });
      if (isForwarded) {
        reply.header(MOVED_HEADER, 'true');
        throw away(`The ${of} has another owner by now.`);
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
        if (error.wasSent && !isRepeatable(asked)) throw away('It broke off before it answered.');
        if (performance.now() > until) throw away('It does not answer.');
        await pause(ms);
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

  /** Passes a stream on, and those that follow it where its kernel dies. Never rejects. */
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
    const whole = typeof turn === 'string' ? `${turn}.${NO_EVENT}` : asked.headers['last-event-id'];
    let answer: IncomingMessage | undefined = first;
    for (let before: string | undefined; answer; before = frames.lastId) {
      const isComplete = await isWhole(answer, frames, raw);
      over.abort();
      // A kernel that stops ends its streams in order, and the turns go on elsewhere. A stream that has nothing new is
      // over, whatever its viewer has muted.
      if (isComplete && (frames.isDone || (before !== undefined && before === frames.lastId))) break;
      frames.restart();
      if (raw.destroyed) return;
      const after = frames.lastId ?? whole;
      const headers = { ...asked.headers, ...(after !== undefined && { 'last-event-id': String(after) }) };
      [answer, over] = await again(request, reply, { ...asked, headers });
    }
    raw.end();
  }

  /** The stream at the next owner; undefined where there is nothing more to tell. */
  async function again(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
  ): Promise<[IncomingMessage | undefined, AbortController]> {
    const until = performance.now() + PATIENCE_MS;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
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
        // Nobody has the chat yet.
      }
      over.abort();
      if (reply.raw.destroyed || performance.now() > until) return [undefined, over];
      await pause(ms);
    }
  }

  /** Until it makes sense to try again: the chat may have another owner by then. */
  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = fleet.onDeath(() => resolve());
    const timer = setTimeout(resolve, ms);
    return promise.finally(() => {
      clearTimeout(timer);
      forget();
    });
  }

  /** Aborted when the viewer hangs up, and when the other kernel is found dead. */
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

/** Writes a stream as fast as its viewer reads. False where it broke off. */
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

const drained = (raw: FastifyReply['raw']): Promise<void> =>
  new Promise(resolve => {
    if (raw.destroyed) return resolve();
    raw.once('drain', resolve);
    raw.once('close', resolve);
  });

/** The bytes of a request; undefined where there are none. @throws KernelError body_too_large */
async function bodyOf(payload: RequestPayload): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new KernelError('body_too_large', 'A JSON body may have 64 MiB.');
    chunks.push(chunk as Buffer);
  }
  return size === 0 ? undefined : Buffer.concat(chunks);
}

/** What a page of another origin may see is up to the kernel that it has asked. */
const ofOrigin = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(access-control-.*|cross-origin-resource-policy|vary)$/.test(name),
    ),
  );

/** Whether a second arrival of the request does nothing that the first has not done. */
const isRepeatable = ({ method, headers }: Asked): boolean =>
  method === 'GET' || method === 'PUT' || headers['idempotency-key'] !== undefined;
