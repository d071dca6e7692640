/** Provides the MCP face: the kernel's chats and memory as tools for agents that use the Model Context Protocol. */
import { type FaceOptions, McpFace } from './http/face.ts';

export type { FaceAnswer, FaceOptions, FaceRequest } from './http/face.ts';

export const openFace = (options: FaceOptions): McpFace => new McpFace(options);
