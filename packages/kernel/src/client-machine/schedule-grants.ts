/** Compares operations with what the owner of a schedule allows in its turns (CONSENT-4). */
import { type Effect, isEditBelow, prefixCovers } from '@chat-kernel/protocol';
import type { ScheduleGrant } from '../ports/index.ts';
import type { Permission } from './permission.ts';

interface ScheduledOperation {
  /** The name of the tool. */
  tool: string;
  effects: readonly Effect[];
  permission: Pick<Permission, 'command' | 'path' | 'target'>;
  /** The group or address that the operation sends to, if it is not about an address in the web. */
  recipient?: string | undefined;
}

/** Whether one of the grants covers the operation. */
export const allowedBySchedule = (
  grants: readonly ScheduleGrant[] | undefined,
  operation: ScheduledOperation,
): boolean => grants?.some(grant => grant.tool === operation.tool && hasTarget(grant, operation)) ?? false;

/** A grant without a target covers no call that sends something, even if the tool did not when it was given. */
function hasTarget(
  { target }: ScheduleGrant,
  { effects, permission, recipient }: ScheduledOperation,
): boolean {
  if (target === null) return !effects.includes('send');
  const { command, path, target: place = recipient } = permission;
  if (command !== undefined) return prefixCovers(target, command);
  if (place !== undefined) return place === target || isDirectoryBelow(place, target);
  return path !== undefined && (path === target || isEditBelow(target, path));
}

/** Directories to read end with a slash. */
const isDirectoryBelow = (place: string, target: string): boolean =>
  place.endsWith('/') && place.startsWith(target.endsWith('/') ? target : `${target}/`);
