/** What a kernel that has started tells its owner: where it is, which model answers, where the data are, what comes next. */
import type { RunningKernel } from './running-file.ts';

/** Where clients look for a kernel unasked. */
const USUAL = 'http://127.0.0.1:8787';

type Facts = Pick<RunningKernel, 'model' | 'demo'> & { url: string; data_dir: string };

/** Returns lines for people, each with its line break. */
export function wordsOfStart({ data_dir, ...kernel }: Facts): string {
  const chat = process.env.npm_lifecycle_event === 'start' ? 'npm start -- chat' : 'chat-kernel chat';
  const where = kernel.url === USUAL ? '' : ` --url ${kernel.url}`;
  return [
    ...modelLines(kernel),
    `  data   ${data_dir}`,
    `  next   open ${kernel.url} in a browser, or type: ${chat}${where}`,
    '',
  ].join('\n');
}

/** Returns the lines about the model, without a break behind the last. */
export function modelLines({ model, demo }: Pick<RunningKernel, 'model' | 'demo'>): string[] {
  if (model === null) return ['  model  none: give a provider its key, and see `chat-kernel doctor`'];
  if (!demo) return [`  model  ${model}`];
  return [
    `  model  ${model}, built in to show what the kernel does; it understands nothing`,
    '         a real one answers with ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment, with',
    '         Ollama on its usual port, or with llm.providers in ~/.config/chat-kernel/config.yaml',
  ];
}
