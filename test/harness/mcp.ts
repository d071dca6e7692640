/** Connects the client of the reference SDK to a kernel's MCP face, in either generation of the protocol. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { TestKernel } from './kernel.ts';

/** `auto` negotiates the newest version that both support. */
export const ERAS = ['legacy', 'auto'] as const;

/** Creates a connected client that closes with the test. */
export async function mcpClientOf(
  { url }: Pick<TestKernel, 'url'>,
  mode: (typeof ERAS)[number],
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  return client;
}

export const textsOf = ({ content }: CallToolResult): string[] =>
  content.map(each => (each.type === 'text' ? each.text : each.type));
