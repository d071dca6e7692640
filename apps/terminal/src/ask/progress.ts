/** The progress of a turn in lines, for a person who watches the script. */

import type { StreamConnection, TurnEvent } from '@chat-kernel/client';
import { callSummary } from '../items/call-summary.ts';
import { cost, count, moment } from '../text/amounts.ts';
import { safe } from '../text/safe.ts';
import { oneLine } from '../text/words.ts';

const WIDTH = 100;

/** Returns a function that says a line about those events and connections that a person wants to know of. */
export function progressOf(say: (line: string) => void): (news: TurnEvent | StreamConnection) => void {
  const names = new Map<string, string>();
  return news => {
    const line = 'type' in news ? lineOf(news, names) : lineOfConnection(news);
    if (line !== undefined) say(safe(oneLine(line)).slice(0, WIDTH));
  };
}

function lineOf(event: TurnEvent, names: Map<string, string>): string | undefined {
  switch (event.type) {
    case 'tool_call':
      names.set(event.id, event.name);
      return `· ${event.name} ${callSummary(event.name, event.input)}`;
    case 'tool_result':
      return event.is_error ? `  ${names.get(event.id) ?? 'the call'} failed: ${event.output}` : undefined;
    case 'queued':
      return `· waits behind ${count(event.position, 'turn')}`;
    case 'sleeping':
      return `· sleeps${event.until ? ` until ${moment(event.until, Date.now())}` : ''}${event.reason ? `: ${event.reason}` : ''}`;
    case 'compacting':
      return '· folds the older history';
    case 'image':
      return `· image ${event.url}`;
    case 'reset':
      return '· the turn is told again from its beginning';
    case 'done': {
      const { prompt_tokens, completion_tokens, cost_usd } = event.usage;
      return `· ${event.status}: ${count(prompt_tokens + completion_tokens, 'token')}, ${cost(cost_usd)}`;
    }
    // The answer and its errors are written elsewhere; the other events are steps of those above.
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_progress':
    case 'client_op':
    case 'extra_tool_call':
    case 'request_resolved':
    case 'usage':
    case 'turn_squeezed':
    case 'plan':
    case 'error':
    case 'item_started':
    case 'item_delta':
    case 'item_completed':
      return undefined;
    default:
      // A newer kernel may send events of other types.
      event satisfies never;
      return undefined;
  }
}

function lineOfConnection(connection: StreamConnection): string | undefined {
  if (connection.state !== 'waiting') return undefined;
  const seconds = Math.max(1, Math.ceil((connection.retry_at - Date.now()) / 1000));
  return `· the connection broke; trying again in ${seconds} s`;
}
