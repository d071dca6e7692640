/** Tests the system prompt of a turn. */
import { expect, it } from 'vitest';
import { toolsAndPrompt } from '../src/turn/tools-and-prompt.ts';

const promptOf = (sections: string[], project: string | undefined): string => {
  const services = {
    toolbox: { offer: () => ({ tools: new Map(), onDemand: [] }) },
    settings: { llm: { system_prompt: 'Be brief.' }, requests: { extra_tool_timeout_secs: 1 } },
  };
  const turn = { record: { parameters: {} }, context: {} };
  const chat = { toolset: {}, workdir_on: 'client', hands: null };
  return toolsAndPrompt(turn as never, chat as never, { sections, project }, services as never).system;
};

it('joins the opening, the sections and the project, without blank lines at its end', () => {
  expect(promptOf([], undefined)).toBe('Be brief.');
  expect(promptOf(['One.', 'Two.'], undefined)).toBe('Be brief.\n\nOne.\n\nTwo.');
  expect(promptOf(['One.'], '[project]')).toBe('Be brief.\n\nOne.\n\n[project]');
});
