/** The files that go with the message, each with how far it is. */
import { bytes } from '../base/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import type { Attached, Attachments } from './attachments.ts';

export function AttachmentList({
  list,
  attachments,
}: {
  list: readonly Attached[];
  attachments: Attachments;
}) {
  if (list.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached">
      {list.map(({ key, name, size, progress, error, image }) => (
        <li key={key} className={error ? 'failed' : undefined}>
          {image ? (
            <img src={`data:${image.media_type};base64,${image.data}`} alt="" />
          ) : (
            <Icon name="file" />
          )}
          <span className="name">
            <bdi>{name}</bdi>
            <small>{error ?? bytes(size)}</small>
          </span>
          {progress < 1 && !error ? <progress value={progress} aria-label={`Sending ${name}`} /> : null}
          <button
            type="button"
            className="quiet square"
            aria-label={`Remove ${name}`}
            onClick={() => attachments.remove(key)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
