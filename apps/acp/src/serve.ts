/** The agent at one end of a stream, and a kernel at the other. */
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
import { refusals } from './refusals.ts';
import { Sessions } from './sessions.ts';
import type { OpenToolServers } from './tool-servers.ts';

export interface AcpOptions extends KernelAddress {
  /** Of this program, which editors show. */
  version: string;
  /** Lines for whoever reads stderr: what an editor has no place for. */
  say: (line: string) => void;
  /** Starts a kernel where none answers, and resolves with its address; absent: an editor is told that none answers. */
  startKernel?: (() => Promise<string>) | undefined;
  openToolServers: OpenToolServers;
}

/**
 * Serves one editor. Resolves when it has hung up; turns that run then go on in the kernel, their operations end.
 * @param input what the editor says, JSON-RPC, a line each @param output what is said to it
 */
export async function serveAcp(
  { version, say, startKernel, openToolServers, ...address }: AcpOptions,
  input: Readable,
  output: Writable,
): Promise<void> {
  const client = await reach(address, startKernel);
  const refused = refusals(client.url);
  let capabilities: ClientCapabilities = {};
  let sessions: Sessions | undefined;
  const of = (editor: AgentContext): Sessions =>
    (sessions ??= new Sessions(client, { editor, capabilities, say, openToolServers }));

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
  // Node declares its streams a little different from those of the web, which they are.
  const stream = ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
  const connection = app.connect(stream);
  await connection.closed;
  sessions?.end();
}

/** The kernel at the address, or one that was started because none answers there. */
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
