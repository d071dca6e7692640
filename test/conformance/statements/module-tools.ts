/** The context of a module call, and the tool declarations of modules and clients. */
import type { Statement } from './statement.ts';

export const MODULE_TOOLS: Readonly<Record<string, Statement>> = {
  'tool-context.1': {
    says: 'A call tells the module the chat.',
    by: ['modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context'],
  },
  'tool-context.2': {
    says: 'A call tells the module the sender.',
    by: ['modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context'],
  },
  'tool-context.3': {
    says: 'A call tells the module whether the master speaks.',
    by: ['modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context'],
  },
  'tool-context.4': {
    says: 'A call tells the module whether who speaks is trusted.',
    by: ['modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context'],
  },
  'tool-context.5': {
    says: 'A call tells the module whether who speaks is privileged.',
    by: ['modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context'],
  },
  'tool-context.6': {
    says: 'client_ops is true where a client with hands runs the turn.',
    by: [
      'modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context',
      'modules.system.test.ts › [MOD-1] [MOD-5] passes the address of the kernel, and whether the turn has hands, to a module',
    ],
  },
  'tool-context.7': {
    says: 'While such a turn is open, the machine of its client can be reached.',
    by: [
      'bytes.test.ts › [OP-12] requires an open turn of a client with hands',
      'bytes.test.ts › [OP-12] is read in pieces to its end and no further',
    ],
  },
  'tool-context.8': {
    says: 'The anchor is two integers.',
    by: ['anchor.test.ts › [TURN-7] [TURN-9] rejects the anchor %j, and stores nothing'],
  },
  'tool-context.9': {
    says: 'The anchor is there only where the turn was bound when it started.',
    by: [
      'modules.system.test.ts › [MOD-5] passes the exact speaker and purpose of a call in its context',
      'packages/module-host/test/sockets.test.ts › [MOD-5] sends the short name, the input and the full context, the anchor only if there is one',
    ],
  },
  'module-tool.1': {
    says: 'A module declares short names, and the kernel makes <module>_<tool> of them.',
    by: [
      'packages/module-host/test/sockets.test.ts › [MOD-3] [MOD-4] gives tools full names, the group of the module, and its phrase',
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'module-tool.2': {
    says: 'The tools are in a group that is named after the module.',
    by: [
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'module-tool.3': {
    says: 'The group opens and closes access as for built-in tools.',
    by: [
      'modules.system.test.ts › [MOD-3] [TURN-8] [CHAT-6] selects a module by name for a turn, excludes one for a chat, and turns one tool off in the settings',
    ],
  },
  'module-tool.4': {
    says: 'The group is listed for the menus of clients.',
    by: [
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'module-tool.5': {
    says: 'A module says in a phrase what it is about, which is what a folded toolset shows of it.',
    by: [
      'modules.system.test.ts › [MOD-4] shows an on_demand family as a line with its phrase until load_tools loads it',
    ],
  },
  'module-tool.6': {
    says: 'The model loads the family when it wants it.',
    by: [
      'modules.system.test.ts › [MOD-4] shows an on_demand family as a line with its phrase until load_tools loads it',
    ],
  },
  'module-tool.7': {
    says: 'The schema of an input is generated from its typed structure: docs of fields become descriptions.',
    by: [
      'packages/module-sdk/test/module.test.ts › [MOD-6] turns field docs into descriptions, and does not require optional fields',
    ],
  },
  'module-tool.8': {
    says: 'Optional fields are not required by the schema.',
    by: [
      'packages/module-sdk/test/module.test.ts › [MOD-6] turns field docs into descriptions, and does not require optional fields',
    ],
  },
  'module-tool.9': {
    says: 'The handler gets its input parsed.',
    by: [
      'packages/module-sdk/test/module.test.ts › [MOD-6] passes the parsed input to the handler, and returns -32602 with the field for invalid input',
    ],
  },
  'module-tool.10': {
    says: 'Input that does not fit is an error that the model reads and answers with another call.',
    by: [
      'modules.system.test.ts › [MOD-6] returns an input error of the module to the model, which calls again',
    ],
  },
  'module-tool.11': {
    says: 'A tool without arguments has an empty input.',
    by: [
      'modules.system.test.ts › [API-4] [SVC-2] [MOD-3] lists a tool of a module exactly as the model gets it',
    ],
  },
  'extra-tool.1': {
    says: 'An extra tool has a name and a description.',
    by: [
      'extra-tools.test.ts › [TURN-6] offers an extra tool to the model after the others, for this turn only',
    ],
  },
  'extra-tool.2': {
    says: 'The schema of its input may be left out.',
    by: [
      'extra-tools.test.ts › [TURN-6] offers an extra tool to the model after the others, for this turn only',
    ],
  },
  'extra-tool.3': {
    says: 'Its time may be left out.',
    by: ['extra-tools.test.ts › [OP-10] is that of the settings if the tool declares none'],
  },
  'extra-tool.4': {
    says: 'It may say that it ends the turn.',
    by: ['extra-tools.test.ts › [XT-4] ends the turn with its parallel calls after a successful call'],
  },
};
