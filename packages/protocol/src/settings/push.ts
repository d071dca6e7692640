/** Word to the owner: messages to browsers, and to whatever else the owner names. */
import { z } from 'zod';
import { PushEvent } from '../service/push.ts';
import { secret } from './secret.ts';

export const PushSection = z
  .strictObject({
    contact: z
      .string()
      .regex(/^(mailto:\S+@\S+|https:\/\/\S+)$/, 'expected mailto:... or https://...')
      .nullable()
      .default(null)
      .describe('Whom push services may write to about these messages; null = server.public_url.'),
    allow_private: z
      .boolean()
      .default(false)
      .describe('Subscriptions may name http and addresses of this machine and its network.'),
  })
  .prefault({});

export const NotifySettings = z.strictObject({
  on: z.array(PushEvent).min(1).optional(),
  command: z.array(z.string()).min(1).optional(),
  url: secret(z.url({ protocol: /^https?$/ })).optional(),
  headers: z.record(z.string(), secret(z.string())).optional(),
  format: z.enum(['json', 'ntfy']).optional(),
  timeout_secs: z.number().positive().max(600).default(10),
});
export type NotifySettings = z.infer<typeof NotifySettings>;

export const NotifySection = z
  .array(NotifySettings)
  .default([])
  .describe(
    'Who else gets word: a list of {on, command or url, headers, format, timeout_secs}. command: a program and its arguments, which reads JSON from its standard input; url: gets it by POST, with format ntfy as text. on: as of a subscription.',
  );
