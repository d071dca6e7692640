import { type NewFile, safeFileName } from '@chat-kernel/kernel';

/** The name under which the bytes of a file are kept: the one it was given, as far as that is safe for a disk. */
export const nameOnDisk = ({ name, media_type }: Pick<NewFile, 'name' | 'media_type'>): string =>
  safeFileName(name, media_type);
