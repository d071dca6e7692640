/** Defines stand-by machines: clients whose hands run operations for turns that other clients start (HANDS-1). */
import { z } from 'zod';
import { ClientId, Id, MachineName, Timestamp } from '../base/primitives.ts';
import { resolutionShape } from '../base/resolution.ts';
import { ClientOpEvent } from './event.ts';

const ofTurn = { chat_id: Id, turn_id: Id };

/** The events of a machine's stream. */
export const HandsEvent = z
  .discriminatedUnion('type', [
    ClientOpEvent.extend(ofTurn)
      .describe('Execute the operation now. It is approved if approval was required.')
      .meta({ id: 'HandsOpEvent' }),
    z
      .object({ type: z.literal('request_resolved'), ...ofTurn, ...resolutionShape })
      .describe(
        'An operation of this machine has ended. Both ids are the nil UUID if the kernel no longer knows it.',
      )
      .meta({ id: 'HandsResolvedEvent' }),
  ])
  .meta({ id: 'HandsEvent', description: 'One event of the stream of a connected machine.' });
export type HandsEvent = z.infer<typeof HandsEvent>;

export const StandByHands = z
  .object({
    client_id: ClientId,
    name: MachineName,
    platform: z.string().describe('As reported by the machine, such as linux.'),
    since: Timestamp.describe('The time of the last connect or disconnect.'),
    here: z.boolean().describe('Whether it is connected.'),
  })
  .meta({ id: 'StandByHands' });
export type StandByHands = z.infer<typeof StandByHands>;

export const HandsList = z
  .object({ hands: z.array(StandByHands).describe('Sorted by name.') })
  .meta({ id: 'HandsList' });
export type HandsList = z.infer<typeof HandsList>;

export const ForgottenHands = z
  .object({ deleted: z.literal(true), client_id: ClientId })
  .meta({ id: 'ForgottenHands' });
export type ForgottenHands = z.infer<typeof ForgottenHands>;
