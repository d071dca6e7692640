/** Defines the settings of traces for an OpenTelemetry collector. */
import { z } from 'zod';
import { secret } from './secret.ts';

export const TelemetrySection = z
  .strictObject({
    otlp_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe(
        'URL of an OpenTelemetry collector for traces over HTTP, such as http://127.0.0.1:4318; the kernel appends /v1/traces. Null = no traces.',
      ),
    headers: z.record(z.string(), secret(z.string())).default({}).describe('HTTP headers for the collector.'),
  })
  .prefault({});
