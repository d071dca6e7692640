/** A collector of OpenTelemetry: a real HTTP server that accepts traces as JSON and rejects malformed ones. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { bytesOf } from './http.ts';

const Value = z.strictObject({
  stringValue: z.string().optional(),
  intValue: z.int().optional(),
  doubleValue: z.number().optional(),
  arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }).optional(),
});
const Attributes = z.array(z.strictObject({ key: z.string(), value: Value }));
const SpanId = z.string().regex(/^[0-9a-f]{16}$/);
const TraceId = z.string().regex(/^[0-9a-f]{32}$/);
const Nanoseconds = z.string().regex(/^\d{19}$/);
const Span = z.object({
  traceId: TraceId,
  spanId: SpanId,
  parentSpanId: SpanId.optional(),
  traceState: z.string().optional(),
  name: z.string(),
  /** 1: internal, 3: client. */
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  events: z.array(z.never()),
  links: z.array(z.looseObject({ traceId: TraceId, spanId: SpanId })),
  /** 0: unset, 2: error; without a message. */
  status: z.strictObject({ code: z.union([z.literal(0), z.literal(2)]) }),
});
const Traces = z.strictObject({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes: Attributes }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(Span) })),
    }),
  ),
});

type Facts = Record<string, unknown>;

export interface CollectedSpan extends Omit<z.infer<typeof Span>, 'attributes' | 'status'> {
  facts: Facts;
  /** The resource of the kernel. */
  resource: Facts;
  failed: boolean;
}

export interface Collector {
  url: string;
  /** The spans so far, in the order in which they began. */
  spans(): CollectedSpan[];
  /** Resolves with the span of this name once it has arrived. Throws if there are several. */
  span(name: string): Promise<CollectedSpan>;
  /** All bodies, as text. */
  texts: string[];
  headers: IncomingHttpHeaders[];
}

/** Starts a collector that stops with the test. @param answer sends a different response than success */
export async function startCollector(answer?: (response: ServerResponse) => void): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const wrong: unknown[] = [];
  const server = createServer(async (incoming, response) => {
    const text = (await bytesOf(incoming)).toString();
    texts.push(text);
    headers.push(incoming.headers);
    try {
      expect([incoming.method, incoming.url, incoming.headers['content-type']]).toEqual([
        'POST',
        '/v1/traces',
        'application/json',
      ]);
      spans.push(...spansOf(Traces.parse(JSON.parse(text))));
    } catch (error) {
      wrong.push(error);
    }
    if (answer) answer(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    if (wrong.length > 0) throw wrong[0];
  });
  const sorted = () => spans.toSorted((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: sorted,
    async span(name) {
      const named = () => spans.filter(span => span.name === name);
      await expect.poll(() => named().length, { timeout: 60_000 }).toBe(1);
      return named()[0]!;
    },
    texts,
    headers,
  };
}

const spansOf = ({ resourceSpans }: z.infer<typeof Traces>): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes, status, ...span }) => ({
        ...span,
        facts: factsOf(attributes),
        resource: factsOf(resource.attributes),
        failed: status.code === 2,
      })),
  );

const factsOf = (attributes: z.infer<typeof Attributes>): Facts =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, arrayValue } }) => [
      key,
      stringValue ?? intValue ?? doubleValue ?? arrayValue?.values.map(each => each.stringValue),
    ]),
  );
