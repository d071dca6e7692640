/** What a call is about, in a few words: the commands, the paths, the question. */
import { exact } from '../text/safe.ts';

type Input = Readonly<Record<string, unknown>>;

/** Characters that are looked at; the view cuts at its width. */
const MAX_CHARS = 300;

/** One line about the input of a tool call or of an operation; empty where the name says all. */
export function callSummary(name: string, input: Input): string {
  const summary = (SUMMARIES[name] ?? anyInput)(input);
  // What ran is told as it was, with what a terminal would have swallowed.
  return exact(summary.slice(0, MAX_CHARS).replace(/\s*\n\s*/g, ' ⏎ '));
}

const SUMMARIES: Record<string, (input: Input) => string> = {
  shell: input => ('commands' in input ? texts(input.commands).join(' ⏎ ') : text(input.command)),
  read_file: input =>
    records(input.files)
      .map(file => text(file.path))
      .join(', '),
  read: path,
  write: path,
  write_file: path,
  edit_file: path,
  workdir: input => (input.path === null ? 'none' : text(input.path)),
  ask_questions: input =>
    records(input.questions)
      .map(each => text(each.question))
      .join(' · '),
  plan: input => `${records(input.tasks).length} tasks`,
  notebook: input => text(input.mode),
  sleep: input => text(input.reason) || text(input.until),
  load_tools: input => text(input.group),
  agent: input =>
    records(input.agents)
      .map(each => text(each.name))
      .join(', '),
  think_harder: () => '',
  module_list: () => '',
};

function path(input: Input): string {
  return text(input.path);
}

/** Of a tool that nobody here knows: its first few values that are short enough to read. */
function anyInput(input: Input): string {
  return Object.entries(input)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, 3)
    .map(([key, value]) => `${key}: ${String(value).slice(0, 80)}`)
    .join(', ');
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
const records = (value: unknown): Input[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : [];
