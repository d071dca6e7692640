/** Tests the system prompt of a turn. */
import { expect, it } from 'vitest';
import { toolsAndPrompt } from '../src/turn/tools-and-prompt.ts';

const build = (sections: string[], project: string | undefined, modules?: string) => {
  const services = {
    toolbox: { offer: () => ({ tools: new Map(), onDemand: [] }) },
    settings: { llm: { system_prompt: 'Be brief.' }, requests: { extra_tool_timeout_secs: 1 } },
  };
  const turn = { record: { parameters: {} }, context: {} };
  const chat = { toolset: {}, workdir_on: 'client', hands: null };
  return toolsAndPrompt(turn as never, chat as never, { sections, project, modules }, services as never);
};
const promptOf = (sections: string[], project: string | undefined): string => build(sections, project).system;

it('joins the opening, the sections and the project, without blank lines at its end', () => {
  expect(promptOf([], undefined)).toBe('Be brief.');
  expect(promptOf(['One.', 'Two.'], undefined)).toBe('Be brief.\n\nOne.\n\nTwo.');
  expect(promptOf(['One.'], '[project]')).toBe('Be brief.\n\nOne.\n\n[project]');
});

it('names the parts of the prompt', () => {
  const { system, prompt_parts } = build(['[skills]\nOne.', 'Two.'], '[project]', 'Three.');
  expect(prompt_parts.map(({ subject, text }) => [subject, text])).toEqual([
    ['The instructions in llm.system_prompt', 'Be brief.'],
    ['The skills in the prompt', '[skills]\nOne.'],
    ['The features in the prompt', 'Two.'],
    ['The instructions of the project', '[project]'],
    ['The instructions of modules', 'Three.'],
  ]);
  expect(system).toBe(prompt_parts.map(({ text }) => text).join('\n\n'));
});
