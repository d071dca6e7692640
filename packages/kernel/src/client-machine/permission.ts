/** Compares operations with grants: what an approval stores, and which later operations it covers (OP-14, HANDS-6). */
import { homedir } from 'node:os';
import {
  type Approval,
  factsOfDecision,
  isEditBelow,
  type LastingDecision,
  prefixCovers,
  type Reach,
} from '@chat-kernel/protocol';

/**
 * An operation that grants may cover: an action of a chat by one client, on one machine, in one directory (HANDS-6). A
 * shell grant covers its exact command, a write grant every path, unless the decision states its reach.
 */
export interface Permission {
  chat_id: string;
  action: string;
  command: string | undefined;
  /** The path of the file, for actions that have one. */
  path: string | undefined;
  workdir: string | null;
  workdir_on: 'client' | 'server';
  client_id: string | undefined;
  /** The name of the stand-by machine. */
  hands: string | undefined;
  /** The host, directory, file or server that the call is about; undefined: it is not about one. */
  target: string | undefined;
}

/** The fields that an approval stores. If the decision reaches a prefix, it replaces the command. */
export function approvalSubject(
  decision: LastingDecision,
  permission: Permission,
  prefix: string | undefined,
) {
  const { command, path: _, client_id, hands, target, ...place } = permission;
  const isPrefixed = factsOfDecision(decision)?.reach === 'prefix';
  return {
    ...place,
    ...(isPrefixed && prefix !== undefined && { prefix: normalizePrefix(prefix) }),
    ...(!isPrefixed && command !== undefined && { command }),
    ...(client_id !== undefined && { client_id }),
    ...(hands !== undefined && { hands }),
    ...(target !== undefined && { target }),
  };
}

/** Separates words by single spaces, as in labels. */
const normalizePrefix = (prefix: string): string =>
  prefix
    .trim()
    .split(/[ \t]{1,100}/)
    .join(' ');

/** Each new field of permissions must be compared here or in `reaches`: the type enforces it. */
const PLACE = Object.keys({
  chat_id: true,
  action: true,
  workdir: true,
  workdir_on: true,
  client_id: true,
  hands: true,
} satisfies Record<Exclude<keyof Permission, 'command' | 'path' | 'target'>, true>) as (keyof Permission &
  keyof Approval)[];

export const isSamePlace = (given: Approval, other: Permission | Approval): boolean =>
  PLACE.every(fact => given[fact] === other[fact]);

export const isSameSubject = (given: Approval, other: Approval): boolean =>
  isSamePlace(given, other) &&
  given.target === other.target &&
  String(given.outside) === String(other.outside) &&
  given.command === other.command &&
  given.prefix === other.prefix &&
  factsOfDecision(given.decision)?.reach === factsOfDecision(other.decision)?.reach;

const REACHES: Readonly<Record<Reach, (given: Approval, wanted: Permission) => boolean>> = {
  same: ({ command }, wanted) => command === wanted.command,
  prefix: ({ prefix }, { command }) =>
    prefix !== undefined && command !== undefined && prefixCovers(prefix, command),
  edits: (_, wanted) => isFileEdit(wanted),
};

export function reaches(given: Approval, wanted: Permission): boolean {
  const facts = factsOfDecision(given.decision);
  return facts !== undefined && hasTarget(given, wanted) && REACHES[facts.reach](given, wanted);
}

/**
 * A directory, whose path ends with a slash, includes the directories below it. All other targets must be the same: a
 * file in a secret place is not covered by its directory.
 */
const hasTarget = ({ target: given }: Approval, { target }: Permission): boolean =>
  given === target ||
  (given?.endsWith('/') === true && target?.endsWith('/') === true && target.startsWith(given));

/** Whether a decision that reaches `edits` covers the operation. */
export function isFileEdit({
  action,
  path,
  workdir,
  workdir_on,
}: Pick<Permission, 'action' | 'path' | 'workdir' | 'workdir_on'>): boolean {
  if (action !== 'write' || workdir === null || path === undefined) return false;
  // The home directory of a client is known only to its machine, which checks again.
  return isEditBelow(workdir, path, workdir_on === 'server' ? [homedir()] : []);
}
