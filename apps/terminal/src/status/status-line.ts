/** Renders the status line under the input, and the lines about turn and connection above it. */
import type { Effort } from '@chat-kernel/protocol';
import { compact, dollars, duration } from '@chat-kernel/text';
import { moment, providerWait } from '../text/amounts.ts';
import { BLANK, type Colour, type Line, line, lineWidth, type Span, type Style, span } from '../text/line.ts';
import { fit } from '../text/wrap.ts';

export interface Status {
  /** Undefined until the models are loaded; null if there is none. */
  model: string | null | undefined;
  /** Null if not set for this chat. */
  effort: Effort | null;
  /** Null until the first usage is known. */
  context: ContextUse | null;
  /** Cost of the chat; undefined until it is loaded, null if a price is unknown. */
  cost_usd: number | null | undefined;
  /** Label of the approval mode; null if changes need approval. */
  mode?: string | null;
  /** Number of queued turns. */
  queued: number;
  connection: ConnectionStatus;
  turn: TurnState;
  notice?: { text: string; kind: 'info' | 'error' };
  workdir?: string | null;
  title?: string | null;
}
export interface ContextUse {
  /** Tokens of the last provider request. */
  prompt_tokens: number;
  /** The value of GET spend. */
  prefix_tokens: number;
  /** The value of context_windows in GET models. */
  context_window: number;
}
export type ConnectionStatus =
  | { state: 'connected' }
  /** `retry_at` in milliseconds of the same clock as `now`. */
  | { state: 'reconnecting'; retry_at: number }
  | { state: 'offline'; reason: string };
export type TurnState =
  | { state: 'idle' }
  | { state: 'queued'; position: number }
  | { state: 'running'; started_at: number; doing?: string }
  | { state: 'compacting'; started_at: number }
  | { state: 'provider_wait'; started_at: number; until: string }
  | { state: 'sleeping'; since: string; until: string | null; reason: string | null };

/** Computes the share of the window that the chat itself takes, 0 to 1, as the API document defines it. */
export function contextShare({ prompt_tokens, prefix_tokens, context_window }: ContextUse): number {
  if (context_window <= 0) return 0;
  return Math.min(1, Math.max(0, (prompt_tokens - prefix_tokens) / context_window));
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Milliseconds per frame of the spinner. */
const FRAME_MS = 120;

/**
 * @param now milliseconds since 1970
 * @param cancels whether Esc stops the turn; a dialog or a menu may handle it instead
 * @returns the lines about the turn, the connection and the notice, if any
 */
export function activityLines(status: Status, width: number, now: number, cancels: boolean): Line[] {
  return [turnLine(status.turn, now, cancels), connectionLine(status.connection, now), noticeLine(status)]
    .filter(each => each.length > 0)
    .map(each => fit(each, width));
}

/** Renders a line of at most `width` columns. If it does not fit, the least important parts are omitted. */
export function statusLine(status: Status, width: number): Line {
  let parts = partsOf(status);
  const build = () =>
    parts.flatMap(({ part }, index): Line => [...(index > 0 ? [span(' · ', { dim: true })] : BLANK), part]);
  while (parts.length > 1 && lineWidth(build()) > width) {
    const least = Math.min(...parts.map(({ priority }) => priority));
    parts = parts.filter(({ priority }) => priority > least);
  }
  return fit(build(), width);
}

interface StatusPart {
  /** Parts with low numbers are omitted first. */
  priority: number;
  part: Span;
}

/** Returns the parts in their order on the line. */
function partsOf(status: Status): StatusPart[] {
  const { mode, model, effort, context, cost_usd, queued, workdir, title } = status;
  const part = (priority: number, text: string | null | undefined | false, style: Style = { dim: true }) =>
    text ? [{ priority, part: span(text, style) }] : [];
  return [
    ...part(8, mode, { colour: 'magenta' }),
    ...part(7, model === null ? 'no model' : model, model === null ? { colour: 'red' } : {}),
    ...part(4, effort && `effort ${effort}`),
    ...(context === null
      ? []
      : [{ priority: 6, part: meter(contextShare(context), context.context_window) }]),
    ...part(3, cost_usd !== undefined && dollars(cost_usd)),
    ...part(5, queued > 0 && `${queued} queued`, { colour: 'yellow' }),
    ...part(2, workdir),
    ...part(1, title),
  ];
}

function meter(share: number, window: number): Span {
  const full = Math.round(share * 8);
  const colour: Colour = share < 0.6 ? 'green' : share < 0.85 ? 'yellow' : 'red';
  const bar = '▰'.repeat(full) + '▱'.repeat(8 - full);
  return span(`${bar} ${Math.round(share * 100)}% of ${compact(window)}`, { colour });
}

function turnLine(turn: TurnState, now: number, cancels: boolean): Line {
  switch (turn.state) {
    case 'idle':
      return BLANK;
    case 'queued':
      return line(`◷ queued (${turn.position} ahead)`, { colour: 'yellow' });
    case 'running':
      return busy(turn.doing ?? 'working', now - turn.started_at, now, cancels);
    case 'compacting':
      return busy('compacting the conversation', now - turn.started_at, now, cancels);
    case 'provider_wait': {
      // After the pause, the request was sent again and is not answered yet.
      const isOver = Date.parse(turn.until) <= now;
      const doing = isOver ? 'working' : providerWait(turn.until, now);
      return busy(doing, now - turn.started_at, now, cancels);
    }
    case 'sleeping': {
      const until = turn.until === null ? 'until you wake it' : `until ${moment(turn.until, now)}`;
      const why = turn.reason === null ? '' : ` (${turn.reason})`;
      return [
        span(`☾ asleep since ${moment(turn.since, now)}, ${until}${why}`, { colour: 'blue' }),
        span(' · /wake to wake', { dim: true }),
      ];
    }
  }
}

function busy(doing: string, ms: number, now: number, cancels: boolean): Line {
  const frame = SPINNER[Math.floor(now / FRAME_MS) % SPINNER.length]!;
  return [
    span(`${frame} ${doing}`, { colour: 'yellow' }),
    span(` ${duration(ms)}${cancels ? ' · Esc to stop' : ''}`, { dim: true }),
  ];
}

function connectionLine(connection: ConnectionStatus, now: number): Line {
  switch (connection.state) {
    case 'connected':
      return BLANK;
    case 'reconnecting': {
      const seconds = Math.max(0, Math.ceil((connection.retry_at - now) / 1000));
      return line(`⚡ disconnected; retrying in ${seconds} s`, { colour: 'red' });
    }
    case 'offline':
      return line(`⚡ offline: ${connection.reason}`, { colour: 'red' });
  }
}

const noticeLine = ({ notice }: Status): Line =>
  notice === undefined
    ? BLANK
    : line(notice.text, notice.kind === 'error' ? { colour: 'red' } : { dim: true });
