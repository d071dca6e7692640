/** What the groups of the built-in tools are about, as the prompt says it where one is folded. */
import type { ToolGroup } from '@chat-kernel/kernel';

export const GROUPS: readonly ToolGroup[] = [
  { name: 'agents', about: 'hands tasks to sub-agents' },
  { name: 'books', about: 'puts files on a shelf as books (PDF, EPUB, texts), searches and reads them' },
  { name: 'files', about: 'reads, writes and edits files, and sets the working directory' },
  { name: 'notebook', about: 'keeps notes for this chat' },
  { name: 'plan', about: 'shows the user a plan' },
  { name: 'questions', about: 'asks the user questions with choices' },
  { name: 'shell', about: 'runs commands' },
  { name: 'sleep', about: 'sleeps for a time' },
  { name: 'thinking', about: 'raises the reasoning effort' },
];
