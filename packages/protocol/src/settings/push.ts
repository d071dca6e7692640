/** Word to the owner: messages to browsers, and to whatever else the owner names. */
import { z } from 'zod';
import { PushEvent } from '../service/push.ts';
import { secret } from './secret.ts';

export const PushSection = z
  .strictObject({
    contact: z
      .string()
      .regex(/^(?:mailto:|https:\/\/)\S+$/, 'expected mailto:... or https://...')
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
  on: z.array(PushEvent).min(1).optional().describe('What it is told; absent: everything.'),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('A program and its arguments, without a shell; it reads JSON from its standard input.'),
  url: secret(z.url({ protocol: /^https?$/ }))
    .optional()
    .describe('An address that gets it by POST, in the place of a program.'),
  headers: z.record(z.string(), secret(z.string())).optional().describe('Headers of the POST.'),
  format: z
    .enum(['json', 'ntfy'])
    .optional()
    .describe('Of the POST. ntfy: the text as the body, the title as a header; default json.'),
  timeout_secs: z.number().positive().max(600).default(10).describe('How long it may take.'),
});
export type NotifySettings = z.infer<typeof NotifySettings>;

export const NotifySection = z
  .array(NotifySettings)
  .default([])
  .describe('Programs and addresses that get word, as browsers do.');
