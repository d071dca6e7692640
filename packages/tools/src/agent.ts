/** Lets the model delegate tasks to sub-agents, which work on them in parallel (BT-10). */
import { renderSections } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';
import { Snapshots } from './tool/snapshots.ts';

const MAX_DOING_CHARS = 200;
/** Characters of all final messages of a call. */
const MAX_CHARS = 60_000;

const AgentInput = z.object({
  name: z
    .string()
    .trim()
    // People read the name when they approve a request: it must not change the direction of the line.
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,60}$/u, 'one line of at most 60 characters')
    .describe('A short unique name, shown to people.'),
  task: z.string().trim().min(1).describe('Everything it needs to know, and what its answer should contain.'),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe('Names of tools or groups that it can use; default: all tools available to sub-agents.'),
});

export const agent = defineTool({
  name: 'agent',
  description:
    'Delegates tasks to sub-agents, which run in parallel while you wait. Use it for work that divides into parts, or that needs much context for a short answer. A sub-agent knows only its task, not this conversation, so put everything it needs into the task. It works on the same machine as you, cannot ask the user, and has no plan and no sub-agents. You get its last message under a line "== name".',
  input: z.object({
    agents: z
      .array(AgentInput)
      .min(1)
      .max(8)
      .refine(agents => new Set(agents.map(({ name }) => name)).size === agents.length, {
        error: 'each agent needs a unique name',
      }),
  }),
  group: 'agents',
  icon: '👥',
  trusted_only: true,
  outside_effect: true,
  lead_only: true,
  async run({ agents }, { runAgent, progress }) {
    const doing = new Map(agents.map(({ name }) => [name, 'begins']));
    const snapshots = new Snapshots(() => [...doing].map(entry => entry.join(': ')).join('\n'), progress);
    const running = agents.map(async ({ name, task, tools }) => {
      const onStep = (step: string) => {
        doing.set(name, cutText(step.replaceAll(/\s+/g, ' '), MAX_DOING_CHARS));
        snapshots.changed();
      };
      const { output, is_error: failed = false } = await runAgent({ name, task, tools, onStep });
      onStep(failed ? 'failed' : 'done');
      const section = cutText(output, MAX_CHARS / agents.length);
      const cut = section === output ? '' : '\n[truncated: request less next time]';
      return { title: name, content: `${failed ? '[this agent failed]\n' : ''}${section}${cut}`, failed };
    });
    try {
      snapshots.changed();
      const sections = await Promise.all(running);
      return { output: renderSections(sections), is_error: sections.every(({ failed }) => failed) };
    } finally {
      // Wait for all agents: a running one would send output after the end of the call.
      await Promise.allSettled(running);
      snapshots.stop();
    }
  },
});
