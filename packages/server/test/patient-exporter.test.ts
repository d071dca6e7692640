/** A collector that nobody reaches is told of in the log once, and then at most once a minute. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { PatientExporter } from '../src/telemetry/patient-exporter.ts';

/** An address where nobody listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}/v1/traces`;
}

test('[SAFE-5] spans that nobody takes are a line of the log a minute, with all that were lost since the line before', async () => {
  const clock = new ManualClock();
  const lines: object[] = [];
  const log = { warn: (facts: object, sentence: string) => void lines.push({ ...facts, sentence }) };
  const sender = new OTLPTraceExporter({ url: await closedPort(), timeoutMillis: 100 });
  const processor = new BatchSpanProcessor({ exporter: new PatientExporter(sender, log, clock) });
  const provider = new TracerProvider({ spanProcessors: [processor] });
  /** Resolves once the spans are given up. */
  const lose = async (count: number) => {
    for (let n = 0; n < count; n++) provider.getTracer('test').startSpan('turn').end();
    await processor.forceFlush().catch(() => {});
  };
  const line = (spans: number) => ({
    problem: 'ECONNREFUSED',
    spans,
    sentence: 'spans could not be sent, and are lost',
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
