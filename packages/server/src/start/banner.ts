/** Formats the startup message of a kernel: its address, its model, its data directory, and the next step. */
import type { RunningKernel } from '@chat-kernel/settings/running-file';

/** The address that clients try by default. */
const USUAL = 'http://127.0.0.1:8787';

type Facts = Pick<RunningKernel, 'model' | 'demo' | 'problems'> & { url: string; data_dir: string };

/** Returns lines for people, each with its newline. */
export function renderBanner({ data_dir, ...kernel }: Facts): string {
  const chat = process.env.npm_lifecycle_event === 'start' ? 'npm start -- chat' : 'chat-kernel chat';
  const where = kernel.url === USUAL ? '' : ` --url ${kernel.url}`;
  return [
    ...modelLines(kernel),
    ...kernel.problems.map(sentence => `  error  ${sentence}`),
    `  data   ${data_dir}`,
    `  next   open ${kernel.url} in a browser, or type: ${chat}${where}`,
    '',
  ].join('\n');
}

/** Returns the lines about the model, without a newline after the last. */
export function modelLines({ model, demo }: Pick<RunningKernel, 'model' | 'demo'>): string[] {
  if (model === null) return ['  model  none; set a provider API key, or run `chat-kernel doctor`'];
  if (!demo) return [`  model  ${model}`];
  return [
    `  model  ${model}, the built-in demo; not a real language model`,
    '         to use a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment, run',
    '         Ollama on its default port, or set llm.providers in ~/.config/chat-kernel/config.yaml',
  ];
}
