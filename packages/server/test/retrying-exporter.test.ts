/** Tests that an unreachable collector is logged once, and then at most once a minute. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { RetryingExporter } from '../src/telemetry/open-spans.ts';

/** Returns an address without a listener. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}/v1/traces`;
}

test('[SAFE-5] logs rejected spans once per minute, with the number lost since the last line', async () => {
  const clock = new ManualClock();
  const lines: object[] = [];
  const log = { warn: (facts: object, sentence: string) => void lines.push({ ...facts, sentence }) };
  const sender = new OTLPTraceExporter({ url: await closedPort(), timeoutMillis: 100 });
  const processor = new BatchSpanProcessor({ exporter: new RetryingExporter(sender, log, clock) });
  const provider = new TracerProvider({ spanProcessors: [processor] });
  /** Resolves once the spans are dropped. */
  const lose = async (count: number) => {
    for (let n = 0; n < count; n++) provider.getTracer('test').startSpan('turn').end();
    await processor.forceFlush().catch(() => {});
  };
  const line = (spans: number) => ({
    problem: 'ECONNREFUSED',
    spans,
    sentence: 'sending spans failed; they are lost',
  });

  await lose(2);
  expect(lines).toEqual([line(2)]);
  clock.advance(59_999);
  await lose(1);
  await lose(3);
  expect(lines).toHaveLength(1);
  clock.advance(1);
  await lose(1);
  expect(lines).toEqual([line(2), line(5)]);
  await lose(1);
  expect(lines).toHaveLength(2);
  await provider.shutdown().catch(() => {});
});
