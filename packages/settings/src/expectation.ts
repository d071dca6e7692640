/** Describes invalid settings. Never echoes the value, which may be a secret. */
import type { z } from 'zod';
import { knownKeys } from './leaves.ts';
import { nearest } from './nearest.ts';

export interface Complaint {
  path: PropertyKey[];
  /** Unknown key below the path. The location to show is that of the key. */
  key?: string;
  sentence: string;
}

/** Returns an error for the issue, or for each unknown key. @param present whether the setting has a value */
export function complaints(issue: z.core.$ZodIssue, present: boolean): Complaint[] {
  if (issue.code !== 'unrecognized_keys') {
    const missing = present ? '' : 'missing, ';
    return [{ path: issue.path, sentence: missing + expectation(issue) }];
  }
  const known = knownKeys(issue.path.map(String)) ?? [];
  return issue.keys.map(key => {
    const near = nearest(key, known);
    const hint = near === undefined ? `expected one of ${known.join(', ')}` : `did you mean "${near}"?`;
    return { path: issue.path, key, sentence: `unknown setting, ${hint}` };
  });
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_format':
      if (issue.format === 'url') return 'expected a URL such as https://example.org';
      return issue.message.startsWith('expected') ? issue.message : `expected a text like ${issue.pattern}`;
    case 'invalid_key':
      return 'expected a name of letters, digits, _ and -';
    default:
      return issue.message;
  }
}

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section with settings of its own',
  record: 'a section with settings of its own',
};
const unit = (origin: string): string =>
  origin === 'array' ? ' entries' : origin === 'string' ? ' letters' : '';
