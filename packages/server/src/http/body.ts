/**
 * Reads request bodies: only JSON in UTF-8, unless a route accepts bytes; and reports fields that the schema does not
 * have.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { parseJson, parseSmallJson } from './parse-json.ts';
import { pointer } from './problems.ts';
import { MAX_VALUES, readMeasured } from './read-body.ts';
import { runAtOnce, runInSteps, StepClock, type Steps } from './steps.ts';

/** Size in bytes from which the work on a body is done in steps. */
export const LARGE_BODY = 256 * 1024;
/** Maximum length of the header in characters. Proxies accept 4 or 8 KiB for all headers together. */
const LONGEST_HEADER = 1000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum number of values in the JSON body; absent: MAX_VALUES. */
    maxValues?: number | undefined;
  }
}

/** Accepts only application/json; Fastify answers 415 to everything else, including a missing Content-Type. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: RequestPayload) => {
    const { maxValues = MAX_VALUES } = request.routeOptions.config;
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    const body = await readMeasured(payload as Readable, announced, maxValues);
    // Some clients send the type on every request. An empty body counts as no body; the schema decides whether one is
    // needed.
    if (body.length === 0) return undefined;
    if (!isUtf8(body)) throw new KernelError('not_json', 'The body is not UTF-8.');
    try {
      return body.length > LARGE_BODY ? await runInSteps(parseJson(body)) : parseSmallJson(body.toString());
    } catch (error) {
      if (error instanceof KernelError) throw error;
      throw new KernelError('not_json', 'The body is not valid JSON.', { cause: error });
    }
  });
}

/** Leaves the bodies of this scope unread, whatever their type: its handlers read the bytes as they arrive. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async () => undefined);
}

/**
 * Returns the value of X-Ignored-Fields: JSON pointers of the fields that were sent but not understood,
 * comma-separated, other characters percent-encoded; `...` at the end means that there are more. Undefined if
 * everything was understood.
 */
export const ignoredFields = (sent: unknown, understood: unknown): string | undefined =>
  listHeader(runAtOnce(unknownPointers(sent, understood))) || undefined;

/** Does the same in steps, for a large body. */
export const ignoredFieldsInSteps = async (sent: unknown, understood: unknown): Promise<string | undefined> =>
  listHeader(await runInSteps(unknownPointers(sent, understood))) || undefined;

/**
 * Builds a header value from texts: percent-encoded except for slashes, comma-separated; `...` at the end means that
 * the list is truncated.
 */
export function listHeader(texts: Iterable<string>): string {
  let header = '';
  for (const text of texts) {
    // A name of millions of characters would take long.
    if (text.length > LONGEST_HEADER) return `${header}${header && ','}...`;
    // JSON can contain half a surrogate pair, which cannot be encoded.
    const name = text.toWellFormed().split('/').map(encodeURIComponent).join('/');
    if (header.length + name.length > LONGEST_HEADER) return `${header}${header && ','}...`;
    header += (header && ',') + name;
  }
  return header;
}

/** The pointers of the fields that are only in `sent`, as many as a header can contain. */
function* unknownPointers(sent: unknown, understood: unknown): Steps<string[]> {
  const found: string[] = [];
  const clock = new StepClock();
  // One path for all fields: a body can have hundreds of thousands, and almost all of them are understood (SAFE-3).
  const path: PropertyKey[] = [];
  function* visit(sent: unknown, understood: unknown): Steps<void> {
    // A value that the schema returns unchanged is fully understood.
    if (sent === understood || !isObject(sent) || !isObject(understood)) return;
    for (const key of Object.keys(sent)) {
      if (found.length >= LONGEST_HEADER) return;
      if (clock.isOver()) yield* clock.pause();
      path.push(key);
      if (!Object.hasOwn(understood, key)) found.push(pointer(path));
      else if (sent[key] !== understood[key]) yield* visit(sent[key], understood[key]);
      path.pop();
    }
  }
  yield* visit(sent, understood);
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
