/** Formats the progress of a turn as lines on stderr. */
import type { StreamConnection, TurnEvent } from '@chat-kernel/client';
import { counted, dollars } from '@chat-kernel/text';
import { callSummary } from '../items/call-summary.ts';
import { moment, providerWait } from '../text/amounts.ts';
import { oneLine } from '../text/normalize.ts';
import { safe } from '../text/safe.ts';

const WIDTH = 100;

/** Returns a function that prints a line for each event and connection that matters to users. */
export function createProgressPrinter(
  say: (line: string) => void,
): (news: TurnEvent | StreamConnection) => void {
  const names = new Map<string, string>();
  return news => {
    const line = 'type' in news ? formatEvent(news, names) : lineOfConnection(news);
    if (line !== undefined) say(safe(oneLine(line)).slice(0, WIDTH));
  };
}

function formatEvent(event: TurnEvent, names: Map<string, string>): string | undefined {
  switch (event.type) {
    case 'tool_call':
      names.set(event.id, event.name);
      return `· ${event.name} ${callSummary(event.name, event.input)}`;
    case 'tool_result':
      return event.is_error ? `  ${names.get(event.id) ?? 'the call'} failed: ${event.output}` : undefined;
    case 'queued':
      return `· queued (${event.position} ahead)`;
    case 'sleeping':
      return `· asleep${event.until ? ` until ${moment(event.until, Date.now())}` : ''}${event.reason ? `: ${event.reason}` : ''}`;
    case 'provider_wait':
      return `· ${providerWait(event.until, Date.now())}`;
    case 'compacting':
      return '· compacting the conversation';
    case 'image':
      return `· image ${event.url}`;
    case 'reset':
      return '· the answer starts over';
    case 'done': {
      const { prompt_tokens, completion_tokens, cost_usd } = event.usage;
      return `· ${event.status}: ${counted(prompt_tokens + completion_tokens, 'token')}, ${dollars(cost_usd)}`;
    }
    // turn.ts prints the answer and its errors; the other events are details of those above.
    default:
      return undefined;
  }
}

function lineOfConnection(connection: StreamConnection): string | undefined {
  if (connection.state !== 'waiting') return undefined;
  const seconds = Math.max(1, Math.ceil((connection.retry_at - Date.now()) / 1000));
  return `· connection lost; retrying in ${seconds} s`;
}
