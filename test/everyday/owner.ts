/** Answers the questions of a turn as a sensible owner does, and counts them. */
import { suggestedWords } from '@chat-kernel/client';
import type { Event } from '@chat-kernel/protocol';
import type { FollowedTurn } from '../harness/followed.ts';
import type { TestClient } from '../harness/kernel-client.ts';

/** @returns what the owner was asked, in order */
export async function answerAll(client: TestClient, chat: string, turn: FollowedTurn): Promise<string[]> {
  const asked: string[] = [];
  const seen = new Set<Event>();
  for (;;) {
    const event = await turn.until(each => !seen.has(each));
    seen.add(event);
    if (event.type === 'done') return asked;
    if (event.type === 'consent_request') {
      asked.push(event.reason);
      await client.answerRequest(chat, { id: event.id, ...choose(event) });
    }
    if (event.type === 'tool_call' && event.name === 'schedule' && 'questions' in event.input) {
      asked.push('Add this schedule?');
      await client.answerRequest(chat, { id: event.id, answer: 'Add schedule' });
    }
  }
}

/** All edits in the folder, all commands with the same beginning, or the same call again: as far as it is offered. */
function choose({ decisions, command }: Extract<Event, { type: 'consent_request' }>) {
  if (decisions.includes('allow_edits')) return { decision: 'allow_edits' };
  if (decisions.includes('allow_prefix') && typeof command === 'string')
    return {
      decision: 'allow_prefix',
      prefix: command.split(' ').slice(0, suggestedWords(command)).join(' '),
    };
  return { decision: decisions.includes('allow_session') ? 'allow_session' : 'allow' };
}
