/** Defines an image that the model generated; its bytes are at `url` (IMG-2). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';
import { itemSchema } from './common.ts';

export const ImageItem = itemSchema('image', {
  image_id: Id,
  media_type: z.string(),
  url: z.string(),
}).meta({ id: 'ImageItem' });
