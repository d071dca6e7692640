/** The purpose of the service. */
import type { Statement } from './statement.ts';

export const SERVICE: Readonly<Record<string, Statement>> = {
  'service.1': {
    says: 'A message starts a turn, which is one run of a model.',
    by: ['wires.test.ts › [SVC-1] runs a message once with all its steps, and sends each event'],
  },
  'service.2': {
    says: 'The answer to a message is a stream of server-sent events.',
    by: ['events.test.ts › [EV-1] streams plain server-sent events that proxies must not buffer or change'],
  },
  'service.3': {
    says: 'During its turn a model calls tools, step after step.',
    by: ['tools.test.ts › [SVC-1] takes as many steps as the model requests'],
  },
  'service.4': {
    says: 'Among the built-in tools are read_file, shell, books_upload, workdir, think_harder, ask_questions, module_list and module_approve.',
    by: ['document.test.ts › the registry has the built-in tools that the API document names'],
  },
  'service.5': {
    says: 'A client brings tools for one turn and executes them itself.',
    by: [
      'extra-tools.test.ts › [TURN-6] offers an extra tool to the model after the others, for this turn only',
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'service.6': {
    says: 'Operations are executed on the machine of a connected client that has hands.',
    by: ['client-ops.system.test.ts › [OP-1] run on the client, and the model gets the results'],
  },
  'service.7': {
    says: 'Modules bring tools of their own.',
    by: [
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'service.8': {
    says: 'Old history is folded into a summary.',
    by: ['compaction.test.ts › [HIST-1] returns the summary of the chat and where it ends'],
  },
  'service.9': {
    says: 'A turn can be put to sleep until it is woken.',
    by: [
      'sleep-tool.test.ts › [BT-9] by %s: sleeps during the turn, reports the sleep to the model, and continues',
    ],
  },
  'service.10': {
    says: 'Each chat has a plan.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
    ],
  },
  'service.11': {
    says: 'Each chat has a notebook.',
    by: [
      'notebook.test.ts › [CHAT-8] returns an empty notebook at first, and stores a new text only for its chat',
    ],
  },
  'service.12': {
    says: 'A chat can be forked into a new one.',
    by: ['fork.test.ts › [FORK-1] copies the messages before the given one, and leaves the parent unchanged'],
  },
  'service.13': {
    says: 'Live, replayed after a reconnect and read back, a turn is one feed of items.',
    by: ['items.test.ts › [ITEM-11] returns the same items live, replayed, read back and repeated'],
  },
  'service.14': {
    says: 'The kernel keeps subscriptions to channels and the history of what was watched.',
    by: [
      'video.test.ts › [VID-5] follows channels, replaces their data, lists them by title and removes them',
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
    ],
  },
  'service.15': {
    says: 'Every client sees the same video library.',
    by: [
      'video.test.ts › [VID-1] returns the stored row, and updates the same row on a second mark, which moves it to the top',
    ],
  },
  'service.16': {
    says: 'The kernel asks no video site anything.',
    by: ['video.test.ts › [SVC-4] opens no connection for any call of the shelf'],
  },
  'service.17': {
    says: 'A module is a separate process that adds tools to the registry.',
    by: [
      'modules.system.test.ts › [MOD-1] [MOD-2] [MOD-3] lists modules of the settings, by command and by socket, and one of the directory',
    ],
  },
  'service.18': {
    says: 'A module intercepts actions.',
    by: [
      'module-stages.system.test.ts › [MOD-7] tool_call replaces the input of any call, and tool_result its output',
    ],
  },
  'service.19': {
    says: 'A module drives a whole surface by running turns over HTTP.',
    by: [
      'test/docs/surface.system.test.ts › the example surface answers each person once, each in a separate chat',
    ],
  },
  'service.20': {
    says: 'A third-party tool server is a guest and no more.',
    by: [
      'mcp.system.test.ts › [MCP-2] sends nothing about the turn, its chat or the speaker to an MCP server',
      'packages/mcp-client/test/revisions.system.test.ts › [MCP-2] gets an error for requests to the client',
    ],
  },
  'service.21': {
    says: 'The kernel serves its reference at /apidocs.',
    by: ['service.test.ts › [SVC-3] serves the reference page and its assets from the kernel itself'],
  },
  'service.22': {
    says: 'The schema at /v1/openapi.json is generated from the code of the routes.',
    by: [
      'packages/server/test/openapi.test.ts › is OpenAPI 3.1 with a title, a version and every route except pages',
      'test/openapi/stored.test.ts › [SVC-3] docs/openapi.json equals the response of a running kernel',
    ],
  },
};
