/** Lists the demo model's abilities with tools: a plain phrase, the tool, and the inputs of its calls. */
import type { JsonObject, PlanTask } from '@chat-kernel/protocol';
import { reminderIn } from './reminders.ts';

interface Ability {
  /** A phrase that triggers the ability, shown to users. */
  example: string;
  tool: string;
  /** The group to load first, for a tool that is loaded on demand. */
  group?: string;
  /**
   * Returns an input for each of the parallel calls; empty if the text does not request the ability.
   * @param files ids of attached files
   * @param now in milliseconds
   */
  inputs(text: string, files: readonly string[], now: number): JsonObject[];
}

export const ABILITIES: readonly Ability[] = [
  {
    example: 'read README.md',
    tool: 'read_file',
    inputs: text => pathsIn(after(text, 'read')).map(path => ({ files: [{ path }] })),
  },
  {
    example: 'read https://example.org',
    tool: 'web_fetch',
    inputs: text => addressesIn(after(text, 'read')).map(url => ({ url })),
  },
  {
    example: 'search the web for harbours',
    tool: 'web_search',
    inputs: text => startsWith(text, 'search\\s+the\\s+web\\s+for').map(query => ({ query })),
  },
  {
    example: 'write hello.txt: Hello!',
    tool: 'write_file',
    inputs(text) {
      const [, path, content] = /\bwrite\s+([^\s:]+):\s*(.+)/is.exec(text) ?? [];
      return path && content ? [{ path, content }] : [];
    },
  },
  {
    example: 'run date',
    tool: 'shell',
    inputs: text => startsWith(text, 'run').map(command => ({ commands: [command] })),
  },
  {
    example: 'ask me something',
    tool: 'ask_questions',
    inputs: text => startsWith(text, 'ask').map(() => ({ questions: [QUESTION] })),
  },
  {
    example: 'note that I like tea',
    tool: 'notebook',
    inputs: text => startsWith(text, 'note').map(note => ({ text: `- ${note}\n`, mode: 'append' })),
  },
  {
    example: 'remember that I drink tea',
    tool: 'memory',
    inputs: text => startsWith(text, 'remember(?:\\s+that)?').map(add => ({ add })),
  },
  {
    // A search also finds the demo's own messages, so an example must not contain what a user may search for.
    example: 'when did we talk about …?',
    tool: 'search_chats',
    inputs: text =>
      startsWith(text, '(?:when|where)\\s+did\\s+we\\s+talk\\s+about').map(words => ({
        query: words.replace(/\?$/, ''),
      })),
  },
  {
    example: 'remind me in 2 minutes to drink tea',
    tool: 'schedule',
    inputs(text, _, now) {
      const reminders = startsWith(text, 'remind\\s+me').map(words => reminderIn(words, now));
      return reminders.flatMap(add => (add === undefined ? [] : [{ add }]));
    },
  },
  {
    // Clients send this for the name of a skill after a slash.
    example: 'use the skill …',
    tool: 'skill',
    inputs(text) {
      const [, name] = /^\s*(?:use\s+the\s+skill\s+|\/)([\w-]+)(?=[\s:.]|$)/i.exec(text) ?? [];
      return name ? [{ name }] : [];
    },
  },
  {
    example: 'shelve book.pdf',
    tool: 'books_upload',
    group: 'books',
    inputs: (text, files) =>
      /^\s*shelve\b/i.test(text)
        ? [...pathsIn(after(text, 'shelve')).map(path => ({ path })), ...files.map(file_id => ({ file_id }))]
        : [],
  },
  {
    example: 'look up harbour',
    tool: 'books_search',
    group: 'books',
    inputs: text => startsWith(text, 'look\\s+up').map(query => ({ query })),
  },
  {
    example: 'delegate say hello',
    tool: 'agent',
    inputs: text => startsWith(text, 'delegate').map(task => ({ agents: [{ name: 'helper', task }] })),
  },
  {
    example: 'sleep',
    tool: 'sleep',
    inputs: text =>
      /^\s*sleep\b/i.test(text) ? [{ seconds: 10, reason: 'The user asked the demo to sleep' }] : [],
  },
  {
    example: 'think harder',
    tool: 'think_harder',
    inputs: text => (/\bthink\s+harder\b/i.test(text) ? [{}] : []),
  },
];

/**
 * Reads an explicit call: `call <tool> {json}`, or `call <tool>` for one of the offered tools. Undefined if the text
 * has none; no input if the text after the name is not a JSON object.
 */
export function spelledCall(
  text: string,
  offered: ReadonlySet<string>,
): { name: string; input?: JsonObject } | undefined {
  const [, name, json] = /\bcall\s+([a-zA-Z0-9_-]+)\s*(\{.*\})?/is.exec(text) ?? [];
  if (!name || (!json && !offered.has(name))) return undefined;
  if (!json) return { name, input: {} };
  try {
    return { name, input: JSON.parse(json) };
  } catch {
    return { name };
  }
}

const TITLES = ['Read what was asked', 'Do it', 'Say what came out'];
export const PLAN_STEPS = TITLES.length + 2;

/** Returns the plan after `step` calls: first all pending, finally all completed. */
export const planAt = (step: number): PlanTask[] =>
  TITLES.map((title, index) => ({
    title,
    status: index < step - 1 ? 'completed' : index === step - 1 ? 'in_progress' : 'pending',
  }));

const QUESTION = {
  question: 'Which colour shall the demo like?',
  header: 'Colour',
  options: [
    { label: 'Blue', description: 'Like the sea' },
    { label: 'Green', description: 'Like a field' },
  ],
};

/** Returns the text after the first such word. */
const after = (text: string, word: string): string => text.split(new RegExp(`\\b${word}\\b`, 'i'))[1] ?? '';

/** Returns the parts of a text that look like paths: with a dot or a slash inside. */
const pathsIn = (text: string): string[] =>
  splitWords(text).filter(word => /[^.]\.[^.]|\//.test(word) && !ADDRESS.test(word));

const ADDRESS = /^https?:\/\//i;
const addressesIn = (text: string): string[] => splitWords(text).filter(word => ADDRESS.test(word));

const splitWords = (text: string): string[] =>
  text
    .split(/[\s,;"'`]+/)
    // bounded: one start for each run.
    .map(word => word.replace(/(?<![.?!:])[.?!:]+$/, ''));

/** Returns the text after the word as a list of one, if the message begins with the word; otherwise an empty list. */
function startsWith(text: string, word: string): string[] {
  const [, rest] = new RegExp(`^\\s*${word}\\s+(.+)`, 'is').exec(text) ?? [];
  return rest ? [rest.trim()] : [];
}
