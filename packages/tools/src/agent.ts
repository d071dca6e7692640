/** Lets the model hand tasks to sub-agents, which work on them side by side (BT-10). */
import { cutText, renderSections } from '@chat-kernel/protocol';
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
    // People read the name when they approve a request: it must not turn the direction of the line.
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,60}$/u, 'one line of at most 60 characters')
    .describe('Short, and of its own: people see it.'),
  task: z.string().trim().min(1).describe('All that it has to know, and what its answer should hold.'),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe('Names of tools or groups that it may use; without this all that a sub-agent can have.'),
});

export const agent = defineTool({
  name: 'agent',
  description:
    'Hands tasks to sub-agents, which work on them side by side while you wait. For work that divides into parts, or that fills much context for a short answer. A sub-agent knows nothing but its task, not this conversation either: write all it needs into it. It works on the same machine as you, cannot ask the user anything, and has neither a plan nor sub-agents of its own. You get its last message, each under a line "== name".',
  input: z.object({
    agents: z
      .array(AgentInput)
      .min(1)
      .max(8)
      .refine(agents => new Set(agents.map(({ name }) => name)).size === agents.length, {
        error: 'each agent needs a name of its own',
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
      const said = cutText(output, MAX_CHARS / agents.length);
      const cut = said === output ? '' : '\n[cut here: ask for less next time]';
      return { title: name, content: `${failed ? '[this agent failed]\n' : ''}${said}${cut}`, failed };
    });
    try {
      snapshots.changed();
      const sections = await Promise.all(running);
      return { output: renderSections(sections), is_error: sections.every(({ failed }) => failed) };
    } finally {
      // An agent that still runs would show something after the call.
      await Promise.allSettled(running);
      snapshots.stop();
    }
  },
});
