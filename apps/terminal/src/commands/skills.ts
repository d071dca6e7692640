/** Skills as slash commands: /name sends a message that requests the skill. */
import { type Skill, skillRequest } from '@chat-kernel/client';
import type { Command } from '../editor/completion.ts';
import type { ChatSession } from '../session/session.ts';

export const skillCommands = (skills: readonly Skill[]): Command[] =>
  skills.map(({ name, description }) => ({ name, description, takes: '…' }));

/** Sends the message if the skill exists. Returns whether it does. */
export async function askForSkill(session: ChatSession, name: string, rest: string): Promise<boolean> {
  const skills = await session.kernel.readSkills();
  const skill = skills.find(each => each.name.toLowerCase() === name.toLowerCase());
  if (skill !== undefined) session.send({ text: skillRequest(skill.name, rest), attachments: [] });
  return skill !== undefined;
}
