/** Shows what the turn of a chat does or waits for (WEB-8), from its events or, before they arrive, from its record. */
import type { Chat, ChatSnapshot } from '@chat-kernel/client';
import { duration, ordinal } from '@chat-kernel/text';
import { useEffect, useReducer, useRef } from 'react';
import { wholeTime } from '../base/times.ts';
import { StatusMark } from '../items/status-mark.tsx';
import { useOwnerRequests } from '../kernel/owner-requests.ts';
import { useDisconnected, useIsLost } from '../kernel/use-is-lost.ts';

interface Status {
  text: string;
  /** The rest of the sentence, which screen readers do not repeat each time that it changes. */
  countdown?: string;
  detail?: string | null;
  /** True if the time since the begin is worth showing. */
  isWork?: boolean;
}

interface ChatStatusProps {
  chat: Chat | null;
  snapshot: ChatSnapshot;
  /** True while a message is being sent. */
  isSending: boolean;
}

const WORKING: Status = { text: 'Working', isWork: true };
const LOST: Status = { text: 'Reconnecting' };

export function ChatStatus({ chat, snapshot, isSending }: ChatStatusProps) {
  const { turn, busy, connection, items } = snapshot;
  const isLost = useIsLost(connection);
  const asks = useOwnerRequests().some(({ chat_id }) => chat_id === chat?.id);
  const open = turn?.done === null ? turn : null;
  const isBusy = busy || isSending;
  const current = open ? describeTurn(open, asks) : describeRecord((busy && chat?.turn) || null, asks);
  const status = !isBusy ? null : isLost ? LOST : current;
  const passed = useElapsed(status === null ? null : (open?.turn_id ?? ''), status !== null && !isLost);
  if (!status) return null;
  const waiting = items.filter(item => item.kind === 'user_message' && item.waiting).length;
  const isBehind = waiting > 0 && open?.status === 'running';
  return (
    <StatusLine {...status}>
      {status.isWork && passed > 2000 ? (
        <span className="tag" aria-live="off">
          {duration(passed)}
        </span>
      ) : null}
      {isBehind ? <span className="tag">Queued ({ordinal(waiting + 1)})</span> : null}
    </StatusLine>
  );
}

/** The status of a first message until its chat is on the screen. */
export function FirstStatus() {
  const isLost = useDisconnected();
  return <StatusLine {...(isLost ? LOST : WORKING)} />;
}

function StatusLine({ text, countdown, detail, children }: Status & { children?: React.ReactNode }) {
  return (
    <p className="chat-status" role="status" aria-label="Chat status">
      <StatusMark status="running" />
      <span>
        {text}
        {countdown === undefined ? null : <span aria-live="off"> {countdown}</span>}
      </span>
      {detail ? <span className="tag">{detail}</span> : null}
      {children}
    </p>
  );
}

function describeTurn(turn: NonNullable<ChatSnapshot['turn']>, asks: boolean): Status {
  const { status, position, sleeping, compacting, provider_wait } = turn;
  if (compacting) return { ...WORKING, detail: 'compacting the conversation' };
  if (sleeping) {
    const until = sleeping.until === null ? 'you wake it' : wholeTime(sleeping.until);
    return { text: `Sleeping until ${until}`, detail: sleeping.reason };
  }
  if (status === 'queued') return { text: position ? `Queued (${ordinal(position + 1)})` : 'Queued' };
  if (asks) return { text: 'Waiting for your answer' };
  const pause = provider_wait === null ? 0 : Math.ceil((Date.parse(provider_wait.until) - Date.now()) / 1000);
  if (provider_wait === null || pause <= 0) return WORKING;
  return {
    text: 'Waiting for the provider',
    countdown: `(retry in ${pause} s)`,
    detail: `${WAIT_REASONS[provider_wait.reason] ?? 'failed'}, attempt ${provider_wait.attempt} of ${provider_wait.of}`,
  };
}

function describeRecord(turn: Chat['turn'], asks: boolean): Status {
  if (asks) return { text: 'Waiting for your answer' };
  return (turn?.waiting_for && RECORD_STATUSES[turn.waiting_for]) || WORKING;
}

const RECORD_STATUSES: Readonly<Record<NonNullable<NonNullable<Chat['turn']>['waiting_for']>, Status>> = {
  provider: { text: 'Waiting for the provider' },
  // A machine may have to answer, not the user.
  request: WORKING,
  queue: { text: 'Queued' },
  sleep: { text: 'Sleeping' },
};

type WaitReason = NonNullable<NonNullable<ChatSnapshot['turn']>['provider_wait']>['reason'];
const WAIT_REASONS: Readonly<Record<WaitReason, string>> = {
  rate_limit: 'rate limit',
  overload: 'overloaded',
  connection: 'connection failed',
};

/**
 * Returns the milliseconds since this page first saw the turn, and renders again each second.
 * @param key another one restarts the count; null: none runs
 */
function useElapsed(key: string | null, isCounting: boolean): number {
  const begun = useRef({ key: null as string | null, at: 0 });
  if (begun.current.key !== key) begun.current = { key, at: Date.now() };
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(again, 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return Date.now() - begun.current.at;
}
