/** Word to the owner when something waits or has ended: who gets it, what it says, and what became of it (PUSH-1). */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';

/** THE list of what is worth a word. */
export const PUSH_EVENTS = ['request_opened', 'turn_ended', 'schedule_ended', 'spend_cap'] as const;
export const PushEvent = z.enum(PUSH_EVENTS).meta({ id: 'PushEvent' });
export type PushEvent = z.infer<typeof PushEvent>;

/** The most characters of the text of a word. */
export const PUSH_TEXT_CHARS = 200;

export const PushWord = z
  .object({
    type: z.enum([...PUSH_EVENTS, 'test']),
    chat_id: Id.nullable().describe('Null where it is about no chat.'),
    title: z.string().describe('The title of the chat.'),
    text: z.string().max(PUSH_TEXT_CHARS),
    url: z.string().describe('The page to open; absolute where server.public_url is set, else a path.'),
    request_id: z.string().optional().describe('Of what waits for an answer.'),
    decisions: z
      .array(z.enum(['allow', 'deny']))
      .optional()
      .describe('Of an approval: what may be decided by the word alone. allow: it shows all that would run.'),
    workdir: z.string().max(PUSH_TEXT_CHARS).optional().describe('Of an approval: where it would run.'),
  })
  .describe('The content of a message, as it arrives in the browser.');
export type PushWord = z.infer<typeof PushWord>;

export const PushKey = z
  .object({ public_key: z.string().describe('The key for applicationServerKey, in base64url.') })
  .meta({ id: 'PushKey' });
export type PushKey = z.infer<typeof PushKey>;

const On = z.array(PushEvent).min(1);

/** An uncompressed point of P-256 has 65 bytes, and the secret 16 (RFC 8291). */
const p256dh = z.string().regex(/^[A-Za-z0-9_-]{87}=?$/, 'expected 65 bytes in base64url');
const auth = z.string().regex(/^[A-Za-z0-9_-]{22}(==)?$/, 'expected 16 bytes in base64url');

export const SubscribeToPush = z
  .object({
    endpoint: z
      .string()
      .max(2000)
      .regex(/^[!-~]+$/, 'expected an address')
      .describe('The address that the browser was given.'),
    keys: z.object({ p256dh, auth }).describe('As PushSubscription.toJSON() of the browser has them.'),
    name: z.string().min(1).max(200).optional().describe('What its owner calls the device.'),
    on: On.optional().describe('What it is told; absent: everything.'),
  })
  .meta({ id: 'SubscribeToPush' });
export type SubscribeToPush = z.infer<typeof SubscribeToPush>;

export const PushSubscription = z
  .object({
    id: Id,
    endpoint: z.string(),
    name: z.string().nullable(),
    on: On.nullable().describe('Null: everything.'),
    created_at: Timestamp,
  })
  .meta({ id: 'PushSubscription', description: 'Without its keys, which nobody reads back.' });
export type PushSubscription = z.infer<typeof PushSubscription>;

export const PushSubscriptionList = z
  .object({ subscriptions: z.array(PushSubscription).describe('The oldest first.') })
  .meta({ id: 'PushSubscriptionList' });
export type PushSubscriptionList = z.infer<typeof PushSubscriptionList>;

export const PushUnsubscribed = z
  .object({ deleted: z.literal(true), id: Id })
  .meta({ id: 'PushUnsubscribed' });
export type PushUnsubscribed = z.infer<typeof PushUnsubscribed>;

export const PushOutcome = z.enum(['sent', 'failed', 'gone']).meta({ id: 'PushOutcome' });
export type PushOutcome = z.infer<typeof PushOutcome>;

const outcomeShape = {
  outcome: PushOutcome.describe('gone: there is no such subscription any more, and it was removed.'),
  detail: z.string().nullable().describe('Why it was not sent.'),
};

export const PushTested = z.object(outcomeShape).meta({ id: 'PushTested' });
export type PushTested = z.infer<typeof PushTested>;

export const PushSent = z
  .object({
    at: Timestamp.describe('Of the last attempt.'),
    type: PushWord.shape.type,
    chat_id: Id.nullable(),
    to: z.enum(['subscription', 'command', 'url']),
    name: z.string().describe('Of the subscription, or of the entry of the settings.'),
    ...outcomeShape,
    attempts: z.int().min(1),
    again: z.boolean().describe('It is tried once more.'),
  })
  .meta({ id: 'PushSent' });
export type PushSent = z.infer<typeof PushSent>;

export const PushLog = z
  .object({ sent: z.array(PushSent).describe('The last 50 since the start, the newest first.') })
  .meta({ id: 'PushLog' });
export type PushLog = z.infer<typeof PushLog>;
