/** Defines an everyday task: messages of the owner, the calls that a model makes for each, and the questions expected. */

/** Addresses in both contain `{docs}` and `{news}` for the hosts of the sites, which are known when they run. */
export type Call = readonly [tool: string, input: Record<string, unknown>];

export interface Task {
  name: string;
  /** Each message of the owner, and the calls of each step that the model makes then. */
  turns: readonly { says: string; steps: readonly (readonly Call[])[] }[];
  /** The number of times that the owner is asked, in all turns together. */
  questions: number;
  /** Needs the mail servers. */
  mail?: true;
}

/** A task with one message. */
export const task = (name: string, questions: number, says: string, ...steps: readonly Call[][]): Task => ({
  name,
  turns: [{ says, steps }],
  questions,
});

export const read = (...paths: string[]): Call => ['read_file', { files: paths.map(path => ({ path })) }];
export const write = (path: string, content: string): Call => ['write_file', { path, content }];
export const edit = (path: string, before: string, after: string): Call => [
  'edit_file',
  { path, old: before, new: after },
];
export const run = (...commands: string[]): Call => ['shell', { commands }];
export const fetchPage = (path: string, host = '{docs}'): Call => [
  'web_fetch',
  { url: `http://${host}${path}` },
];
export const search = (query: string): Call => ['web_search', { query, limit: 20 }];
