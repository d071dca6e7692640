/** Defines the API schemas of push notifications: receivers, contents, and results (PUSH-1). */
import { z } from 'zod';
import { list } from '../base/bounded.ts';
import { Id, Timestamp } from '../base/primitives.ts';
import { PushEvent } from '../service/push.ts';

/** Maximum length of the text of a notification, in characters. */
export const PUSH_TEXT_CHARS = 200;

export const PushNotification = z
  .object({
    type: z.enum([...PushEvent.options, 'test']),
    chat_id: Id.nullable().describe('Null if it is not about a chat.'),
    title: z.string().describe('The title of the chat.'),
    text: z.string().max(PUSH_TEXT_CHARS),
    url: z.string().describe('The page to open: absolute if server.public_url is set, otherwise a path.'),
    request_id: z.string().optional().describe('The id of the pending request.'),
    decisions: z
      .array(z.enum(['allow', 'deny']))
      .optional()
      .describe(
        'For approvals: decisions that the notification can offer. allow is listed only if the notification shows everything that would run.',
      ),
    workdir: z
      .string()
      .max(PUSH_TEXT_CHARS)
      .optional()
      .describe('For approvals: the directory in which it would run.'),
    reason: z
      .string()
      .max(PUSH_TEXT_CHARS)
      .optional()
      .describe('For requests for consent: why the kernel asks, in one sentence.'),
  })
  .describe('The payload of a push message.');
export type PushNotification = z.infer<typeof PushNotification>;

export const PushKey = z
  .object({ public_key: z.string().describe('The key for applicationServerKey, in base64url.') })
  .meta({ id: 'PushKey' });
export type PushKey = z.infer<typeof PushKey>;

const On = list(PushEvent, 100).min(1);

/** An uncompressed point of P-256 has 65 bytes, and the secret 16 (RFC 8291). */
const p256dh = z.string().regex(/^[A-Za-z0-9_-]{87}=?$/, 'expected 65 bytes in base64url');
const auth = z.string().regex(/^[A-Za-z0-9_-]{22}(==)?$/, 'expected 16 bytes in base64url');

export const SubscribeToPush = z
  .object({
    endpoint: z
      .string()
      .max(2000)
      .regex(/^[!-~]+$/, 'expected a URL')
      .describe('The endpoint that the push service gave the browser.'),
    keys: z.object({ p256dh, auth }).describe('As in PushSubscription.toJSON() of the browser.'),
    name: z.string().min(1).max(200).optional().describe('The name of the device.'),
    on: On.optional().describe('The events to send. Absent: all.'),
  })
  .meta({ id: 'SubscribeToPush' });
export type SubscribeToPush = z.infer<typeof SubscribeToPush>;

export const PushSubscription = z
  .object({
    id: Id,
    endpoint: z.string(),
    name: z.string().nullable(),
    on: On.nullable().describe('Null: all events.'),
    created_at: Timestamp,
  })
  .meta({ id: 'PushSubscription', description: 'Without its keys, which the API never returns.' });
export type PushSubscription = z.infer<typeof PushSubscription>;

export const PushSubscriptionList = z
  .object({ subscriptions: z.array(PushSubscription).describe('Oldest first.') })
  .meta({ id: 'PushSubscriptionList' });
export type PushSubscriptionList = z.infer<typeof PushSubscriptionList>;

export const PushUnsubscribed = z
  .object({ deleted: z.literal(true), id: Id })
  .meta({ id: 'PushUnsubscribed' });
export type PushUnsubscribed = z.infer<typeof PushUnsubscribed>;

export const PushOutcome = z.enum(['sent', 'failed', 'gone']).meta({ id: 'PushOutcome' });
export type PushOutcome = z.infer<typeof PushOutcome>;

const outcomeShape = {
  outcome: PushOutcome.describe('gone: the subscription expired and was removed.'),
  detail: z.string().nullable().describe('Why it was not sent.'),
};

export const PushTested = z.object(outcomeShape).meta({ id: 'PushTested' });
export type PushTested = z.infer<typeof PushTested>;

export const PushSent = z
  .object({
    at: Timestamp.describe('The time of the last attempt.'),
    type: PushNotification.shape.type,
    chat_id: Id.nullable(),
    to: z.enum(['subscription', 'command', 'url']),
    name: z.string().describe('The label of the subscription, or the entry in the settings.'),
    ...outcomeShape,
    attempts: z.int().min(1),
    again: z.boolean().describe('Another attempt follows.'),
  })
  .meta({ id: 'PushSent' });
export type PushSent = z.infer<typeof PushSent>;

export const PushLog = z
  .object({ sent: z.array(PushSent).describe('The last 50 since the start, newest first.') })
  .meta({ id: 'PushLog' });
export type PushLog = z.infer<typeof PushLog>;
