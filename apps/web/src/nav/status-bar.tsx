/** Shows above the message box and on pages: a lost connection, a sleeping kernel, and requests of other chats. */
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { shortTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { KERNEL_CHAT_ID, useOwnerRequests } from '../kernel/owner-requests.ts';
import { useDisconnected } from '../kernel/use-is-lost.ts';
import { ActionButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';

interface StatusBarProps {
  /** The chat on the screen, which shows its own requests. Undefined: a page, which shows none. Null: a new chat. */
  chatId?: string | null;
}

export function StatusBar({ chatId }: StatusBarProps) {
  const isLost = useDisconnected();
  return (
    <div className="status-bar">
      {isLost ? (
        <p className="bad" role="status" aria-label="Connection">
          <Icon name="alert" /> Connection lost. Reconnecting…
        </p>
      ) : (
        <Asleep />
      )}
      <OtherChats chatId={chatId} />
    </div>
  );
}

function Asleep() {
  const { client, sleep } = useKernel();
  const sleeping = useStore(sleep);
  if (!sleeping?.asleep) return null;
  return (
    <p role="status" aria-label="Sleep">
      <Icon name="moon" />
      <span>
        Chat Kernel is asleep{sleeping.until ? ` until ${shortTime(sleeping.until)}` : ''}. New messages are
        queued.
        {sleeping.reason ? ` ${sleeping.reason}` : ''}
      </span>
      <ActionButton label="Wake" action={() => client.wake()} />
    </p>
  );
}

/** More chats than these are a number; the list of chats marks them all. */
const MAX_LINKS = 2;

/** Links to the chats with requests that wait for the user and are not on the screen. */
function OtherChats({ chatId }: StatusBarProps) {
  const { chats } = useStore(useKernel().chats.list);
  const isShownHere = (id: string) => chatId !== undefined && (id === chatId || id === KERNEL_CHAT_ID);
  const others = useOwnerRequests().filter(({ chat_id }) => !isShownHere(chat_id));
  const firsts = [...Map.groupBy(others, ({ chat_id }) => chat_id).values()].map(([first]) => first!);
  if (firsts.length === 0) return null;
  const nameOf = (id: string) =>
    id === KERNEL_CHAT_ID ? 'Chat Kernel' : (chats.find(chat => chat.id === id)?.title ?? 'Another chat');
  return (
    <p className="asks" role="status" aria-label="Waiting requests">
      <Icon name="alert" />
      <span className="label">Needs your answer:</span>
      {firsts.slice(0, MAX_LINKS).map(({ chat_id, id }) => (
        <Link
          key={chat_id}
          className="button"
          href={`${chat_id === KERNEL_CHAT_ID ? '/' : chatPath(chat_id)}?request=${encodeURIComponent(id)}`}
        >
          <bdi>{nameOf(chat_id)}</bdi>
        </Link>
      ))}
      {firsts.length > MAX_LINKS ? <span>+{firsts.length - MAX_LINKS}</span> : null}
    </p>
  );
}
