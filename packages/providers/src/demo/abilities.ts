/** THE list of the demo model's abilities with tools: a plain word, the tool behind it, the inputs of its calls. */
import type { JsonObject, PlanTask } from '@chat-kernel/protocol';
import { reminderIn } from './reminders.ts';

interface Ability {
  /** Words that ask for the ability, shown to people. */
  example: string;
  tool: string;
  /** The group to load first, for a tool that is loaded on demand. */
  group?: string;
  /**
   * Returns an input for each call, all made side by side; none where the words do not ask for it.
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
    // A search finds what the demo says of itself, too: an example has no words of people.
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
    // What clients send for the name of a skill behind a slash.
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
 * Reads a call in so many words: `call <tool> {json}`, or `call <tool>` for one of the offered tools. Undefined where
 * none is asked for; no input where the text behind the name is no JSON object.
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

/** Returns the plan as it stands after `step` calls: first all pending, at last all completed. */
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

/** Returns the text behind the first such word. */
const after = (text: string, word: string): string => text.split(new RegExp(`\\b${word}\\b`, 'i'))[1] ?? '';

/** Returns the words that look like paths: with a dot or a slash inside. */
const pathsIn = (text: string): string[] =>
  wordsIn(text).filter(word => /[^.]\.[^.]|\//.test(word) && !ADDRESS.test(word));

const ADDRESS = /^https?:\/\//i;
const addressesIn = (text: string): string[] => wordsIn(text).filter(word => ADDRESS.test(word));

const wordsIn = (text: string): string[] =>
  text
    .split(/[\s,;"'`]+/)
    // bounded: one start for each run.
    .map(word => word.replace(/(?<![.?!:])[.?!:]+$/, ''));

/** Returns the text behind the word, in a list of one, where the message begins with the word; else none. */
function startsWith(text: string, word: string): string[] {
  const [, rest] = new RegExp(`^\\s*${word}\\s+(.+)`, 'is').exec(text) ?? [];
  return rest ? [rest.trim()] : [];
}
