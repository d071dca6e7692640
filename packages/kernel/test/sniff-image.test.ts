/** Tests that the bytes of an image must match the type that its client states. */
import type { KernelError } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { sniffImage } from '../src/files/sniff-image.ts';

const IMAGES = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff\xe0',
  'image/gif': 'GIF89a',
  'image/webp': 'RIFF\x08\0\0\0WEBP',
} as const;
type ImageType = keyof typeof IMAGES;
const TYPES = Object.keys(IMAGES) as ImageType[];

const base64 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('base64');

function mistake(media_type: ImageType, data: string): { detail: string; pointer: string } | undefined {
  try {
    sniffImage({ media_type, data }, '/images/0');
  } catch (error) {
    const { message, errors } = error as KernelError;
    return { detail: message, pointer: errors?.[0]?.pointer as string };
  }
  return undefined;
}

it.each(TYPES)('accepts %s only under its own type', type => {
  const data = base64(IMAGES[type]);
  expect(Buffer.from(sniffImage({ media_type: type, data }, '')).toString('latin1')).toBe(IMAGES[type]);
  for (const other of TYPES.filter(each => each !== type)) {
    expect(mistake(other, data)).toEqual({
      detail: `The data is ${type}, not ${other}.`,
      pointer: '/images/0/media_type',
    });
  }
});

it('rejects bytes that only begin like an image', () => {
  for (const start of ['\x89PNG', '\xff\xd8', 'GIF88a', 'RIFF\x08\0\0\0WAVE', 'WEBP']) {
    expect(mistake('image/png', base64(start))).toEqual({
      detail: 'The data is not a PNG, JPEG, GIF or WebP image.',
      pointer: '/images/0/data',
    });
  }
});
