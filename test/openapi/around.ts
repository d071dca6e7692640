/**
 * Lists tests that bypass the clients of the harness, which check every response against the document, and why they do.
 */

/** File → the reason. Everything else uses ApiClient or checkedFetch. */
export const AROUND: Readonly<Record<string, string>> = {
  'test/harness/client.ts': 'It is the client that checks.',
  'test/harness/checked-fetch.ts': 'It is the fetch that checks.',
  'test/harness/http.ts': 'What the client is made of.',
  'test/harness/harness.test.ts': 'Streams that are wrong on purpose, from a server that is no kernel.',
  'test/package/package.system.test.ts':
    'What ships answers its document and its reference, which no client has a call for.',
  'test/property/fuzz/exchange.ts':
    'Checks by the operation that it means, for hostile addresses have no other.',
  'test/chaos/progress.system.test.ts': 'A reader that stops reading: bytes are counted, not understood.',
  'test/chaos/upload.system.test.ts': 'Bytes of a file, while the kernel is killed.',
  'test/conformance/edit.test.ts': 'An export, of which each line is read.',
  'test/web/previews.system.test.ts': 'The frame of previews, which is no part of the API.',
  'test/conformance/long-history.test.ts': 'An export that is read slowly, for what it keeps in memory.',
  'test/conformance/secrets.system.test.ts': 'A proxy before a tool server, which is no kernel.',
  'test/bounds/bodies.test.ts': 'Bodies of many shapes and sizes, sent piece by piece.',
  'test/bounds/sizes.system.test.ts': 'Bodies of many megabytes, which measure the server.',
  'packages/server/test/incoming-hops.test.ts':
    'Requests between kernels, changed and repeated, which the document does not have.',
  'test/deploy/unit.system.test.ts': 'A request through a proxy of another user.',
  'test/conformance/guard.test.ts': 'Pages, and headers that only browsers send.',
  'test/conformance/users.system.test.ts': 'One request through a proxy of another user.',
  'test/conformance/complete.test.ts': 'A request that is hung up before its answer.',
  'test/conformance/voice-transcribe.test.ts': 'A request that is hung up before its answer.',
  'test/conformance/voice-speech.test.ts': 'An answer that breaks off before its end.',
  'test/conformance/fleet-tools.system.test.ts':
    'What a stranger gets at the inner addresses of kernels, which the document does not have.',
  'test/conformance/openai-apps.test.ts': 'The API of OpenAI, which is no part of the document.',
  'test/conformance/openai-audio.test.ts': 'The API of OpenAI, which is no part of the document.',
  'packages/server/test/waiting-page.test.ts': 'The page, which the document does not have.',
  'packages/storage/test/postgres.ts': 'The server that starts Postgres for tests, which is no kernel.',
  'test/conformance/openai-chats.test.ts': 'The API of OpenAI, which is no part of the document.',
  'test/conformance/openai-clients.test.ts': 'The API of OpenAI, which is no part of the document.',
  'test/conformance/openai-completions.test.ts': 'The API of OpenAI, which is no part of the document.',
  'test/harness/openai.ts': 'The API of OpenAI, which is no part of the document.',
  'test/conformance/mcp-face.test.ts': 'MCP, which is no part of the document.',
  'test/harness/hosted.ts': 'A hosted tool server, which is no kernel.',
  'test/harness/written-surface.ts': 'A messenger that calls the written program, which is no kernel.',
  'test/harness/signing-in.ts': 'What a browser does on its way to a sign-in and back.',
  'packages/mcp-client/test/conformance-client.ts':
    'The page of an authorization server, which is no kernel.',
  'test/harness/collector.ts': 'A collector of traces, which is no kernel.',
  'test/harness/s3-signatures.ts': 'A check before an S3 server, which is no kernel.',
  'modules/telegram/test/deaf-proxy.ts': 'A proxy before the Bot API, which is no kernel.',
  'test/conformance/files.test.ts': 'Bytes of a file, as a browser reads them.',
  'test/conformance/files.system.test.ts':
    'Bytes of a file, while the kernel ends or while its memory is measured.',
  'test/conformance/bytes.test.ts': 'A request that is hung up before its answer.',
  'test/web/served.system.test.ts': 'The page and its files, which are no part of the API.',
  'test/web/pages.system.test.ts': 'The pages that the page links to.',
  'test/web/attach.system.test.ts': 'Bytes of a file, as the page links to it.',
  'packages/ai-sdk/test/files.test.ts': 'Bytes of a file at the address that a page gets.',
  'packages/ai-sdk/test/transport.test.ts':
    'A fetch of the page that looks at what is asked, and bytes of a file at the address that it gets.',
  'test/browser/stranger.system.test.ts':
    'Preflights and foreign origins; the pages that ask are no clients.',
  'test/proxy/proxy.system.test.ts': 'The answer of the proxy, which the kernel never hears of.',
  'test/proxy/fleet.system.test.ts': 'The same, without the token.',
  'test/proxy/document.system.test.ts':
    'What the proxy lets through and refuses, by each operation of the document.',
  'test/proxy/limits.system.test.ts': 'Too many requests, which the proxy refuses.',
  'test/proxy/tls.system.test.ts': 'Connections to the proxy, good and bad.',
  'test/proxy/proxies.ts': 'Waits until the proxy is up.',
  'test/proxy/http2.ts': 'HTTP/2, which the proxy alone speaks.',
  'test/adding/facts.ts':
    'A copy of the tree with a route of its own, which runs with nothing of the harness.',
  'test/upstream/upstream.test.ts': 'The scripted model is no kernel.',
  'packages/client/test/client.test.ts':
    'Counts and breaks requests on their way; its answers are read by the client.',
  'apps/cli/test/main.system.test.ts': 'The program: does it listen, stop and come back.',
  'apps/cli/test/in-background.system.test.ts': 'The program in the background: does it answer.',
  'packages/server/test/log-lines.system.test.ts': 'One request, for the line that the log has of it.',
  'packages/server/test/problems.test.ts': 'Routes of its own, which no document describes.',
  'packages/server/test/compression.test.ts': 'Bytes as they are sent, from a server without the kernel.',
  'packages/server/test/body.test.ts': 'A route of its own, with bodies of each size.',
  'packages/server/test/forward.test.ts':
    'Two servers without the kernel, one of which forwards to the other.',
  'packages/server/test/guard.test.ts': 'Routes of its own, asked with headers that no client sends.',
  'packages/server/test/sse.test.ts': 'Streams of its own, from a server without routes.',
  'packages/server/test/openapi.test.ts': 'The document and its page themselves.',
};
