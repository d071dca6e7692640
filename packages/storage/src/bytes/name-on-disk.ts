import { type NewFile, safeFileName } from '@chat-kernel/kernel';

/** Returns the file name for stored bytes: the original one, as far as it is safe on a disk. */
export const nameOnDisk = ({ name, media_type }: Pick<NewFile, 'name' | 'media_type'>): string =>
  safeFileName(name, media_type);
