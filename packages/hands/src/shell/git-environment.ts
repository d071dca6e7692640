/**
 * Builds the environment in which git starts no program that a repository names (CONSENT-7): for commands in the sandbox,
 * and for those that only a prefix covers.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Settings for which one value means none. They override those of every file. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  // Files in the working directory could make it a repository, with settings of its own.
  'safe.bareRepository': 'explicit',
};

/** Git has no value for no external diff, so it gets one that prints a plain difference. */
const PLAIN_DIFF =
  'f() { if [ $# -lt 5 ]; then echo "* Unmerged path $1"; else diff -u --label "a/$1" --label "b/$1" "$2" "$5"; fi; true; }; f';
const EXTERNAL_DIFFS = String.raw`^diff\.(external|.*\.command)$`;
/** Reading the settings takes milliseconds, unless one of their files never ends. */
const TIMEOUT_MS = 5000;

/**
 * @param cwd the working directory of the command
 * @param env the environment of the command, to which the result is added
 */
export async function gitEnvironment(cwd: string, env: ProcessEnvironment): Promise<Record<string, string>> {
  const diffs = await configuredDiffs(cwd, { ...env, ...toVariables(SETTINGS, env) });
  const settings = { ...SETTINGS, ...Object.fromEntries(diffs.map(name => [name, PLAIN_DIFF])) };
  return {
    GIT_PAGER: 'cat',
    ...(env.GIT_EXTERNAL_DIFF !== undefined && { GIT_EXTERNAL_DIFF: PLAIN_DIFF }),
    ...toVariables(settings, env),
  };
}

/** Adds to the settings that the environment already has. */
function toVariables(
  settings: Readonly<Record<string, string>>,
  { GIT_CONFIG_COUNT }: ProcessEnvironment,
): Record<string, string> {
  const variables: Record<string, string> = {};
  let count = Number.parseInt(GIT_CONFIG_COUNT ?? '', 10) || 0;
  for (const [key, value] of Object.entries(settings)) {
    variables[`GIT_CONFIG_KEY_${count}`] = key;
    variables[`GIT_CONFIG_VALUE_${count}`] = value;
    count++;
  }
  return { ...variables, GIT_CONFIG_COUNT: String(count) };
}

/** Returns the settings that name an external diff; none if git is missing or nothing is set. */
async function configuredDiffs(cwd: string, env: ProcessEnvironment): Promise<string[]> {
  const words = ['config', '--null', '--name-only', '--get-regexp', EXTERNAL_DIFFS];
  try {
    const { stdout } = await promisify(execFile)('git', words, { cwd, env, timeout: TIMEOUT_MS });
    return stdout.split('\0').filter(name => name !== '');
  } catch {
    return [];
  }
}
