/** Provides the MCP face: the kernel's chats and memory as tools for agents that use the Model Context Protocol. */
import { McpFace, type McpFaceOptions } from './http/face.ts';

export const openFace = (options: McpFaceOptions): McpFace => new McpFace(options);
