/** The interface of modules. */
import type { Statement } from './statement.ts';

export const MODULES: Readonly<Record<string, Statement>> = {
  'module.1': {
    says: 'Kernel and module speak JSON-RPC, one object a line.',
    by: [
      'packages/module-host/test/peer.test.ts › [MOD-1] sends a call as one line, and settles it by its answer, in any order',
      'packages/json-rpc/test/lines.test.ts › [MOD-1] ends a line only at \\n',
      'test/examples/python.system.test.ts › [MOD-1] [MOD-2] [MOD-6] a module in Python connects to the kernel through a socket',
    ],
  },
  'module.2': {
    says: 'A module declares tools and stages.',
    by: [
      'modules.system.test.ts › [MOD-1] [MOD-2] [MOD-3] lists modules of the settings, by command and by socket, and one of the directory',
    ],
  },
  'module.3': {
    says: 'The kernel calls them with the context of the turn.',
    by: [
      'modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context',
      'module-stages.system.test.ts › [MOD-7] [MOD-5] passes the speaker of a turn that is canceled in the queue to turn_done',
    ],
  },
  'module.4': {
    says: 'A module makes a chat for a conversation elsewhere, and keeps which is which.',
    by: [
      'test/docs/surface.system.test.ts › the example surface answers each person once, each in a separate chat',
      'modules/telegram/test/answers.system.test.ts › runs a message of the owner as a turn of the master and answers once',
    ],
  },
  'module.5': {
    says: 'A module runs a turn and reads its events.',
    by: [
      'test/docs/surface.system.test.ts › the example surface answers each person once, each in a separate chat',
    ],
  },
  'module.6': {
    says: 'A module reads the tail of the history.',
    by: [
      'messages.test.ts › [MSG-2] returns the tail first, then older pages, and an empty page at the start of history',
    ],
  },
  'module.7': {
    says: 'A module cancels a turn.',
    by: [
      'modules/telegram/test/streaming.system.test.ts › stops the response on /stop, and reports if none is running',
    ],
  },
  'module.8': {
    says: 'A module asks for one call of a model.',
    by: [
      'packages/module-sdk/test/module.test.ts › [MOD-10] lets a tool call the kernel over HTTP, answered by the test',
    ],
  },
  'module.9': {
    says: 'A module reports how triage went.',
    by: ['stats.test.ts › [API-3] sums up triage, and counts engaged messages without a reply as misses'],
  },
  'module.10': {
    says: 'A module reads the registry of tools.',
    by: [
      'tools-list.test.ts › [API-4] [SVC-2] returns names, descriptions and schemas as the model gets them, in the same order',
    ],
  },
  'module.11': {
    says: 'A module lists models and sets that of a chat.',
    by: [
      'modules/telegram/test/polling.system.test.ts › handles /new, /help, /model and /effort, by argument and by button',
    ],
  },
  'module.12': {
    says: 'A module resolves an external id to a person.',
    by: [
      'test/docs/surface.system.test.ts › the example surface answers each person once, each in a separate chat',
    ],
  },
  'module.13': {
    says: 'A module reads the settings.',
    by: [
      'config.system.test.ts › [API-7] returns the effective settings completely, with defaults for those missing in the file',
    ],
  },
  'module.14': {
    says: 'A module reads pieces of files.',
    by: [
      'own-bytes.test.ts › [OP-12] is read in pieces to its end and no further',
      'bytes.test.ts › [OP-12] is read in pieces to its end and no further',
    ],
  },
  'module.15': {
    says: 'A module reads the notebook outside of a turn.',
    by: [
      'notebook.test.ts › [CHAT-8] returns an empty notebook at first, and stores a new text only for its chat',
    ],
  },
  'module.16': {
    says: 'In a turn the kernel puts the notebook into the prompt itself.',
    by: [
      'messages.test.ts › [MSG-1] stores context that the kernel adds for the model under the sender kernel, not as the master',
    ],
  },
  'module.17': {
    says: "Persons, memory, history, turns, the registry and the policy of dangerous tools are the kernel's.",
    by: [
      "gates.test.ts › [BT-1] prefers the user's policy to the default of a tool, and lets tools of a turn only narrow it",
      'gates.test.ts › [TURN-8] [BT-10] is offered no dangerous tool, whatever the request selects: %s',
      'document.test.ts › shipped modules depend only on the API of the kernel, not on its store or core',
    ],
  },
  'module.18': {
    says: 'A module has a database of its own, and does not touch that of the kernel.',
    by: ['document.test.ts › shipped modules depend only on the API of the kernel, not on its store or core'],
  },
  'module.19': {
    says: 'A module in modules.servers is approved by that.',
    by: [
      'modules.system.test.ts › [MOD-1] [MOD-2] [MOD-3] lists modules of the settings, by command and by socket, and one of the directory',
      'packages/module-host/test/commands.system.test.ts › [MOD-2] starts a module of the settings without approval',
    ],
  },
  'module.20': {
    says: 'A module whose socket is in modules.socket_dir is in module_list.',
    by: [
      'module-approval.system.test.ts › [BT-6] shows modules and the reasons why they are down in module_list',
    ],
  },
  'module.21': {
    says: 'It is enabled by the tool module_approve.',
    by: [
      'module-approval.system.test.ts › [BT-6] [MOD-2] [EV-14] approves a module when the master answers yes, and then offers its tools',
    ],
  },
  'module.22': {
    says: 'The decision is kept in the database of the kernel.',
    by: [
      'module-approval.system.test.ts › [MOD-2] keeps a decision over a restart, also while the module is down',
    ],
  },
  'module.23': {
    says: 'Tool servers of others are declared in mcp.servers; their tools have the prefix mcp_.',
    by: [
      'mcp.system.test.ts › [MCP-1] [API-4] [SVC-2] gives tools of an MCP server its prefix and group, and calls them like any other',
    ],
  },
  'module.24': {
    says: 'They are in the group mcp and in mcp_<server>.',
    by: [
      'mcp.system.test.ts › [MCP-1] [TURN-8] the group mcp contains all of them, mcp_<server> those of one, and guests of a chat have none',
    ],
  },
  'module.25': {
    says: 'They get no context of a turn.',
    by: [
      'mcp.system.test.ts › [MCP-2] sends nothing about the turn, its chat or the speaker to an MCP server',
    ],
  },
  'module.26': {
    says: 'They intercept nothing.',
    by: [
      'mcp.system.test.ts › [MCP-2] [MOD-7] excludes an MCP server from all stages, and passes its calls to modules',
    ],
  },
  'module.27': {
    says: 'They run no turns.',
    by: [
      'packages/mcp-client/test/revisions.system.test.ts › [MCP-2] gets an error for requests to the client',
    ],
  },
  'module.28': {
    says: 'The kernel sees a socket leave and come back while it runs.',
    by: [
      'modules.system.test.ts › [MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between',
    ],
  },
  'module.29': {
    says: 'A module is restarted without the kernel.',
    by: [
      'modules.system.test.ts › [MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between',
    ],
  },
  'module.30': {
    says: 'The tools of a module that is down stay in the registry.',
    by: [
      'modules.system.test.ts › [MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between',
      'packages/module-host/test/sockets.test.ts › [MOD-9] keeps the tools of a module that never returned after a restart of the kernel',
    ],
  },
  'module.31': {
    says: 'A call to such a tool is an error that says why.',
    by: [
      'modules.system.test.ts › [MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between',
    ],
  },
  'module.32': {
    says: 'The file of a module has a section kernel: url, token, and how long to wait at the start.',
    by: [
      'packages/module-sdk/test/serve.system.test.ts › [MOD-11] reads the kernel section, the socket and its own settings from its file',
      'packages/module-sdk/test/serve.system.test.ts › [MOD-11] waits at the start until the kernel is ready, sends it the token, and times out',
    ],
  },
};
