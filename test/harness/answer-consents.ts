/** Answers the requests for consent of a turn in the place of its owner. */
import type { Event } from '@chat-kernel/protocol';
import type { FollowedTurn } from './followed.ts';
import type { TestClient } from './kernel-client.ts';

export type ConsentRequest = Extract<Event, { type: 'consent_request' }>;

/** Answers each request that is still open until the turn is over; returns those that were denied. */
export async function answerConsents(
  client: TestClient,
  chat: string,
  turn: FollowedTurn,
  isAllowed: (asked: ConsentRequest) => boolean = () => false,
): Promise<ConsentRequest[]> {
  const answered = new Set(
    turn.events.flatMap(event => (event.type === 'request_resolved' ? [event.id] : [])),
  );
  const denied: ConsentRequest[] = [];
  for (;;) {
    const event = await turn.until(
      event => event.type === 'done' || (event.type === 'consent_request' && !answered.has(event.id)),
    );
    if (event.type !== 'consent_request') break;
    answered.add(event.id);
    const decision = isAllowed(event) ? 'allow' : 'deny';
    if (decision === 'deny') denied.push(event);
    await client.answerRequest(chat, { id: event.id, decision });
  }
  await turn.all();
  return denied;
}
