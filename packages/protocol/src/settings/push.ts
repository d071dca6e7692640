/** Defines the settings of notifications to browsers, programs and URLs. */
import { z } from 'zod';
import { PushEvent } from '../service/push.ts';
import { secret } from './secret.ts';

export const PushSection = z
  .strictObject({
    allow_private: z
      .boolean()
      .default(false)
      .describe('Allow subscriptions with http URLs and with addresses of this machine and its network.'),
  })
  .prefault({});

export const NotifySettings = z.strictObject({
  on: z.array(PushEvent).min(1).optional().describe('Events to send. Default: all.'),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Program and arguments, run without a shell. It receives JSON on standard input.'),
  url: secret(z.url({ protocol: /^https?$/ }))
    .optional()
    .describe('URL that receives a POST, instead of a program.'),
  headers: z.record(z.string(), secret(z.string())).optional().describe('HTTP headers of the POST.'),
  format: z
    .enum(['json', 'ntfy'])
    .optional()
    .describe('Format of the POST. ntfy: text as the body, title as a header. Default: json.'),
});
export type NotifySettings = z.infer<typeof NotifySettings>;

export const NotifySection = z
  .array(NotifySettings)
  .default([])
  .describe('Programs and URLs that receive notifications.');
