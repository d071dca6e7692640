/** Provides the OpenAI face: the kernel's models, tools and chats for clients that use Chat Completions. */
import { type FaceOptions, OpenAiFace } from './http/face.ts';

export type { FaceAnswer, FaceOptions, FaceRequest } from './http/face.ts';

export const openFace = (options: FaceOptions): OpenAiFace => new OpenAiFace(options);
