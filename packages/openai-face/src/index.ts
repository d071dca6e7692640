/** Provides the OpenAI face: the kernel's models, tools and chats for clients that use Chat Completions. */
import type { FaceOptions } from '@chat-kernel/http';
import { OpenAiFace } from './http/face.ts';

export const openFace = (options: FaceOptions<'openai'>): OpenAiFace => new OpenAiFace(options);
