/** Reads the input of a tool call or an operation for people: a summary in one line, and the change of a file. */

type Input = Readonly<Record<string, unknown>>;

/** Maximum characters: views cut the line anyway. */
const MAX_CHARS = 300;

/**
 * Sums up the input of a tool call or of an operation; empty if the name says everything. The text is the model's, with
 * line breaks and anything else that it wrote: a view must display it so that it cannot be mistaken for the view's own
 * text.
 */
export const callSummary = (name: string, input: Input): string =>
  (Object.hasOwn(SUMMARIES, name) ? SUMMARIES[name]! : anyInput)(input).slice(0, MAX_CHARS);

type Summary = (input: Input) => string;

/** Tools and actions. The others, also of modules and MCP servers, use `anyInput`. */
const SUMMARIES: Readonly<Record<string, Summary>> = {
  shell: input => ('commands' in input ? texts(input.commands).join(' ⏎ ') : text(input.command)),
  read_file: each('files', 'path'),
  read: path,
  write: path,
  list_dir: path,
  write_file: path,
  edit_file: path,
  workdir: input => (input.path === null ? 'none' : text(input.path)),
  ask_questions: each('questions', 'question', ' · '),
  plan: input => `${records(input.tasks).length} tasks`,
  notebook: input => text(input.mode),
  sleep: input => text(input.reason) || text(input.until),
  load_tools: input => text(input.group),
  agent: each('agents', 'name'),
  think_harder: () => '',
  module_list: () => '',
};

/** Joins a field of each entry of a list. */
function each(list: string, field: string, between = ', '): Summary {
  return input =>
    records(input[list])
      .map(entry => text(entry[field]))
      .join(between);
}

function path(input: Input): string {
  return text(input.path);
}

/** Summarizes an unknown input by its first few plain values. */
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

/** The change that a call or an operation makes to a file, as far as its input shows. */
export interface FileChange {
  path: string;
  /** Null: the file is new, or its content is not known. */
  before: string | null;
  after: string;
  /** True if the two are whole files, so that line numbers are valid. */
  whole: boolean;
}

/** Returns null for all other inputs. */
export function toFileChange(name: string, input: Readonly<Record<string, unknown>>): FileChange | null {
  const { path, old, new: fresh, content } = input;
  if (typeof path !== 'string') return null;
  if (name === 'edit_file' && typeof old === 'string' && typeof fresh === 'string') {
    return { path, before: old, after: fresh, whole: false };
  }
  if ((name === 'write_file' || name === 'write') && typeof content === 'string') {
    return { path, before: null, after: content, whole: true };
  }
  return null;
}
