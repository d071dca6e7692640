/** A message of a person. Its words are shown as they were written: no Markdown, for nobody means it there. */
import type { ItemOf } from '@chat-kernel/client';
import { bytes } from '../base/amounts.ts';
import { addressOf } from '../base/place.ts';
import { Icon } from '../parts/icon.tsx';

type Message = ItemOf<'user_message'>;

export function UserMessage({ item, onTakeBack }: { item: Message; onTakeBack(): void }) {
  const { text, sender, master, attachments, quote, waiting } = item;
  return (
    <div className={master ? 'said' : 'said other'}>
      {sender === undefined ? null : (
        <p className="sender">
          <Icon name="person" /> <bdi>{sender}</bdi>
        </p>
      )}
      {quote ? <blockquote>{quote.text}</blockquote> : null}
      {attachments.length > 0 ? <Attachments attachments={attachments} /> : null}
      {text ? <p className="words">{text}</p> : null}
      {waiting ? (
        <p className="waits">
          <span>Waits for its turn</span>
          <button type="button" onClick={onTakeBack}>
            Take back
          </button>
        </p>
      ) : null}
    </div>
  );
}

function Attachments({ attachments }: { attachments: Message['attachments'] }) {
  return (
    <ul className="attachments">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the attachments of a message never change
        <li key={index}>
          {attachment.kind === 'image' ? (
            <img src={`data:${attachment.media_type};base64,${attachment.data}`} alt="Sent along" />
          ) : (
            <a href={addressOf(attachment.url)} target="_blank" rel="noopener noreferrer">
              <Icon name="file" /> <bdi>{attachment.name}</bdi> <small>{bytes(attachment.size)}</small>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
