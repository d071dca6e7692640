/** A tool call or an operation in a few words: the commands, the paths, the question. */

type Input = Readonly<Record<string, unknown>>;

const MOST_CHARS = 200;

/** Returns a line about the input; empty where the name says all. */
export function callSummary(name: string, input: Input): string {
  const summary = (SUMMARIES[name] ?? anyInput)(input);
  return oneLine(summary.slice(0, MOST_CHARS));
}

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .join(' ⏎ ');

type Summary = (input: Input) => string;

const shell: Summary = input =>
  'commands' in input ? texts(input.commands).join(' ⏎ ') : text(input.command);
const path: Summary = input => text(input.path);

/** Tools come from modules and MCP servers, too: one that is missing here gets `anyInput`. */
const SUMMARIES: Readonly<Record<string, Summary>> = {
  shell,
  read: path,
  write: path,
  write_file: path,
  edit_file: path,
  read_file: input => records(input.files).map(path).join(', '),
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
};

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
