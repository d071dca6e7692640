/** Renders the status line under the input, and the lines about turn and connection above it. */
import type { Effort } from '@chat-kernel/protocol';
import { compact, dollars, duration } from '@chat-kernel/text';
import { moment, providerWait } from '../text/amounts.ts';
import { BLANK, type Colour, type Line, line, lineWidth, type Span, span } from '../text/line.ts';
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
  const parts = buildParts(status);
  const names = (Object.keys(PRIORITY) as StatusPart[]).filter(name => parts[name] !== undefined);
  const shown = new Set(names);
  const build = () =>
    names
      .filter(name => shown.has(name))
      .flatMap((name, index): Line => [...(index > 0 ? [span(' · ', { dim: true })] : BLANK), parts[name]!]);
  for (const name of names.toSorted((a, b) => PRIORITY[a] - PRIORITY[b])) {
    if (lineWidth(build()) <= width || shown.size === 1) break;
    shown.delete(name);
  }
  return fit(build(), width);
}

type StatusPart = 'mode' | 'model' | 'effort' | 'context' | 'cost' | 'queue' | 'workdir' | 'title';

/** The parts in their order on the line. Low numbers are omitted first. */
const PRIORITY: Record<StatusPart, number> = {
  mode: 8,
  model: 7,
  effort: 4,
  context: 6,
  cost: 3,
  queue: 5,
  workdir: 2,
  title: 1,
};

function modelSpan(model: Status['model']): Span | undefined {
  if (model === undefined) return undefined;
  return model === null ? span('no model', { colour: 'red' }) : span(model);
}

function buildParts(status: Status): Record<StatusPart, Span | undefined> {
  const share = status.context === null ? null : contextShare(status.context);
  const { title, workdir } = status;
  return {
    mode: status.mode ? span(status.mode, { colour: 'magenta' }) : undefined,
    model: modelSpan(status.model),
    effort: status.effort === null ? undefined : span(`effort ${status.effort}`, { dim: true }),
    context: share === null ? undefined : meter(share, status.context!.context_window),
    cost: status.cost_usd === undefined ? undefined : span(dollars(status.cost_usd), { dim: true }),
    queue: status.queued === 0 ? undefined : span(`${status.queued} queued`, { colour: 'yellow' }),
    workdir: workdir ? span(workdir, { dim: true }) : undefined,
    title: title ? span(title, { dim: true }) : undefined,
  };
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
