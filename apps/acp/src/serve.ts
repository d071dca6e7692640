/** Connects an editor's stream to a kernel. */
import { Readable, Writable } from 'node:stream';
import {
  AGENT_METHODS,
  type AgentContext,
  agent,
  type ClientCapabilities,
  ndJsonStream,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import { type KernelAddress, KernelApiError, KernelClient } from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';
import { refusals } from './refusals.ts';
import { openSessions, type Sessions } from './sessions.ts';
import type { OpenToolServers } from './tool-servers.ts';

export interface AcpOptions extends KernelAddress {
  /** The version of this program, which editors show. */
  version: string;
  /** Lines for stderr: messages that an editor cannot display. */
  say: (line: string) => void;
  /** Starts a kernel if none is running, and resolves with its URL. Absent: the editor gets an error instead. */
  startKernel?: (() => Promise<string>) | undefined;
  openToolServers: OpenToolServers;
  /** How commands run on this machine, except in terminals of the editor. */
  commands?: CommandOptions | undefined;
}

/**
 * Serves one editor. Resolves when it has disconnected; running turns continue in the kernel, and their operations end.
 * @param input JSON-RPC messages of the editor, one per line @param output the messages to the editor
 */
export async function serveAcp(
  { version, say, startKernel, openToolServers, commands, ...address }: AcpOptions,
  input: Readable,
  output: Writable,
): Promise<void> {
  const client = await reach(address, startKernel);
  const refused = refusals(client.url);
  let capabilities: ClientCapabilities = {};
  let sessions: Sessions | undefined;
  const of = (editor: AgentContext): Sessions =>
    (sessions ??= openSessions(client, { editor, capabilities, say, openToolServers, commands }));

  const app = agent({ name: 'chat-kernel' })
    .onRequest(AGENT_METHODS.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'chat-kernel', title: 'Chat Kernel', version },
        agentCapabilities: {
          loadSession: true,
          mcpCapabilities: { http: true },
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(AGENT_METHODS.session_new, ({ params, client }) => refused(of(client).open(params)))
    .onRequest(AGENT_METHODS.session_load, ({ params, client }) => refused(of(client).load(params)))
    .onRequest(AGENT_METHODS.session_resume, ({ params, client }) => refused(of(client).resume(params)))
    .onRequest(AGENT_METHODS.session_list, ({ params, client }) => refused(of(client).list(params)))
    .onRequest(AGENT_METHODS.session_close, ({ params, client }) => of(client).close(params.sessionId))
    .onRequest(AGENT_METHODS.session_delete, ({ params, client }) =>
      refused(of(client).delete(params.sessionId)),
    )
    .onRequest(AGENT_METHODS.session_set_mode, ({ params, client }) =>
      refused(of(client).setMode(params.sessionId, params.modeId)),
    )
    .onRequest(AGENT_METHODS.session_set_config_option, ({ params, client }) =>
      refused(of(client).setOption(params.sessionId, params.configId, params.value)),
    )
    .onRequest(AGENT_METHODS.session_prompt, ({ params, client, signal }) =>
      refused(of(client).find(params.sessionId).prompt(params.prompt, signal)),
    )
    .onNotification(AGENT_METHODS.session_cancel, ({ params, client }) =>
      of(client).find(params.sessionId).cancel(),
    );
  // Node's types for streams differ slightly from those of the web, although they are the same objects.
  const stream = ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
  const connection = app.connect(stream);
  await connection.closed;
  sessions?.end();
}

/** Returns the URL of the kernel. Starts one if none responds. */
async function reach(address: KernelAddress, startKernel: AcpOptions['startKernel']): Promise<KernelClient> {
  const client = new KernelClient(address);
  if (startKernel === undefined) return client;
  try {
    await client.ready({ waitMs: 0 });
    return client;
  } catch (error) {
    if (error instanceof KernelApiError) return client;
    return new KernelClient({ ...address, url: await startKernel() });
  }
}
