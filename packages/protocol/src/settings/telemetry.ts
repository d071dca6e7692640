/** Traces for a collector of OpenTelemetry. */
import { z } from 'zod';
import { secret } from './secret.ts';

export const TelemetrySection = z
  .strictObject({
    otlp_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe(
        'Address of an OpenTelemetry collector that takes traces over HTTP, such as http://127.0.0.1:4318; /v1/traces is added to it. Null = no spans are made.',
      ),
    headers: z.record(z.string(), secret(z.string())).default({}).describe('Headers of what is sent there.'),
  })
  .prefault({});
