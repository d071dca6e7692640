/** Messages that the kernel has not acknowledged yet. */
import { counted } from '@chat-kernel/text';
import type { Outgoing } from '../kernel/open-chat.ts';

export function Sending({ outgoing }: { outgoing: readonly Outgoing[] }) {
  return outgoing.map(({ key, text, files }) => (
    <article
      key={key}
      className="item user_message"
      aria-label="Message"
      data-kind="user_message"
      data-status="sending"
    >
      <div className="said sending">
        {text ? <p className="words">{text}</p> : null}
        <p className="waits">
          <span>Sending{files > 0 ? ` with ${counted(files, 'file')}` : ''}…</span>
        </p>
      </div>
    </article>
  ));
}
