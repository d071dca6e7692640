/**
 * Provides the tools, resources and prompts that the public conformance suite requires of a server, behind the kernel's
 * own MCP face.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  completable,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerOf } from '../../packages/mcp-face/src/http/face.ts';

/** A pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (words: string) => ({ type: 'text', text: words }) as const;
const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const user = <Content>(content: Content) => ({ role: 'user', content }) as const;

export const demoServerOf: ServerOf = (_caller, cancellable) => {
  const server = new McpServer(
    { name: 'demo', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  /** A tool without arguments, called like those of the kernel. */
  const tool = (name: string, run: (context: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (_input, context) =>
      cancellable(context, async () => run(context)),
    );
  offerTools(tool);
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Keeps its schema.', inputSchema: fromJsonSchema(SCHEMA) },
    () => ({ content: [text('kept')] }),
  );
  offerResources(server);
  offerPrompts(server);
  return server;
};

/** A schema in a dialect whose keywords must arrive unchanged. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
} as const;

function offerTools(
  tool: (name: string, run: (context: ServerContext) => CallToolResult | Promise<CallToolResult>) => void,
): void {
  const resource = (uri: string) =>
    ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'A resource.' } }) as const;
  tool('test_simple_text', () => ({ content: [text('This is a simple text response for testing.')] }));
  tool('test_image_content', () => ({ content: [IMAGE] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', () => ({ content: [resource('test://embedded-resource')] }));
  tool('test_multiple_content_types', () => ({
    content: [text('Several.'), IMAGE, resource('test://mixed-content-resource')],
  }));
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool('test_tool_with_logging', async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await sleep(50);
    }
    return { content: [text('done')] };
  });
  tool('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      await sleep(50);
    }
    return { content: [text('done')] };
  });
}

function offerResources(server: McpServer): void {
  const read = (mimeType: string, content: { text: string } | { blob: string }) => (uri: URL) => ({
    contents: [{ uri: uri.href, mimeType, ...content }],
  });
  const plain = { mimeType: 'text/plain', description: 'Words.' };
  server.registerResource('text', 'test://static-text', plain, read('text/plain', { text: 'Static.' }));
  server.registerResource('watched', 'test://watched-resource', plain, read('text/plain', { text: 'Same.' }));
  server.registerResource(
    'binary',
    'test://static-binary',
    { mimeType: 'image/png', description: 'A pixel.' },
    read('image/png', { blob: PNG }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json', description: 'By its id.' },
    (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function offerPrompts(server: McpServer): void {
  const prompt = (name: string, run: () => object[]) =>
    server.registerPrompt(name, { description: name }, () => ({ messages: run() as never }));
  prompt('test_simple_prompt', () => [user(text('This is a simple prompt for testing.'))]);
  prompt('test_prompt_with_image', () => [user(IMAGE), user(text('Please analyze the image above.'))]);
  const word = completable(z.string(), value => ['paris', 'park'].filter(each => each.startsWith(value)));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments.', argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } } as const),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
}
