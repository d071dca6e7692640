/** Lists chats by day, with the status of each. */
import type { Chat } from '@chat-kernel/client';
import { Link, useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { dayGroup, shortTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton } from '../parts/button.tsx';

export function ChatLinks() {
  const { chats: list, requests } = useKernel();
  const { chats, before } = useStore(list.list);
  const asking = new Set(useStore(requests).map(({ chat_id }) => chat_id));
  const [path] = useLocation();
  if (before !== undefined && chats.length === 0) {
    return <p className="hint">No chats yet. Send a message to start one.</p>;
  }
  const groups = Map.groupBy(chats, ({ last_message_at, created_at }) =>
    dayGroup(last_message_at ?? created_at),
  );
  return (
    <>
      {[...groups].map(([day, dayChats]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ul>
            {dayChats.map(chat => (
              <ChatLink
                key={chat.id}
                chat={chat}
                isHere={path === chatPath(chat.id)}
                asks={asking.has(chat.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      {before ? (
        <ActionButton label="Older chats" className="quiet wide" action={() => list.readMore()} />
      ) : null}
    </>
  );
}

function ChatLink({ chat, isHere, asks }: { chat: Chat; isHere: boolean; asks: boolean }) {
  const { id, title, turn, last_message_at, created_at } = chat;
  const state = asks ? 'asks' : turn ? turn.status : null;
  return (
    <li>
      <Link href={chatPath(id)} aria-current={isHere ? 'page' : undefined}>
        <span className="title">
          <bdi>{title ?? 'New chat'}</bdi>
        </span>
        {state === null ? (
          <time dateTime={last_message_at ?? created_at}>{shortTime(last_message_at ?? created_at)}</time>
        ) : (
          <span className={`chat-state ${state}`}>{STATE_LABELS[state] ?? ''}</span>
        )}
      </Link>
    </li>
  );
}

const STATE_LABELS: Readonly<Record<string, string>> = {
  asks: 'needs input',
  running: 'running',
  queued: 'queued',
  sleeping: 'sleeping',
};
