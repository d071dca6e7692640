/** Lists the groups of built-in tools, with the phrase that describes a group on demand in the prompt. */
import type { ToolGroup } from '@chat-kernel/kernel';

const ABOUT = {
  agents: 'delegates tasks to sub-agents',
  files: 'reads, writes and edits files, and sets the working directory',
  plan: 'shows the user a plan',
  questions: 'asks the user questions with choices',
  shell: 'runs commands',
  sleep: 'sleeps for a time',
  thinking: 'raises the reasoning effort',
};

export const GROUPS: readonly ToolGroup[] = Object.entries(ABOUT).map(([name, about]) => ({ name, about }));
