/** Renders small items: images, notes of the kernel, compactions and plans. */
import { factsOfNote, type ItemOf, type NoteFacts, type PlanTask } from '@chat-kernel/client';
import { toKernelUrl } from '../base/paths.ts';
import { Icon } from '../parts/icon.tsx';
import { imageExtension, imageFormat, Picture } from '../parts/picture.tsx';
import { StatusMark } from './status-mark.tsx';

export function ModelImage({ item: { url, image_id, media_type } }: { item: ItemOf<'image'> }) {
  return (
    <Picture
      address={toKernelUrl(url)}
      alt={`${imageFormat(media_type)} image from the model`}
      fileName={`image-${image_id.slice(-6)}.${imageExtension(media_type)}`}
    />
  );
}

export function Fold({ item: { status } }: { item: ItemOf<'compaction'> }) {
  return (
    <p className="fold">
      <StatusMark status={status} />
      {status === 'running' ? 'Compacting conversation…' : 'Conversation compacted'}
    </p>
  );
}

const NOTE_ICONS = { plain: 'right', problem: 'alert', branch: 'fork' } as const satisfies Record<
  NoteFacts['look'],
  unknown
>;

export function Note({ item: { note, text } }: { item: ItemOf<'machine_note'> }) {
  const look = factsOfNote(note)?.look ?? 'plain';
  return (
    <p className={look === 'problem' ? 'note bad' : 'note'}>
      <Icon name={NOTE_ICONS[look]} />
      <span>{text}</span>
    </p>
  );
}

export function Tasks({ tasks }: { tasks: readonly PlanTask[] }) {
  return (
    <ul className="tasks">
      {tasks.map(({ title, status }) => (
        <li key={title} className={status}>
          <span className="box" role="img" aria-label={status.replace('_', ' ')} />
          <span>{title}</span>
        </li>
      ))}
    </ul>
  );
}
