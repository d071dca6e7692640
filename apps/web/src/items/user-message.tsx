/** A user message. Its text is shown as written, not as Markdown. */
import type { ItemOf } from '@chat-kernel/client';
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import { useEffect, useState } from 'react';
import { toKernelUrl } from '../base/paths.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { imageExtension, imageFormat, Picture } from '../parts/picture.tsx';

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
          <span>Queued</span>
          <Button label="Take back" onClick={onTakeBack} />
        </p>
      ) : null}
    </div>
  );
}

type Attachment = Message['attachments'][number];

function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  const images = attachments.filter(({ kind }) => kind === 'image');
  return (
    <ul className="attachments">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the attachments of a message never change
        <li key={index}>
          {attachment.kind === 'image' ? (
            <UserImage image={attachment} place={images.indexOf(attachment) + 1} count={images.length} />
          ) : (
            <a href={toKernelUrl(attachment.url)} target="_blank" rel="noopener noreferrer">
              <Icon name="file" /> <bdi>{attachment.name}</bdi>{' '}
              <small>{sizeForPeople(attachment.size)}</small>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

interface UserImageProps {
  image: Extract<Attachment, { kind: 'image' }>;
  /** Its number among the images of the message. */
  place: number;
  count: number;
}

/** The item contains the bytes, because the API has no address for them. */
function UserImage({ image: { media_type, data }, place, count }: UserImageProps) {
  const address = useObjectAddress(data, media_type);
  if (address === null) return null;
  const number = count > 1 ? ` ${place} of ${count}` : '';
  return (
    <Picture
      address={address}
      alt={`Attachment${number}: ${imageFormat(media_type)} image`}
      fileName={`attachment${count > 1 ? `-${place}` : ''}.${imageExtension(media_type)}`}
    />
  );
}

/** Returns null until the address exists. @param data in base64 */
function useObjectAddress(data: string, type: string): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([decodeBase64(data)], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data, type]);
  return address;
}

/** Returns nothing for damaged data, which shows as an image that cannot be loaded. */
function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(data), character => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
