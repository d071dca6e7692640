/** What goes on, a line each, for a person who watches the script. */
import type { Connection, TurnEvent } from '@chat-kernel/client';
import { callSummary } from '../items/call-summary.ts';
import { cost, count, moment } from '../text/amounts.ts';
import { safe } from '../text/safe.ts';

const WIDTH = 100;

/** Events that say nothing to a person are passed over. */
export function progressOf(say: (line: string) => void): (what: TurnEvent | Connection) => void {
  const names = new Map<string, string>();
  return what => {
    const line = 'type' in what ? lineOf(what, names) : lineOfConnection(what);
    if (line !== undefined) say(safe(line.replace(/\s*\n\s*/g, ' ')).slice(0, WIDTH));
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
    default:
      return undefined;
  }
}

function lineOfConnection(connection: Connection): string | undefined {
  if (connection.state !== 'waiting') return undefined;
  const seconds = Math.max(1, Math.ceil((connection.retry_at - Date.now()) / 1000));
  return `· the connection broke; trying again in ${seconds} s`;
}
