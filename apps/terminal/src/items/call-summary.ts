/** A tool call or an operation in a few words: the commands, the paths, the question. */

import type { Action } from '@chat-kernel/client';
import { exact } from '../text/safe.ts';
import { oneLine } from '../text/words.ts';

type Input = Readonly<Record<string, unknown>>;

/** A bound for the work; the view cuts the line at its width. */
const MAX_CHARS = 300;

/** Returns a line about the input of a tool call or of an operation; empty where the name says all. */
export function callSummary(name: string, input: Input): string {
  const summary = (SUMMARIES[name] ?? anyInput)(input);
  // The summary shows what ran to the character, also what a terminal would have swallowed.
  return exact(oneLine(summary.slice(0, MAX_CHARS), ' ⏎ '));
}

type Summary = (input: Input) => string;

const SHELL: Summary = input =>
  'commands' in input ? texts(input.commands).join(' ⏎ ') : text(input.command);

const OF_ACTIONS: Record<Action, Summary> = {
  read: path,
  write: path,
  shell: SHELL,
  read_bytes: anyInput,
  write_bytes: anyInput,
  find_bytes: anyInput,
  list_up: anyInput,
};

/** Tools come from modules and MCP servers, too: one that is missing here gets `anyInput`. */
const OF_TOOLS: Record<string, Summary> = {
  shell: SHELL,
  read_file: input =>
    records(input.files)
      .map(file => text(file.path))
      .join(', '),
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

const SUMMARIES: Record<string, Summary> = { ...OF_TOOLS, ...OF_ACTIONS };

function path(input: Input): string {
  return text(input.path);
}

/** Summarises an unknown input by its first few plain values. */
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
