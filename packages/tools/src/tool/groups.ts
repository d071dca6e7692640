/** THE list of the groups of built-in tools, with the phrase by which the prompt describes a group on demand. */
import type { ToolGroup } from '@chat-kernel/kernel';

const ABOUT = {
  agents: 'hands tasks to sub-agents',
  books: 'puts files on a shelf as books (PDF, EPUB, texts), searches and reads them',
  chats: 'searches and reads the other chats of the owner',
  files: 'reads, writes and edits files, and sets the working directory',
  memory: 'remembers across chats, and forgets',
  notebook: 'keeps notes for this chat',
  plan: 'shows the user a plan',
  questions: 'asks the user questions with choices',
  schedules: 'sends messages by themselves, by a schedule',
  shell: 'runs commands',
  skills: 'opens instructions for kinds of work',
  sleep: 'sleeps for a time',
  thinking: 'raises the reasoning effort',
};

/** A group of the list, or `tools` for the tool that loads groups, which is never loaded on demand itself. */
export type BuiltinGroup = keyof typeof ABOUT | 'tools';

export const GROUPS: readonly ToolGroup[] = Object.entries(ABOUT).map(([name, about]) => ({ name, about }));
